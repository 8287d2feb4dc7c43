"""Which values pairs of qubits can have together, for circuits of any size.

For each pair of qubits the set of its patterns in the basis states that a state may have: an
over-approximation, kept in time linear in the number of qubits and controls for each gate.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate, Instruction

from compiler.circuits.matrices import Bits

DIAGONAL = frozenset(
    {"z", "s", "sdg", "t", "tdg", "p", "u1", "rz", "rzz", "barrier", "id", "delay"}
)
FLIPPING = frozenset({"x", "y"})


class Patterns:
    """The patterns that pairs of qubits can have, at the start those of |0…0⟩.

    Attributes:
        pairs: shape (qubits, qubits, 2, 2); at [a, b, x, y] whether a can be x while b is y. At
            [a, a] are the values of a.
    """

    def __init__(self, qubits: int) -> None:
        self.pairs: Bits = np.zeros((qubits, qubits, 2, 2), dtype=bool)
        self.pairs[:, :, 0, 0] = True

    def may_be(self, qubit: int, value: int) -> bool:
        """Tell whether a qubit can have a value."""
        return bool(self.pairs[qubit, qubit, value, value])

    def implies(self, first: int, second: int) -> bool:
        """Tell whether the second qubit is 1 wherever the first one is."""
        return not self.pairs[first, second, 1, 0]

    def may_all_be_one(self, qubits: Sequence[int]) -> bool:
        """Tell whether no two of some qubits exclude each other."""
        return bool(self.pairs[np.ix_(qubits, qubits)][:, :, 1, 1].all())

    def flip(self, qubit: int) -> None:
        """Apply an X."""
        self.pairs[qubit] = self.pairs[qubit, :, ::-1].copy()
        self.pairs[:, qubit] = self.pairs[:, qubit, :, ::-1].copy()

    def swap(self, first: int, second: int) -> None:
        """Let two qubits change places."""
        order = np.arange(len(self.pairs))
        order[[first, second]] = second, first
        self.pairs = self.pairs[np.ix_(order, order)]

    def change(self, controls: Sequence[int], target: int, flips: bool) -> None:
        """Flip a qubit, or change it in some way, where all controls are 1."""
        pairs, old = self.pairs, self.pairs[:, target]
        fires: Bits = np.ones_like(old)
        idle: Bits = np.zeros_like(old)
        for control in controls:
            others, own = pairs[:, control], pairs[target, control]
            fires &= others[:, :, None, 1] & own[None, None, :, 1]
            idle |= others[:, :, None, 0] & own[None, None, :, 0]
        fires &= old & self.may_all_be_one(controls)
        turned: Bits = np.flip(fires, axis=2)
        new: Bits = np.logical_or(old & idle, turned if flips else turned | fires)
        values = np.logical_or(*new[target])
        pairs[:, target] = new
        pairs[target] = new.transpose(0, 2, 1)
        pairs[target, target] = np.diag(values)

    def forget(self, qubits: Iterable[int]) -> None:
        """Let something unknown happen to some qubits."""
        for qubit in qubits:
            self.change([], qubit, flips=False)

    def apply(self, gate: Instruction, qubits: Sequence[int]) -> None:
        """Apply a gate of any kind; what is not understood may do anything to its qubits."""
        if gate.name in DIAGONAL:
            return
        if gate.name == "swap":
            self.swap(*qubits)
        elif isinstance(gate, ControlledGate):
            self._apply_controlled(gate, qubits)
        elif len(qubits) == 1:
            self.change((), qubits[0], flips=gate.name in FLIPPING)
        elif gate.definition is not None:
            self.play(gate.definition, qubits)
        else:
            for qubit in qubits:
                self.change((), qubit, flips=False)

    def play(self, circuit: QuantumCircuit, places: Sequence[int]) -> None:
        """Apply a circuit, its qubit q on `places[q]`."""
        index = {qubit: places[i] for i, qubit in enumerate(circuit.qubits)}
        for item in circuit.data:
            self.apply(item.operation, [index[qubit] for qubit in item.qubits])

    def _apply_controlled(self, gate: ControlledGate, qubits: Sequence[int]) -> None:
        controls, targets = qubits[: gate.num_ctrl_qubits], qubits[gate.num_ctrl_qubits :]
        closed = zero_controls(gate, qubits)
        for qubit in closed:
            self.flip(qubit)
        if gate.base_gate.name == "swap":
            first, second = targets
            self.change([second], first, flips=True)
            self.change([*controls, first], second, flips=True)
            self.change([second], first, flips=True)
        elif gate.base_gate.name not in DIAGONAL:
            for target in targets:
                self.change(controls, target, gate.base_gate.name in FLIPPING)
        for qubit in closed:
            self.flip(qubit)


def zero_controls(gate: ControlledGate, qubits: Sequence[int]) -> list[int]:
    """Return the controls that must be 0 for a gate to act."""
    controls = qubits[: gate.num_ctrl_qubits]
    return [qubit for i, qubit in enumerate(controls) if not gate.ctrl_state >> i & 1]
