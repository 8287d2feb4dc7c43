"""A search for windows that can be written otherwise, with a gate less or with as many.

Where no window can be made cheaper, others that do the same with as many gates on other pairs
lead to circuits in which some can.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, product

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit.library import UGate
from qiskit.synthesis import OneQubitEulerDecomposer

from compiler.circuits.matrices import Matrix
from compiler.lowering.reachable.clusters import Reachable, Reached
from compiler.lowering.state_peephole.blocks import Block, apply_block, blocks_of, circuit_of
from compiler.lowering.state_peephole.crossings import crossings, ruled_out
from compiler.lowering.state_peephole.template import fitted, starts
from compiler.lowering.state_peephole.two_qubit import rewritten
from compiler.lowering.state_peephole.windows import Window, windows

Pair = tuple[int, int]

WIDTH = 3
STARTS = 6
TRIALS_PER_CANDIDATE = 32
"""Windows and templates that are tried for each candidate of the budget."""

TRIALS_PER_GATE = 4
"""Further ones for each candidate when a gate is saved: it goes on where it pays."""

AMPLITUDES_PER_TRIAL = 4096
"""Amplitudes for which a look at a window counts as another trial, for it reads all of them."""

SHARE = 0.3
"""Of the windows that are tried with as many gates."""
ALIKE, FEW_STARTS = 8, 3
"""Templates with as many gates that are tried for a window, and starts for each."""

CLEAR, DIGITS = 0.05, 7
"""Of what a window does, the least entry that tells its phase, and the digits that tell it."""

_ANGLES = OneQubitEulerDecomposer("U")


@frozen(eq=False)
class _Task:
    """What a window does to what reaches it.

    Args:
        support: orthonormal columns, shape (8, r).
        goal: what becomes of them.
        pairs: of its two-qubit gates in their order, as places in the window.
    """

    support: Matrix
    goal: Matrix
    pairs: tuple[Pair, ...]


class WindowSearch:
    """Tries windows as long as its budget lasts.

    Args:
        coupled: pairs that may interact, each in both orders; None for all.
        amplitudes: up to which the state is followed exactly.
        budget: candidates, each of which allows some windows and templates to be tried.
    """

    def __init__(self, coupled: frozenset[Pair] | None, amplitudes: int, budget: int) -> None:
        self.coupled = coupled
        self.amplitudes = amplitudes
        self.budget = TRIALS_PER_CANDIDATE * budget
        self.reward = TRIALS_PER_GATE * budget
        self.random = np.random.default_rng(0)
        self.failed = set[bytes]()

    def settled(self, circuit: QuantumCircuit) -> QuantumCircuit:
        """Make windows cheaper as long as one can be; return the circuit if none can."""
        while (improved := self.swept(circuit, alike=False)) is not circuit:
            circuit = rewritten(improved, self.amplitudes)
        return circuit

    def swept(self, circuit: QuantumCircuit, *, alike: bool) -> QuantumCircuit:
        """Rewrite windows from the first to the last; return the circuit if there is none.

        Args:
            circuit: gates and barriers.
            alike: whether some are written with as many gates, instead of all with fewer.
        """
        reached, done, changed = Reachable(circuit.num_qubits, self.amplitudes), [], False
        blocks = blocks_of(circuit)
        while blocks and self.budget > 0:
            other = self._other_start(blocks, reached, alike=alike)
            if other is not None:
                blocks, changed = other, True
            apply_block(reached, blocks[0])
            done.append(blocks.pop(0))
        return circuit_of([*done, *blocks], circuit) if changed else circuit

    def _other_start(
        self, blocks: list[Block], reached: Reachable, *, alike: bool
    ) -> list[Block] | None:
        """Return the blocks with a window that begins with the first of them written otherwise."""
        if blocks[0].matrix is None or not blocks[0].two_qubit_gates:
            return None
        for window in windows(blocks):
            if alike and self.random.random() > SHARE:
                continue
            self.budget -= 1 + reached.size // AMPLITUDES_PER_TRIAL
            task = _task(window, blocks, reached.copy())
            found = self._alike(window, task) if alike else self._cheaper(window, task)
            if found is not None:
                moved = {*window.before, *window.places}
                rest = [block for i, block in enumerate(blocks) if i not in moved]
                before = (blocks[place] for place in window.before)
                return [*before, *found, *rest]
        return None

    def _cheaper(self, window: Window, task: _Task) -> list[Block] | None:
        """Return blocks with a gate less that do what a window does."""
        count, edges = len(task.pairs) - 1, self._edges(window.qubits)
        key = _fingerprint(task) + repr((count, edges)).encode()
        if key in self.failed:
            return None
        found = self._fitted(window, task, templates(edges, count), STARTS)
        if found is None:
            self.failed.add(key)
        else:
            self.budget += self.reward
        return found

    def _alike(self, window: Window, task: _Task) -> list[Block] | None:
        """Return blocks with as many gates, but on other pairs, that do what a window does."""
        every = templates(self._edges(window.qubits), len(task.pairs))
        some = (every[place] for place in self.random.permutation(len(every))[:ALIKE])
        return self._fitted(
            window, task, (pairs for pairs in some if pairs != task.pairs), FEW_STARTS
        )

    def _fitted(
        self, window: Window, task: _Task, tried: Iterable[tuple[Pair, ...]], most: int
    ) -> list[Block] | None:
        """Return blocks of the first template that does what a window does, if one does."""
        support, goal = task.support, task.goal
        hopeless = ruled_out(support, goal)
        for pairs in tried:
            if not crossings(pairs, WIDTH).isdisjoint(hopeless):
                continue
            self.budget -= 1
            gates = fitted(
                support, goal, pairs, starts(len(pairs), WIDTH, STARTS, len(pairs))[:most]
            )
            if gates is not None:
                return [block.moved(window.qubits) for block in _built(gates, pairs)]
        return None

    def _edges(self, qubits: Sequence[int]) -> tuple[Pair, ...]:
        """Return the places of coupled pairs among some qubits."""
        return tuple(
            (a, b)
            for a, b in combinations(range(len(qubits)), 2)
            if self.coupled is None or (qubits[a], qubits[b]) in self.coupled
        )


def _task(window: Window, blocks: Sequence[Block], reached: Reached) -> _Task:
    """Return what a window does, given what is reached before the first of some blocks."""
    for place in window.before:
        apply_block(reached, blocks[place])
    support = reached.support(window.qubits)
    goal, pairs = support, []
    for block in (blocks[place] for place in window.places):
        goal = _times(block, window.qubits, goal)
        ends = (sorted(map(window.qubits.index, on)) for _, on in block.items if len(on) == 2)
        pairs += [(a, b) for a, b in ends]
    return _Task(support, goal, tuple(pairs))


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


def _fingerprint(task: _Task) -> bytes:
    """Return what two tasks share if they are the same, up to rounding, a basis and a phase."""
    action = task.goal @ task.support.conj().T
    place = int(np.argmax(np.abs(action) > CLEAR))
    lead = action.flat[place]
    rounded = np.round(action * (abs(lead) / lead), DIGITS)
    return bytes((rounded + 0.0).tobytes())


@cache
def templates(edges: tuple[Pair, ...], count: int) -> tuple[tuple[Pair, ...], ...]:
    """Return the orders of `count` CZ gates on some pairs in which none comes thrice in a row."""
    return tuple(
        pairs
        for pairs in product(edges, repeat=count)
        if all(len(set(pairs[i : i + 3])) > 1 for i in range(len(pairs) - 2))
    )


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
