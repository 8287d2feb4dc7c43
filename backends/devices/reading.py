"""Reading a device's file: TOML or JSON of its own form, or JSON of a registered format."""

import re
from pathlib import Path

from attrs import evolve
from pydantic import ValidationError

from backends.backend import ProviderBackend
from backends.devices.device_format import DEVICE_FORMATS, SourceFile
from backends.devices.file_model import device_from_file
from backends.devices.misfit import MisfitError
from backends.errors import BackendError, UnavailableError
from backends.families import backend_from_spec
from compiler.errors import InputError, TargetError
from compiler.formats.input_warnings import warn
from compiler.formats.key_lines import Path as KeyPath
from compiler.formats.key_lines import key_lines, line_of
from compiler.targets.device import Device, DeviceSpec, make_known
from compiler.targets.universal import check_universal

MAX_NAMED = 10
"""Qubits that a warning names."""

HINTS = {
    "duration": "durations are in nanoseconds: write duration_ns",
    "t1": "relaxation times are in microseconds: write t1_us",
    "t2": "dephasing times are in microseconds: write t2_us",
}


def read_device(file: Path | str) -> DeviceSpec:
    """Read a device's file; this process then knows the device by the spec that is returned.

    Raises:
        TargetError: with the fault and its line.
    """
    return _device_in(SourceFile.read(Path(file)))


def live_target(backend: str) -> DeviceSpec:
    """Return the target of a provider's device with its calibration of now.

    Args:
        backend: spec, such as `ibm:boston`.

    Raises:
        InputError: if it is no provider's device.
        BackendError: if the provider does not describe it.
        TargetError: if its description cannot be used.
    """
    machine = backend_from_spec(backend)
    if not isinstance(machine, ProviderBackend):
        raise InputError(f"backend '{backend}' has no calibration of now; take ibm:… or braket:…")
    return described_target(machine, backend)


def described_target(machine: ProviderBackend, backend: str) -> DeviceSpec:
    """Return the target of a provider's device with its calibration of now; see `live_target`."""
    files = machine.description()
    name, content = next(iter(files.items()))
    return _device_in(SourceFile(Path(backend) / name, "", content, files))


def _device_in(source: SourceFile) -> DeviceSpec:
    path, is_json = source.path, source.path.suffix == ".json"
    stem = re.sub(r"[^A-Za-z0-9_.+-]", "-", path.stem)[:32]
    formats = DEVICE_FORMATS.values() if is_json else ()
    read = next((form.read for form in formats if form.accepts(source.content)), device_from_file)
    try:
        device = read(source, stem)
    except ValidationError as error:
        first = error.errors()[0]
        where = tuple(first["loc"])
        raise _located(source, where, _message(where, first["msg"], first["type"])) from error
    except MisfitError as error:
        raise _located(error.file or source, error.path, str(error)) from error
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


def _message(path: KeyPath, message: str, kind: str) -> str:
    """Return the message about an invalid value."""
    name = ".".join(str(part) for part in path)
    if kind == "extra_forbidden":
        key = str(path[-1])
        hint = next((text for start, text in HINTS.items() if key.startswith(start)), None)
        return f"'{name}' is unknown; {hint or 'see docs/devices.md for the keys of a device'}"
    if kind == "missing":
        return f"'{name}' is missing; see docs/devices.md for the keys of a device"
    return f"{name}: {message.removeprefix('Value error, ')}"


def _located(file: SourceFile, where: KeyPath, reason: str) -> TargetError:
    lines = key_lines(file.text, json=file.path.suffix == ".json")
    return TargetError(f"{file.path}, line {line_of(lines, where)}: {reason}")


SNAPSHOT, LIVE = "snapshot", "live"
"""Calibrations of a provider's device: as shipped, and that of now."""


def target_with_calibration(
    backend: str, target: str, calibration: str, folder: Path = Path()
) -> str:
    """Return the spec of the target with the calibration that circuits are compiled for.

    Args:
        backend: spec.
        target: spec; empty for the backend's own.
        calibration: `SNAPSHOT`, `LIVE`, or the file of a device.
        folder: where the file is looked for.

    Raises:
        InputError: if the backend has no such calibration, or a target is given as well.
        UnavailableError: if the provider does not answer.
    """
    if calibration == SNAPSHOT:
        return target
    if target:
        raise InputError(
            f"calibration '{calibration}' with target '{target}': the calibration names the "
            "target. Leave one of them out"
        )
    if calibration != LIVE and not calibration.endswith(SUFFIXES):
        raise InputError(f"calibration '{calibration}': write snapshot, live, or a device's file")
    if calibration != LIVE:
        return target_beside(calibration, folder)
    try:
        return live_target(backend)
    except UnavailableError:
        raise
    except BackendError as error:
        raise InputError(str(error)) from error


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
    match = IN_A_BACKEND.fullmatch(text)
    if match is None:
        return text
    return f"{match['family']}:{_read(folder / match['file'])}{match['rest'] or ''}"


def _read(file: Path) -> str:
    # Without devices, their readers are not imported.

    return read_device(file)
