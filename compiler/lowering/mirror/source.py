"""The circuits that routers start from, and drafts of their results.

Circuits with unbound parameters for routers that multiply matrices.

Routers look at a circuit at random values, where gates commute if and only if they commute for all
values (with probability 1). Their result, a sequence of gates and swaps, is written with the
gates' own parameters.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache

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
from compiler.dynamic.pieces import of_items
from compiler.errors import TargetError
from compiler.formats.parameter_values import bound, random_values
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.figures import figures
from compiler.lowering.mirror.collapse import collapse
from compiler.lowering.mirror.unitaries import (
    SWAP,
    WINDOW,
    Realised,
    Unitaries,
    as_circuit,
    merged,
    realise,
    unitaries_of,
)
from compiler.lowering.native import translated
from compiler.lowering.pipeline import best
from compiler.lowering.placement import placement
from compiler.lowering.qiskit_level_3 import after, if_all_coupled
from compiler.targets import is_coupled
from compiler.targets.resonator import without_resonator

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


MANY = 128
"""Blocks beyond which they are routed, and not the gates that they are made of."""
MAX_TARGETS = 8
"""Size of the cache of targets."""
SAVING = 1
"""CX that a merger has to save where gates are counted."""


@frozen(eq=False)
class Routed:
    """A sequence of gates and swaps.

    Args:
        source: whose gates they are.
        steps: shape (n, 3), as `realise` takes them.
        start: shape (wires,), the qubit that each logical wire starts on.
    """

    source: "Source"
    steps: Integers
    start: Integers

    @cached_property
    def cost(self) -> int:
        """The CX that it comes to."""
        return int(self._collapsed()[2].sum())

    @cached_property
    def depth(self) -> int:
        """The depth that counts only those CX."""
        wires, _, costs = self._collapsed()
        layers: dict[int, int] = {}
        for (a, b), cost in zip(wires.tolist(), costs.tolist(), strict=True):
            layers[a] = layers[b] = max(layers.get(a, 0), layers.get(b, 0)) + cost
        return max(layers.values(), default=0)

    @property
    def swaps(self) -> int:
        """The swaps between its gates."""
        return int((self.steps[:, 0] == SWAP).sum())

    def written(self, target: Target, *, late: bool = False) -> Draft:
        """Return it in the target's native gates; see `as_circuit` for `late`."""
        source = self.source
        if source.parametrised is not None:
            lowered = source.parametrised.written(source.gates.wires, self._realised, target)
            return after(source.draft, lowered)
        _, _, initial, final = self._realised(source.gates.unitaries)
        wires, unitaries, _ = self._collapsed()
        ends = np.tile(np.eye(2, dtype=np.complex128), (target.num_qubits, 1, 1))
        ends[final] = source.gates.ends
        circuit = as_circuit(Unitaries(wires, unitaries, ends), target.num_qubits, late=late)
        lowered = Draft(translated(circuit, target), tuple(initial.tolist()), tuple(final.tolist()))
        return after(source.draft, lowered)

    def _collapsed(self) -> tuple[Integers, Matrix, Integers]:
        """Return wires, unitaries and CX of its gates and swaps, merged."""
        wires, unitaries, _, _ = self._realised(self.source.gates.unitaries)
        return collapse(wires, unitaries, WINDOW, SAVING)

    def _realised(self, unitaries: Matrix) -> Realised:
        fixed = self.source.start is not None
        return realise(self.steps, self.start, unitaries, self.source.gates.wires, fixed)


