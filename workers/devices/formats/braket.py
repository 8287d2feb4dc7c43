"""Amazon Braket's file of a device: its capabilities, with the calibration in them.

`AwsDevice(arn).properties.json()` writes them, and `aws braket get-device` prints them as a text
beside the device's name.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from compiler.targets.device import GATES, NAME, Device, Placed
from workers.devices.capabilities import Capabilities
from workers.devices.connected import connected_most
from workers.devices.device_format import SourceFile, device_format
from workers.devices.document import Document
from workers.devices.misfit import MisfitError

AS_TEXT = "deviceCapabilities"
SCHEMAS = "braket.device_schema."

NATIVE: Mapping[str, str] = {
    "cz": "cz", "iswap": "iswap", "xx": "rxx", "zz": "rzz",
    "prx": "r", "gpi": "r", "gpi2": "r", "rx": "rx", "rz": "rz",
}  # fmt: skip
"""What Qiskit calls Braket's native gates; those on two qubits are the same in both directions.

GPi(φ) and GPi2(φ) are R(π, φ) and R(π/2, φ) up to a phase.
"""

NATIVE_OF_RIGETTI: Mapping[str, str] = {**NATIVE, "rx": "sx"}
"""Rigetti's RX turns by multiples of π/2 only."""

FRAME = "rz"
"""No pulse, where turns about other axes are pulses: without error, in no time."""

Places = dict[tuple[int, ...], Placed]


def is_capabilities(said: Mapping[str, Any]) -> bool:
    """Tell whether a document is what Braket says of a device."""
    return AS_TEXT in said or _schema(Document(said)).startswith(SCHEMAS)


@device_format("braket", is_capabilities)
def device_from_braket(file: SourceFile, name: str) -> Device:
    """Return the device that Braket's capabilities describe.

    Qubits are numbered from 0, which is the lowest label; labels that there are not are qubits
    without a gate. Where fidelities of pairs are told, pairs without one, or with one of 0, are
    left out, and with them what they alone connect to the largest part.

    Args:
        file: the capabilities, or what `aws braket get-device` prints.
        name: if the file tells none.

    Raises:
        MisfitError: saying what is wrong.
    """
    document = _capabilities(file.content)
    told = Capabilities.of(document)
    gates = _gates(document, told)
    pairs = connected_most(at for there in gates.values() for at in there if len(at) == 2)
    if not pairs:
        raise document.misfit(
            ("paradigm", "nativeGateSet"),
            "no native gate on two qubits that is known has a fidelity above 0; known: "
            + ", ".join(NATIVE),
        )
    placed = {
        gate: tuple(one for at, one in sorted(there.items()) if len(at) == 1 or at in pairs)
        for gate, there in gates.items()
    }
    placed["measure"] = tuple(told.measurement(qubit) for qubit in sorted(told.labels))
    given = str(file.content.get("deviceName") or name)
    return Device(
        given if NAME.fullmatch(given) else name,
        tuple(told.qubit(qubit) for qubit in range(1 + max(told.labels))),
        {gate: there for gate, there in placed.items() if there},
    )


def _capabilities(said: Mapping[str, Any]) -> Document:
    if AS_TEXT not in said:
        return Document(said)
    try:
        inner = json.loads(said[AS_TEXT])
    except (TypeError, ValueError, RecursionError) as error:
        raise MisfitError((AS_TEXT,), f"{AS_TEXT} must be JSON in a text: {error}") from error
    if not isinstance(inner, dict):
        raise MisfitError((AS_TEXT,), f"{AS_TEXT} must be an object in a text")
    return Document(inner, inside=(AS_TEXT,))


def _schema(document: Document) -> str:
    return str(document.at(("braketSchemaHeader", "name")))


def _gates(document: Document, told: Capabilities) -> dict[str, Places]:
    """Return the native gates that are known, by where they are."""
    is_rigetti = _schema(document).startswith(f"{SCHEMAS}rigetti.")
    names = NATIVE_OF_RIGETTI if is_rigetti else NATIVE
    found: dict[str, Places] = {}
    for native in document.texts(("paradigm", "nativeGateSet")):
        gate = names.get(native.lower())
        if gate is not None:
            found[gate] = {one.qubits: one for one in _placed(gate, native, told)}
    return found


def _placed(gate: str, native: str, told: Capabilities) -> Iterator[Placed]:
    if gate == FRAME:
        yield from (Placed((qubit,), 0.0, 0.0) for qubit in told.labels)
    elif GATES[gate].num_qubits == 1:
        yield from map(told.on_one, told.labels)
    else:
        for one in told.on_pairs(native):
            yield from (one, Placed(one.qubits[::-1], one.error, one.duration_ns))
