"""Native circuits that reset qubits to use them again, with a qubit for each stretch.

A reset throws away a qubit and begins with |0⟩, so that no classical bit notices if every stretch
between two resets has a qubit of its own.
"""

from collections.abc import Sequence

from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import Barrier, CircuitInstruction, Reset

from compiler.errors import VerificationError
from compiler.lowering.draft import Draft


def has_resets(circuit: QuantumCircuit) -> bool:
    """Return whether a circuit resets a qubit, outside of branches."""
    return any(
        not item.is_standard_gate() and isinstance(item.operation, Reset) for item in circuit.data
    )


def by_stretches(lowered: Draft) -> Draft:
    """Return a circuit without its resets, on a qubit for each stretch between two of them.

    Barriers that are on all of the program's qubits that have begun and have not been reset yet,
    in their order, and then on other qubits, are on all of the program's qubits afterwards.

    Args:
        lowered: native gates, resets and measurements, and its layouts in stretches.

    Returns:
        The circuit's qubits first, then further stretches; and the layouts on these.

    Raises:
        VerificationError: if the layouts name no stretches, or one twice.
    """
    return _Apart(lowered).draft()


class _Apart:
    """The stretches of a circuit."""

    def __init__(self, lowered: Draft) -> None:
        self._lowered = lowered
        self._qubits = lowered.circuit.num_qubits
        self._present = list(range(self._qubits))
        self._numbers = {qubit: qubit for qubit in self._present}
        # What nothing happens to has a stretch of its own, which never begins.
        self._starts, self._ends = (
            [~qubit if stretch < 0 else stretch for qubit, stretch in enumerate(layout)]
            for layout in (lowered.initial_layout, lowered.final_layout)
        )

    def draft(self) -> Draft:
        """Return the circuit without resets."""
        circuit = self._lowered.circuit
        index = {qubit: place for place, qubit in enumerate(circuit.qubits)}
        items: list[tuple[CircuitInstruction, Sequence[int]]] = []
        for item in circuit.data:
            places = [index[qubit] for qubit in item.qubits]
            stretches: Sequence[int] = [self._present[place] for place in places]
            if isinstance(item.operation, Reset):
                self._present[places[0]] += self._qubits
            elif isinstance(item.operation, Barrier):
                stretches = self._across(stretches)
                items.append((item.replace(operation=Barrier(len(stretches))), stretches))
            else:
                items.append((item, [*map(self._number, stretches)]))
        initial, final = (tuple(map(self._number, each)) for each in (self._starts, self._ends))
        if min(len({*initial}), len({*final})) < len(initial):
            raise VerificationError("two of the program's qubits are in one stretch")
        result = QuantumCircuit(
            QuantumRegister(len(self._numbers), "q"), circuit.clbits, *circuit.cregs
        )
        result.global_phase = circuit.global_phase
        for item, stretches in items:
            qubits = [result.qubits[stretch] for stretch in stretches]
            result.append(item.replace(qubits=qubits))
        return Draft(result, initial, final)

    def _number(self, stretch: int) -> int:
        return self._numbers.setdefault(stretch, len(self._numbers))

    def _across(self, listed: Sequence[int]) -> list[int]:
        """Return where the program's qubits are at a barrier that lists those that are present.

        The others are where they begin or end.
        """
        where, present = list[int](), list(reversed(listed))
        for start, end in zip(self._starts, self._ends, strict=True):
            if start < 0 or start > self._present[start % self._qubits]:
                where.append(self._number(start))
            elif end < self._present[end % self._qubits]:
                where.append(self._number(end))
            elif present:
                where.append(self._number(present.pop()))
        if len(where) < len(self._starts):
            raise VerificationError("a barrier does not list the program's qubits in their order")
        return where
