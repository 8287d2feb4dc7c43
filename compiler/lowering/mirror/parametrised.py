"""Circuits with unbound parameters for routers that multiply matrices.

Routers look at a circuit at random values, where gates commute if and only if they commute for all
values (with probability 1). Their result, a sequence of gates and swaps, is written with the
gates' own parameters.
"""

from collections.abc import Callable, Sequence

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Gate
from qiskit.circuit.library import CXGate, UnitaryGate, get_standard_gate_name_mapping
from qiskit.quantum_info import Operator
from qiskit.transpiler import PassManager, Target
from qiskit.transpiler.passes import InverseCancellation

from compiler.circuits.gate_basis import in_basis
from compiler.circuits.matrices import Integers, Matrix
from compiler.formats.parameter_values import bound, random_values
from compiler.lowering.draft import Draft
from compiler.lowering.mirror.unitaries import (
    Realised,
    Unitaries,
    unitaries_of,
)
from compiler.lowering.native import translated

SEED = 2
"""Of the random values; a proof takes others."""
BASIS = [
    "cx",
    *(
        name
        for name, gate in get_standard_gate_name_mapping().items()
        if isinstance(gate, Gate) and gate.num_qubits == 1
    ),
]
REWRITTEN = 3
"""Qiskit's optimisation level that writes blocks without parameters anew."""

Item = tuple[Gate, tuple[int, ...]]
"""A gate and the wires that it acts on."""


@frozen(eq=False)
class _Block:
    """Gates on two wires, the first and the last of them a CX.

    Args:
        items: its gates.
        before: for both wires, how many gates on that wire alone come before it.
    """

    items: list[Item]
    before: dict[int, int]


@frozen(eq=False)
class Parametrised:
    """A circuit as blocks on two wires, and the gates between them.

    Args:
        circuit: CX and gates on one qubit.
        blocks: in an order in which they can be applied.
        alone: by wire, its gates that are in no block.
    """

    circuit: QuantumCircuit
    blocks: Sequence[_Block]
    alone: Sequence[list[Gate]]

    @classmethod
    def of(cls, circuit: QuantumCircuit) -> "Parametrised":
        """Take a circuit of gates apart; barriers are dropped."""
        plain = in_basis(circuit, BASIS)
        blocks: list[_Block] = []
        last: dict[int, _Block] = {}
        alone: list[list[Gate]] = [[] for _ in plain.qubits]
        waiting: list[list[Item]] = [[] for _ in plain.qubits]

        def release(wire: int) -> None:
            alone[wire] += [gate for gate, _ in waiting[wire]]
            waiting[wire] = []

        for item in plain.data:
            wires = tuple(plain.find_bit(qubit).index for qubit in item.qubits)
            if item.name == "barrier":
                for wire in wires:
                    last.pop(wire, None)
            elif len(wires) == 1:
                waiting[wires[0]].append((item.operation, wires))
            else:
                block = last.get(wires[0])
                if block is None or block is not last.get(wires[1]):
                    for wire in wires:
                        release(wire)
                    block = _Block([], {wire: len(alone[wire]) for wire in wires})
                    blocks.append(block)
                    last.update(dict.fromkeys(wires, block))
                for wire in wires:
                    block.items.extend(waiting[wire])
                    waiting[wire] = []
                block.items.append((item.operation, wires))
        for wire in range(plain.num_qubits):
            release(wire)
        return cls(plain, blocks, alone)

    @property
    def unitaries(self) -> Unitaries:
        """The blocks' unitaries at random values, all gates between them pushed to the end."""
        writer = _Writer(self, QuantumCircuit(len(self.alone)))
        for block in self.blocks:
            wires = tuple(block.before)
            writer.turn(block, dict(zip(wires, wires, strict=True)))
            inside = QuantumCircuit(2)
            for gate, on in block.items:
                inside.append(gate, [wires.index(wire) for wire in on])
            writer.circuit.append(_gate_of(inside), wires)
        writer.finish(range(len(self.alone)))
        return unitaries_of(bound(writer.circuit, random_values(self.circuit, SEED), strict=False))

    def written(
        self, wires: Integers, realise: Callable[[Matrix], Realised], target: Target
    ) -> Draft:
        """Return blocks and swaps in a target's native gates.

        Args:
            wires: shape (blocks, 2), of each block as of its unitary.
            realise: writes a sequence of them as matrices on the target's qubits, given the
                matrices of the blocks.
            target: whose gates are wanted.
        """
        count = len(self.blocks)
        # Markers instead of matrices say which block each is, and which are swaps.
        markers = np.arange(2, count + 2, dtype=np.complex128)[:, None, None] * np.ones(
            (4, 4), np.complex128
        )
        places, matrices, initial, final = realise(markers)
        writer = _Writer(self, QuantumCircuit(target.num_qubits))
        steps = [(int(m[0, 0].real) - 2, bool(m[2, 1])) for m in matrices]
        for (number, full), pair in zip(steps, places.tolist(), strict=True):
            if number >= 0:
                writer.apply(
                    self.blocks[number], dict(zip(wires[number].tolist(), pair, strict=True))
                )
            else:
                writer.swap(pair[0], pair[1], full=full)
        writer.finish(final.tolist())
        cancelled = PassManager([InverseCancellation([CXGate()])]).run(writer.circuit)
        native = translated(cancelled, target, REWRITTEN)
        return Draft(native, tuple(initial.tolist()), tuple(final.tolist()))


def _gate_of(inside: QuantumCircuit) -> Gate:
    return inside.to_gate() if inside.parameters else UnitaryGate(Operator(inside))


class _Writer:
    """Writes blocks where they are routed, with the gates between them."""

    def __init__(self, source: Parametrised, circuit: QuantumCircuit) -> None:
        self.circuit = circuit
        self._source, self._done = source, [0] * len(source.alone)
        circuit.global_phase = source.circuit.global_phase

    def turn(self, block: _Block, place_of: dict[int, int]) -> None:
        """Apply the gates on one wire that come before a block."""
        for wire, place in place_of.items():
            self._turn(wire, place, block.before[wire])

    def apply(self, block: _Block, place_of: dict[int, int]) -> None:
        self.turn(block, place_of)
        for gate, wires in block.items:
            self.circuit.append(gate, [place_of[wire] for wire in wires])

    def swap(self, source: int, target: int, *, full: bool) -> None:
        """Swap two places, at first by the CX that cancels one before; half if one is |0⟩."""
        a, b = source, target
        if full and self._ends_with_cx(b, a):
            a, b = b, a
        self.circuit.cx(a, b)
        self.circuit.cx(b, a)
        if full:
            self.circuit.cx(a, b)

    def finish(self, final: Sequence[int]) -> None:
        for wire, place in enumerate(final):
            self._turn(wire, place, len(self._source.alone[wire]))

    def _turn(self, wire: int, place: int, until: int) -> None:
        """Apply the gates of a wire up to one, or take those that come later back."""
        gates, done = self._source.alone[wire], self._done[wire]
        later = [gate.inverse() for gate in reversed(gates[until:done])]
        for gate in gates[done:until] or later:
            self.circuit.append(gate, [place])
        self._done[wire] = until

    def _ends_with_cx(self, control: int, target: int) -> bool:
        """Return whether the last gate on either of two places is a CX between them."""
        pair = {self.circuit.qubits[control], self.circuit.qubits[target]}
        last: CircuitInstruction | None = next(
            (item for item in reversed(self.circuit.data) if pair & set(item.qubits)), None
        )
        return last is not None and list(last.qubits) == [
            self.circuit.qubits[control],
            self.circuit.qubits[target],
        ]
