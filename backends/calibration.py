"""Instructions of a circuit, and their errors by a device's calibration."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from backends.devices.device_format import Read, SourceFile
from backends.devices.misfit import MisfitError
from compiler.scores.run_comparison import READOUT, CalibratedError

Use = tuple[str, tuple[int, ...]]
"""A gate's name, or `readout`, and its qubits, in order."""


def uses_of(circuit: QuantumCircuit) -> Counter[Use]:
    """Return the number of each instruction on each set of qubits; branches count, too.

    Both directions of a coupler are one.
    """
    return _uses(circuit, {qubit: place for place, qubit in enumerate(circuit.qubits)})


def target_errors(target: Target) -> Mapping[Use, float]:
    """Return the errors of gates and readouts that a target tells.

    Both directions of a coupler are one, with the larger error.
    """
    result: dict[Use, float] = {}
    for name in target.operation_names:
        for on, properties in target[name].items():
            if on is not None and properties is not None and properties.error is not None:
                use = (READOUT if name == "measure" else name, tuple(sorted(on)))
                result[use] = max(properties.error, result.get(use, 0.0))
    return result


def device_errors(read: Read, file: SourceFile, name: str) -> Mapping[Use, float]:
    """Return the errors in a provider's description of a device, none if its form is unknown.

    Args:
        read: reads the description.
        file: the description.
        name: of the device.
    """
    try:
        return target_errors(read(file, name).target())
    except MisfitError:
        return {}


def errors_met(errors: Mapping[Use, float], circuit: QuantumCircuit) -> tuple[CalibratedError, ...]:
    """Return the errors of all that a circuit does, as far as a calibration tells them.

    Args:
        errors: probability that something goes wrong once.
        circuit: on the device's qubits.
    """
    return tuple(
        CalibratedError(what, on, errors[what, on], often)
        for (what, on), often in sorted(uses_of(circuit).items())
        if errors.get((what, on), 0) > 0
    )


def _uses(circuit: QuantumCircuit, places: Mapping[Any, int]) -> Counter[Use]:
    result: Counter[Use] = Counter()
    for item in circuit.data:
        on = tuple(places[qubit] for qubit in item.qubits)
        blocks = getattr(item.operation, "blocks", ())
        for block in blocks:
            result += _uses(block, dict(zip(block.qubits, on, strict=True)))
        if not blocks and item.operation.name != "barrier":
            what = READOUT if item.operation.name == "measure" else item.operation.name
            result[what, tuple(sorted(on))] += 1
    return result
