"""The errors that IBM tells of what a circuit does, out of a device's properties."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from qiskit import QuantumCircuit

from compiler.scores.calibration_change import READOUT, CalibratedError

Use = tuple[str, tuple[int, ...]]


def uses_of(circuit: QuantumCircuit) -> Counter[Use]:
    """Return how often a circuit does what, on which qubits; what is in branches counts, too.

    Both directions of a coupler are one.
    """
    return _uses(circuit, {qubit: place for place, qubit in enumerate(circuit.qubits)})


def calibrated_errors(properties: Any, circuit: QuantumCircuit) -> tuple[CalibratedError, ...]:
    """Return the errors of all that a circuit does, as far as properties tell them.

    Args:
        properties: of the device, as IBM's interface sends them; anything may be in there.
        circuit: on the device's qubits.
    """
    told = dict(_told(properties))
    return tuple(
        CalibratedError(what, on, told[what, on], often)
        for (what, on), often in sorted(uses_of(circuit).items())
        if told.get((what, on), 0) > 0
    )


def _uses(circuit: QuantumCircuit, places: Mapping[Any, int]) -> Counter[Use]:
    found: Counter[Use] = Counter()
    for item in circuit.data:
        on = tuple(places[qubit] for qubit in item.qubits)
        blocks = getattr(item.operation, "blocks", ())
        for block in blocks:
            found += _uses(block, dict(zip(block.qubits, on, strict=True)))
        if not blocks and item.operation.name != "barrier":
            what = READOUT if item.operation.name == "measure" else item.operation.name
            found[what, tuple(sorted(on))] += 1
    return found


def _told(properties: Any) -> Iterator[tuple[Use, float]]:
    for place, qubit in enumerate(_list(properties, "qubits")):
        for one in qubit if isinstance(qubit, list) else []:
            if (error := _error(one, "readout_error")) is not None:
                yield (READOUT, (place,)), error
    for gate in _list(properties, "gates"):
        name, on = _value(gate, "gate"), _list(gate, "qubits")
        if not isinstance(name, str) or not all(type(qubit) is int for qubit in on):
            continue
        for one in _list(gate, "parameters"):
            if (error := _error(one, "gate_error")) is not None:
                yield (name, tuple(sorted(on))), error


def _error(told: Any, name: str) -> float | None:
    value = _value(told, "value")
    is_one = _value(told, "name") == name and type(value) in (int, float)
    return float(value) if is_one and 0 <= value <= 1 else None


def _list(told: Any, key: str) -> list[Any]:
    found = _value(told, key)
    return found if isinstance(found, list) else []


def _value(told: Any, key: str) -> Any:
    return told.get(key) if isinstance(told, dict) else None
