"""Windows on three qubits, rewritten with regard to the state that reaches them.

What a window does to the support of its qubits' reduced state is fitted by templates with one
two-qubit gate less. Unlike a block's, the class of a window is not known in closed form, so this
is a search; it finds savings on full supports too, since compilers stop at two qubits.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product

import numpy as np
from attrs import evolve
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit.library import UGate
from qiskit.synthesis import OneQubitEulerDecomposer
from qiskit.transpiler import Target

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.native import translated
from compiler.lowering.passes import ALL, Pass
from compiler.lowering.reachable.reachable import Reachable, Reached
from compiler.lowering.state_peephole.blocks import Block, blocks_of, circuit_of
from compiler.lowering.state_peephole.crossings import crossings, ruled_out
from compiler.lowering.state_peephole.gates import apply_block, is_native
from compiler.lowering.state_peephole.template import fitted
from compiler.lowering.state_peephole.two_qubit import AMPLITUDES_PER_CANDIDATE, rewritten
from compiler.lowering.state_peephole.windows import Window, windows
from compiler.targets.resonator import without_resonator

Matrix = NDArray[np.complex128]
Pair = tuple[int, int]

MOST_GATES = 4_000
"""Two-qubit gates beyond which there are too many windows."""

WIDTH = 3
STARTS = 6
TEMPLATES_PER_CANDIDATE = 16
"""Templates tried for each candidate of the budget; together they take about as long as routing."""

_ANGLES = OneQubitEulerDecomposer("U")


def window_rewritten(
    circuit: QuantumCircuit, coupled: frozenset[Pair] | None, budget: int
) -> QuantumCircuit:
    """Return a circuit that prepares the same state with fewer two-qubit gates, if one is found.

    Args:
        circuit: gates and barriers; no measurements.
        coupled: pairs that may interact, each in both orders; None for all.
        budget: candidates; each allows some templates, and some amplitudes of the state.

    Returns:
        The circuit itself if nothing is gained. What is changed is written in CX, CZ and `u`.
    """
    amplitudes = AMPLITUDES_PER_CANDIDATE * budget
    search = _Search(coupled, amplitudes, TEMPLATES_PER_CANDIDATE * budget)
    while (improved := search.swept(circuit)) is not circuit:
        circuit = rewritten(improved, amplitudes)
    return circuit


class _Search:
    """Tries windows as long as its budget lasts."""

    def __init__(self, coupled: frozenset[Pair] | None, amplitudes: int, budget: int) -> None:
        self.coupled = coupled
        self.amplitudes = amplitudes
        self.budget = budget

    def swept(self, circuit: QuantumCircuit) -> QuantumCircuit:
        """Rewrite windows from the first to the last; return the circuit if there is none."""
        reached, done, changed = Reachable(self.amplitudes), [], False
        blocks = blocks_of(circuit)
        while blocks and self.budget > 0:
            cheaper = self.cheaper_start(blocks, reached)
            if cheaper is not None:
                blocks, changed = cheaper, True
            apply_block(reached, blocks[0])
            done.append(blocks.pop(0))
        return circuit_of([*done, *blocks], circuit) if changed else circuit

    def cheaper_start(self, blocks: list[Block], reached: Reached) -> list[Block] | None:
        """Return the blocks with a window that begins with the first of them made cheaper."""
        if blocks[0].matrix is None or not blocks[0].two_qubit_gates:
            return None
        for window in windows(blocks):
            cheaper = self.cheaper(window, blocks, reached.copy())
            if cheaper is not None:
                moved = {*window.before, *window.places}
                rest = [block for i, block in enumerate(blocks) if i not in moved]
                before = (blocks[place] for place in window.before)
                return [*before, *cheaper, *rest]
        return None

    def cheaper(
        self, window: Window, blocks: Sequence[Block], reached: Reached
    ) -> list[Block] | None:
        """Return blocks with a gate less in all, given what is reached before the first block."""
        for place in window.before:
            apply_block(reached, blocks[place])
        support = reached.support(window.qubits)
        inside = [blocks[place] for place in window.places]
        goal = support
        for block in inside:
            goal = _times(block, window.qubits, goal)
        count = sum(block.two_qubit_gates for block in inside)
        # Off a smaller support it may be any unitary.
        hopeless = ruled_out(goal @ support.conj().T) if support.shape[1] == 1 << WIDTH else ()
        for pairs in templates(self.edges(window.qubits), count - 1):
            self.budget -= 1
            if not crossings(pairs, WIDTH).isdisjoint(hopeless):
                continue
            gates = fitted(support, goal, pairs, starts(count - 1))
            if gates is not None:
                return [block.moved(window.qubits) for block in _built(gates, pairs)]
        return None

    def edges(self, qubits: Sequence[int]) -> tuple[Pair, ...]:
        """Return the places of coupled pairs among some qubits."""
        return tuple(
            (a, b)
            for a, b in combinations(range(len(qubits)), 2)
            if self.coupled is None or (qubits[a], qubits[b]) in self.coupled
        )


def _times(block: Block, qubits: tuple[int, ...], columns: Matrix) -> Matrix:
    """Apply a block on some of three qubits, the first of which is the lowest bit, to columns."""
    assert block.matrix is not None
    width = len(block.qubits)
    tensor = columns.reshape((2,) * WIDTH + (-1,))
    axes = [WIDTH - 1 - qubits.index(qubit) for qubit in reversed(block.qubits)]
    gate = block.matrix.reshape((2,) * (2 * width))
    moved = np.tensordot(gate, tensor, (range(width, 2 * width), axes))
    result: Matrix = np.moveaxis(moved, range(width), axes).reshape(columns.shape)
    return result


@cache
def templates(edges: tuple[Pair, ...], count: int) -> tuple[tuple[Pair, ...], ...]:
    """Return the orders of `count` CZ gates on some pairs in which none comes thrice in a row."""
    return tuple(
        pairs
        for pairs in product(edges, repeat=count)
        if all(len(set(pairs[i : i + 3])) > 1 for i in range(len(pairs) - 2))
    )


@cache
def starts(count: int) -> tuple[Matrix, ...]:
    """Return one-qubit gates to start from, for templates with `count` CZ gates."""
    random = np.random.default_rng(count)
    shape = (STARTS, 2 * count + WIDTH, 2, 2)
    unitaries, _ = np.linalg.qr(random.normal(size=shape) + 1j * random.normal(size=shape))
    return tuple(np.ascontiguousarray(start) for start in unitaries)


def _built(gates: Matrix, pairs: Sequence[Pair]) -> list[Block]:
    circuit, places = QuantumCircuit(WIDTH), iter(gates)
    for pair in pairs:
        for qubit in pair:
            circuit.append(_one_qubit(next(places)), [qubit])
        circuit.cz(*pair)
    for qubit in range(WIDTH):
        circuit.append(_one_qubit(next(places)), [qubit])
    return blocks_of(circuit)


def _one_qubit(matrix: Matrix) -> UGate:
    return UGate(*_ANGLES.angles(matrix))


def _run(draft: Draft, setting: Setting) -> Draft:
    if draft.circuit.num_nonlocal_gates() > MOST_GATES:
        return draft
    native = is_native(draft.circuit, setting.target)
    coupled = _coupled(draft.circuit, setting.target, native)
    found = window_rewritten(draft.circuit, coupled, setting.budget)
    if found is draft.circuit:
        return draft
    return evolve(draft, circuit=translated(found, setting.target) if native else found)


def _coupled(circuit: QuantumCircuit, target: Target, native: bool) -> frozenset[Pair] | None:
    """Return the pairs that may interact without undoing a routing."""
    coupling = target.build_coupling_map()
    if coupling is None:
        return None
    used = (
        tuple(circuit.find_bit(qubit).index for qubit in item.qubits)
        for item in circuit.data
        if len(item.qubits) == 2
    )
    edges = coupling.get_edges() if native else used
    return frozenset(pair for a, b in edges for pair in ((a, b), (b, a)))


state_window = Pass("state-window", _run, preserves=ALL, from_zero=True, suits=without_resonator)
