"""Reading a device's file: TOML or JSON of its own form, or IBM's or Braket's JSON."""

import json
import re
from pathlib import Path
from typing import Any

from attrs import evolve
from pydantic import ValidationError

from backends.regular_files import read_regular_file
from compiler.errors import TargetError
from compiler.formats.input_warnings import warn
from compiler.formats.key_lines import Path as KeyPath
from compiler.formats.key_lines import key_lines, line_of
from compiler.formats.text_content import text_of
from compiler.formats.toml_document import TomlError, toml_document
from compiler.targets.device import Device, DeviceSpec, make_known
from compiler.targets.universal import check_universal
from workers.devices.braket import device_from_braket, is_capabilities
from workers.devices.file_model import DeviceFile
from workers.devices.ibm import device_from_ibm, is_configuration, is_properties
from workers.devices.misfit import MisfitError

MOST_BYTES = 20_000_000
MOST_NESTING = 32
MAX_NAMED = 10
"""Qubits that a warning names."""
CONFIGURATION, PROPERTIES = "conf_", "props_"
"""What IBM's files are called before the device's name."""

HINTS = {
    "duration": "durations are in nanoseconds: write duration_ns",
    "t1": "relaxation times are in microseconds: write t1_us",
    "t2": "dephasing times are in microseconds: write t2_us",
}


def read_device(file: Path | str) -> DeviceSpec:
    """Read a device's file; this process then knows the device by the spec that is returned.

    Raises:
        TargetError: saying what is wrong with the file, and in which line.
    """
    path = Path(file)
    text, said = _read(path)
    files = [(path, text)]
    stem = re.sub(r"[^A-Za-z0-9_.+-]", "-", path.stem)[:32]
    try:
        if path.suffix == ".json" and (is_configuration(said) or is_properties(said)):
            documents = _both(path, text, said)
            files = [(file, text) for file, text, _ in documents]
            device = device_from_ibm(documents[0][2], documents[1][2], stem)
        elif path.suffix == ".json" and is_capabilities(said):
            device = device_from_braket(said, stem)
        else:
            device = DeviceFile.of(said).device(stem)
    except ValidationError as error:
        first = error.errors()[0]
        where = tuple(first["loc"])
        raise _located(path, text, where, _told(where, first["msg"], first["type"])) from error
    except MisfitError as error:
        raise _located(*files[error.document], error.path, str(error)) from error
    spec = make_known(_with_physical_times(device, path))
    check_universal(device.target(), str(path))
    return spec


def _with_physical_times(device: Device, path: Path) -> Device:
    """Return a device whose T2 is at most 2·T1, as for every qubit; calibrations may exceed it."""
    longer = [
        place
        for place, qubit in enumerate(device.qubits)
        if qubit.t1_us is not None and qubit.t2_us is not None and qubit.t2_us > 2 * qubit.t1_us
    ]
    if not longer:
        return device
    named = ", ".join(map(str, longer[:MAX_NAMED]))
    more = f" and {len(longer) - MAX_NAMED} more" if len(longer) > MAX_NAMED else ""
    plural = "s" if len(longer) > 1 else ""
    warn(f"{path}: T2 is longer than 2·T1 on qubit{plural} {named}{more}; 2·T1 is taken instead")
    qubits = list(device.qubits)
    for place in longer:
        qubits[place] = evolve(qubits[place], t2_us=2 * (qubits[place].t1_us or 0))
    return evolve(device, qubits=tuple(qubits))


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of a file, and what it says."""
    try:
        text = text_of(read_regular_file(path, MOST_BYTES), str(path), TargetError)
        said = json.loads(text) if path.suffix == ".json" else toml_document(text)
        if isinstance(said, str):
            # What was JSON already was written as JSON: `json.dump(device.properties.json(), …)`.
            text, said = said, json.loads(said)
    except OSError as error:
        raise TargetError(f"{path}: cannot be read: {error.strerror}") from error
    except json.JSONDecodeError as error:
        raise TargetError(f"{path}, line {error.lineno}: not JSON: {error.msg}") from error
    except TomlError as error:
        raise TargetError(f"{path}: not TOML: {error}") from error
    except (RecursionError, ValueError) as error:
        raise TargetError(f"{path}: not JSON that describes a device: {error}") from error
    if not isinstance(said, dict):
        raise TargetError(f"{path}: describes no device: write an object with qubits and edges")
    return text, said


Document = tuple[Path, str, dict[str, Any] | None]


def _both(path: Path, text: str, said: dict[str, Any]) -> tuple[Document, Document]:
    """Return IBM's configuration and properties; the other one is looked for beside the file."""
    mine: Document = (path, text, said)
    name = path.name
    if is_configuration(said):
        return mine, _beside(path, PROPERTIES + name.removeprefix(CONFIGURATION))
    return _beside(path, CONFIGURATION + name.removeprefix(PROPERTIES)), mine


def _beside(path: Path, name: str) -> Document:
    other = path.with_name(name)
    if not path.name.startswith((CONFIGURATION, PROPERTIES)) or not other.is_file():
        return path, "", None
    return other, *_read(other)


def _told(path: KeyPath, message: str, kind: str) -> str:
    """Return in words what is wrong with a value."""
    name = ".".join(str(part) for part in path)
    if kind == "extra_forbidden":
        key = str(path[-1])
        hint = next((told for start, told in HINTS.items() if key.startswith(start)), None)
        return f"'{name}' is not known; {hint or 'see docs/devices.md for what can be said'}"
    if kind == "missing":
        return f"'{name}' is missing; see docs/devices.md for what a device's file says"
    return f"{name}: {message.removeprefix('Value error, ')}"


def _located(path: Path, text: str, where: KeyPath, reason: str) -> TargetError:
    lines = key_lines(text, json=path.suffix == ".json")
    return TargetError(f"{path}, line {line_of(lines, where)}: {reason}")
