"""Targets and backends by their specs, or by the files of devices."""

import re
from pathlib import Path

from workers.devices.reading import read_device

SUFFIXES = (".toml", ".json")
IN_A_BACKEND = re.compile(r"(?P<family>[a-z]+):(?P<file>.+\.(?:toml|json))(?P<rest>:\w+)?")


def target_named(text: str) -> str:
    """Return the spec of a target that is named by a spec, or by the file of a device.

    Raises:
        TargetError: if the file cannot be used.
    """
    return target_beside(text, Path())


def backend_named(text: str) -> str:
    """Return the spec of a backend, such as `aer:my-device.toml`, its file read.

    Raises:
        TargetError: if the file cannot be used.
    """
    return backend_beside(text, Path())


def target_beside(text: str, folder: Path) -> str:
    """Return the spec of a target that is named by a spec, or by the file of a device.

    Args:
        text: as the user writes it.
        folder: where files are looked for.

    Raises:
        TargetError: if the file cannot be used.
    """
    return _read(folder / text) if text.endswith(SUFFIXES) else text


def backend_beside(text: str, folder: Path) -> str:
    """Return the spec of a backend; see `target_beside`.

    Raises:
        TargetError: if the file cannot be used.
    """
    found = IN_A_BACKEND.fullmatch(text)
    if found is None:
        return text
    return f"{found['family']}:{_read(folder / found['file'])}{found['rest'] or ''}"


def _read(file: Path) -> str:
    # What reads files is not imported where no device is one.

    return read_device(file)
