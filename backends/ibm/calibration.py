"""The errors that IBM tells of a device, out of its properties."""

from collections.abc import Iterator, Mapping
from typing import Any

from backends.calibration import Use
from compiler.scores.run_comparison import READOUT


def told_errors(properties: Any) -> Mapping[Use, float]:
    """Return the errors of gates and readouts that are told.

    Args:
        properties: of the device, as IBM's interface sends them; anything may be in there.
    """
    return dict(_told(properties))


def _told(properties: Any) -> Iterator[tuple[Use, float]]:
    for place, qubit in enumerate(_list(properties, "qubits")):
        for entry in qubit if isinstance(qubit, list) else []:
            if (error := _error(entry, "readout_error")) is not None:
                yield (READOUT, (place,)), error
    for gate in _list(properties, "gates"):
        name, on = _value(gate, "gate"), _list(gate, "qubits")
        if not isinstance(name, str) or not all(type(qubit) is int for qubit in on):
            continue
        for entry in _list(gate, "parameters"):
            if (error := _error(entry, "gate_error")) is not None:
                yield (name, tuple(sorted(on))), error


def _error(entry: Any, name: str) -> float | None:
    value = _value(entry, "value")
    is_one = _value(entry, "name") == name and type(value) in (int, float)
    return float(value) if is_one and 0 <= value <= 1 else None


def _list(table: Any, key: str) -> list[Any]:
    value = _value(table, key)
    return value if isinstance(value, list) else []


def _value(table: Any, key: str) -> Any:
    return table.get(key) if isinstance(table, dict) else None
