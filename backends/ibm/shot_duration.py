"""How long one shot of a circuit takes on a device."""

from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Qubit
from qiskit.transpiler import Target


def duration_seconds(circuit: QuantumCircuit, target: Target) -> float:
    """Return the seconds from a circuit's first gate to its last, each as early as it can be.

    Of the branches of a control flow operation the longest counts, and a loop's body once.
    Operations without a known duration take none.
    """
    qubits = {qubit: index for index, qubit in enumerate(circuit.qubits)}
    return _duration(circuit, qubits, target)


def _duration(circuit: QuantumCircuit, places: dict[Qubit, int], target: Target) -> float:
    ends: dict[Qubit | object, float] = {}
    for item in circuit.data:
        wires = (*item.qubits, *item.clbits)
        end = max((ends.get(wire, 0.0) for wire in wires), default=0.0)
        end += _seconds(item, places, target)
        ends.update(dict.fromkeys(wires, end))
    return max(ends.values(), default=0.0)


def _seconds(item: CircuitInstruction, places: dict[Qubit, int], target: Target) -> float:
    blocks: tuple[QuantumCircuit, ...] = getattr(item.operation, "blocks", ())
    if blocks:
        inner = [places[qubit] for qubit in item.qubits]
        return max(
            _duration(block, dict(zip(block.qubits, inner, strict=True)), target)
            for block in blocks
        )
    properties = target.get(item.operation.name)
    entry = (properties or {}).get(tuple(places[qubit] for qubit in item.qubits))
    return (entry.duration or 0.0) if entry else 0.0