@frozen(eq=False)
class Source:
    """An optimised logical circuit that is to be routed.

    Args:
        draft: the circuit before routing.
        gates: the same as arrays.
        start: shape (wires,), the target's qubit that each wire has to start on; None if that
            is free.
        parametrised: the circuit that the arrays are of at random values, if it has parameters.
    """

    draft: Draft
    gates: Unitaries
    start: Integers | None
    parametrised: Parametrised | None = None

    @classmethod
    def of(cls, draft: Draft, setting: Setting) -> "Source":
        """Optimise a draft as if every pair of qubits were coupled."""
        logical = if_all_coupled(draft, setting, "cx")
        return cls._merged(logical, SAVING, setting)

    @classmethod
    def in_blocks(cls, draft: Draft, setting: Setting) -> "Source":
        """Multiply all gates that can be brought together in a draft, also where that saves no CX.

        There are fewer gates to route then, and more of them commute: rotations exp(iθ Z⊗Z) do,
        where two CX about a rotation do not.

        Swaps become new names. Nothing else simplifies the circuit, unless it has gates on more
        than two qubits.

        Args:
            draft: to be routed.
            setting: with the places where wires have to start.
        """
        if any(len(item.qubits) > 2 and item.name != "barrier" for item in draft.circuit.data):
            draft = if_all_coupled(draft, setting, "cx")
        draft = after(draft, without_swaps(draft.circuit))
        return cls._merged(draft, 0, setting)

    @classmethod
    def _merged(cls, draft: Draft, saving: int, setting: Setting) -> "Source":
        start = setting.start_of(draft)
        fixed = None if start is None else np.array(start, np.int32)
        if draft.circuit.parameters:
            source = Parametrised.of(draft.circuit)
            return cls(draft, source.unitaries, fixed, source)
        return cls(draft, merged(unitaries_of(draft.circuit), saving), fixed)


def without_swaps(circuit: QuantumCircuit) -> Draft:
    """Return a circuit whose swaps are a permutation of its qubits at the end."""
    wires = circuit.qubits
    held = {wire: wire for wire in wires}
    items = []
    for item in circuit.data:
        if item.name == "swap":
            a, b = item.qubits
            held[a], held[b] = held[b], held[a]
        else:
            items.append(item.replace(qubits=[held[wire] for wire in item.qubits]))
    index = {wire: place for place, wire in enumerate(wires)}
    final = tuple(index[held[wire]] for wire in wires)
    return Draft(of_items(items, circuit), tuple(range(len(wires))), final)


def best_written(routes: Iterable[Routed], setting: Setting) -> Draft:
    """Return the best draft by the setting's objective among some routed circuits.

    Where errors decide, each is compared in the best place on the device.
    """
    drafts = (routed.written(setting.target, late=setting.any_input) for routed in routes)
    if setting.objective == "expected_fidelity":
        drafts = (placement.run(draft, setting) for draft in drafts)
    return best_of(drafts, setting)


def best_of(drafts: Iterable[Draft], setting: Setting) -> Draft:
    """Return the best draft by the setting's objective, of as good ones the first."""
    candidates = list(drafts)
    if len(candidates) == 1:
        return candidates[0]
    counted = [(each, figures(each.circuit, setting.target)) for each in candidates]
    return best(counted, setting.objective)


@lru_cache(MAX_TARGETS)
def largest_component(target: Target, wires: int) -> tuple[Integers, Integers]:
    """Return the largest connected part of a target.

    Args:
        target: not fully coupled.
        wires: how many qubits are needed.

    Returns:
        Its qubits in rising order, and its edges, shape (n, 2), each in one direction, as
        indices of these.

    Raises:
        TargetError: if it has fewer qubits than needed.
    """
    parts = target.build_coupling_map().connected_components()
    largest = max(parts, key=lambda part: part.size())
    if largest.size() < wires:
        raise TargetError(
            f"{wires} qubits do not fit on {largest.size()} connected ones; use a larger target"
        )
    order = np.argsort(np.array(largest.graph.nodes(), np.int32))
    qubits = np.array(largest.graph.nodes(), np.int32)[order]
    rank = np.argsort(order)
    edges = {tuple(sorted((int(rank[a]), int(rank[b])))) for a, b in largest.get_edges()}
    return qubits, np.array(sorted(edges), np.int32)


def coupled(target: Target) -> bool:
    """Return whether a target has a coupling map of qubits."""
    return is_coupled(target) and without_resonator(target)
