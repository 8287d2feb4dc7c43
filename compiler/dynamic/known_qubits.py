"""Which qubits are in |0⟩ on every path of a circuit that measures on the way."""

from collections.abc import Collection, Mapping, Sequence

from attrs import define, field
from qiskit.circuit import Clbit
from qiskit.circuit.library import XGate

from compiler.dynamic.pieces import Branch, Event, Segment


@define
class KnownQubits:
    """What is known of qubits, whatever has been measured.

    Args:
        zero: those that are |0⟩, and so entangled with nothing.
        held: for qubits that nothing has happened to since they were measured, the classical bit
            that still says what they are.
    """

    zero: set[int]
    held: dict[int, int] = field(factory=dict)

    def copy(self) -> "KnownQubits":
        """Return the same, to be changed independently."""
        return KnownQubits(set(self.zero), dict(self.held))

    def change(self, qubits: Collection[int]) -> None:
        """Note that gates act on some qubits."""
        self.zero.difference_update(qubits)
        self.held = {q: clbit for q, clbit in self.held.items() if q not in qubits}

    def happen(self, event: Event) -> None:
        """Note a reset, after which a qubit is |0⟩, or a measurement."""
        self.held = {q: clbit for q, clbit in self.held.items() if clbit != event.clbit}
        self.held.pop(event.qubit, None)
        if event.clbit is None:
            self.zero.add(event.qubit)
        else:
            self.held[event.qubit] = event.clbit

    def branch(
        self, branch: Branch, after: Sequence["KnownQubits"], clbits: Sequence[Clbit]
    ) -> None:
        """Note a branch: what holds after every body, and where none was run, holds after it.

        Where its X takes a measured 1 back to 0, the qubit is |0⟩, too.

        Args:
            branch: what was run.
            after: what is known after each body.
            clbits: all classical bits.
        """
        cleared = _cleared(branch, {clbits[bit]: q for q, bit in self.held.items()})
        for body in after:
            self.zero &= body.zero
            self.held = {q: bit for q, bit in self.held.items() if body.held.get(q) == bit}
        self.zero |= cleared


def _cleared(branch: Branch, holders: Mapping[Clbit, int]) -> set[int]:
    """Return the qubit that a branch flips just where its own bit says that it is 1."""
    reads = branch.choice.reads
    if len(reads) != 1 or reads[0] not in holders:
        return set()
    where_one, where_zero = (branch.choice.body({reads[0]: value}) for value in (True, False))
    if where_one is None or (where_zero is not None and branch.bodies[where_zero]):
        return set()
    match branch.bodies[where_one]:
        case (Segment(circuit),) if len(circuit.data) == 1:
            (item,) = circuit.data
            if getattr(item.operation, "base_class", None) is XGate:
                return {circuit.find_bit(item.qubits[0]).index} & {holders[reads[0]]}
    return set()
