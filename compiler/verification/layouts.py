"""Native circuits taken back from the target's qubits to the program's."""

from collections.abc import Sequence

from qiskit import QuantumCircuit

from compiler.dynamic.pieces import of_items
from compiler.errors import VerificationError
from compiler.lowering.draft import Draft
from compiler.measurement import final_measurements


def require_places(layout: Sequence[int], program: QuantumCircuit, native: QuantumCircuit) -> None:
    """Check that a layout gives every program qubit a physical qubit of its own.

    Raises:
        VerificationError: if it does not.
    """
    places = set(layout) & set(range(native.num_qubits))
    if not len(layout) == len(places) == program.num_qubits:
        raise VerificationError(f"layout {tuple(layout)} does not place every qubit once")


def undo_layout(lowered: Draft) -> QuantumCircuit:
    """Return a native circuit on the program's qubits and those others that gates touch.

    Args:
        lowered: on the target's qubits; final measurements and barriers are left out, and swaps
            bring every qubit from its final to its initial place.

    Returns:
        A circuit whose qubit i is program qubit i, first and last; others follow, which a
        right circuit takes from |0⟩ to |0⟩.

    Raises:
        StateTooLargeError: if the circuit measures, resets or branches before its end.
    """
    gates, _ = final_measurements(lowered.circuit)
    index = {qubit: i for i, qubit in enumerate(gates.qubits)}
    items = [item for item in gates.data if item.name != "barrier"]
    touched = (index[qubit] for item in items for qubit in item.qubits)
    physical = list(dict.fromkeys((*lowered.initial_layout, *touched, *lowered.final_layout)))
    place = {qubit: i for i, qubit in enumerate(physical)}
    circuit = QuantumCircuit(len(physical), name=lowered.circuit.name)
    qubits = circuit.qubits
    circuit = of_items(
        (item.replace(qubits=[qubits[place[index[q]]] for q in item.qubits]) for item in items),
        circuit,
    )
    for qubit, at_end in enumerate(lowered.final_layout):
        source = place[at_end]
        if source != qubit:
            circuit.swap(qubit, source)
            place = {p: source if i == qubit else i for p, i in place.items()} | {at_end: qubit}
    return circuit
