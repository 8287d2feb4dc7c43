"""A search for windows that can be written otherwise, with a gate less or with as many.

Where no window can be made cheaper, others that do the same with as many gates on other pairs
lead to circuits in which some can.

Windows: blocks on three qubits that can be moved together.

Windows on three qubits, rewritten with regard to the state that reaches them.

The action of a window on the support of its qubits' reduced state is fitted by templates with one
two-qubit gate less. Unlike a block's, the class of a window is not known in closed form, so this
is a search; it finds savings on full supports too, since compilers stop at two qubits.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit.library import UGate
from qiskit.synthesis import OneQubitEulerDecomposer
from qiskit.transpiler import Target

from compiler.caches import cached_rewriting
from compiler.circuits.matrices import Matrix, applied
from compiler.lowering.draft import ALL, Draft, Pass, Property, Setting
from compiler.lowering.reachable.clusters import Reachable
from compiler.lowering.state_peephole.blocks import (
    Block,
    apply_block,
    blocks_of,
    circuit_of,
    is_native,
    with_rewritten,
)
from compiler.lowering.state_peephole.lower_bounds import crossings, ruled_out
from compiler.lowering.state_peephole.template import fitted, starts
from compiler.lowering.state_peephole.two_qubit import (
    AMPLITUDES_PER_CANDIDATE,
    in_small_states,
    rewritten,
)
from compiler.targets.resonator import without_resonator

MAX_WINDOW_GATES = 6
"""Two-qubit gates of a window; searches for longer templates rarely succeed."""


@frozen(eq=False)
class Window:
    """Blocks that can be moved together, and their qubits.

    Args:
        qubits: three of them.
        places: of the blocks in a list, in order, the first being 0.
        before: places of the blocks among them that must and can be applied before.
    """

    qubits: tuple[int, ...]
    places: tuple[int, ...]
    before: tuple[int, ...]


def windows(blocks: Sequence[Block]) -> Iterator[Window]:
    """Yield the windows that begin with the first of some blocks, larger ones first."""
    first = blocks[0].qubits
    thirds = dict.fromkeys(
        other for pair in _next_pairs(blocks, first) for other in pair if other not in first
    )
    for third in thirds:
        qubits = (*first, third)
        grown, free = _grown(blocks, qubits)
        counts = np.cumsum([blocks[place].two_qubit_gates for place in grown])
        for size in range(len(grown), 1, -1):
            ends_on_new_pair = set(blocks[grown[size - 1]].qubits) != set(first)
            if 2 <= counts[size - 1] <= MAX_WINDOW_GATES and (
                size == len(grown) or ends_on_new_pair
            ):
                places = tuple(grown[:size])
                yield Window(qubits, places, _ancestors(blocks, qubits, places, free))


def _ancestors(
    blocks: Sequence[Block], qubits: tuple[int, ...], places: tuple[int, ...], free: Sequence[int]
) -> tuple[int, ...]:
    """Return those of the independent blocks that some qubits have gone through."""
    needed, ancestors = set(qubits), []
    for place in reversed([place for place in free if place < places[-1]]):
        if not needed.isdisjoint(blocks[place].qubits):
            needed.update(blocks[place].qubits)
            ancestors.append(place)
    return tuple(reversed(ancestors))


def _next_pairs(blocks: Sequence[Block], first: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the pairs of the next block on each qubit of the first one."""
    pairs: list[tuple[int, ...]] = []
    for qubit in first:
        following = (b for b in blocks[1:] if qubit in b.qubits)
        block = next(following, None)
        if block is not None and block.matrix is not None and len(block.qubits) == 2:
            pairs.append(block.qubits)
    return pairs


def _grown(blocks: Sequence[Block], qubits: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Return the places of blocks on some qubits, and of blocks that depend on none of them.

    Between the blocks on these qubits there is none but such that can be applied before or after
    all of them.
    """
    inside, independent = [], []
    reached: set[int] = set()
    left: set[int] = set()
    for place, block in enumerate(blocks):
        if block.matrix is not None and set(block.qubits) <= set(qubits) - left:
            inside.append(place)
            reached.update(block.qubits)
        elif reached.isdisjoint(block.qubits):
            independent.append(place)
        else:
            left.update(block.qubits)
            reached.update(block.qubits)
        if len(left.intersection(qubits)) >= len(qubits) - 1:
            break
    return inside, independent


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
"""Number of windows that are tried with as many gates."""
ALIKE, FEW_STARTS = 8, 3
"""Templates with as many gates that are tried for a window, and starts for each."""

CLEAR, DIGITS = 0.05, 7
"""Smallest entry of a window's action that fixes its phase, and the digits that are compared."""

_ANGLES = OneQubitEulerDecomposer("U")


@frozen(eq=False)
class _Task:
    """The action of a window on the states that reach it.

    Args:
        support: orthonormal columns, shape (8, r).
        goal: their images.
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
        supports = dict[tuple[tuple[int, ...], tuple[int, ...]], Matrix]()
        for window in windows(blocks):
            if alike and self.random.random() > SHARE:
                continue
            self.budget -= 1 + reached.size // AMPLITUDES_PER_TRIAL
            key = window.qubits, window.before
            if key not in supports:
                supports[key] = _support(window, blocks, reached)
            task = _task(window, blocks, supports[key])
            replaced = self._alike(window, task) if alike else self._cheaper(window, task)
            if replaced is not None:
                moved = {*window.before, *window.places}
                remaining = [block for i, block in enumerate(blocks) if i not in moved]
                before = (blocks[place] for place in window.before)
                return [*before, *replaced, *remaining]
        return None

    def _cheaper(self, window: Window, task: _Task) -> list[Block] | None:
        """Return blocks with a gate less that equal a window on its support."""
        count, edges = len(task.pairs) - 1, self._edges(window.qubits)
        key = _fingerprint(task) + repr((count, edges)).encode()
        if key in self.failed:
            return None
        result = self._fitted(window, task, templates(edges, count), STARTS)
        if result is None:
            self.failed.add(key)
        else:
            self.budget += self.reward
        return result

    def _alike(self, window: Window, task: _Task) -> list[Block] | None:
        """Return blocks with as many gates, but on other pairs, that equal a window."""
        every = templates(self._edges(window.qubits), len(task.pairs))
        some = (every[place] for place in self.random.permutation(len(every))[:ALIKE])
        return self._fitted(
            window, task, (pairs for pairs in some if pairs != task.pairs), FEW_STARTS
        )

    def _fitted(
        self, window: Window, task: _Task, tried: Iterable[tuple[Pair, ...]], most: int
    ) -> list[Block] | None:
        """Return blocks of the first template that equals a window, if one does."""
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


def _support(window: Window, blocks: Sequence[Block], reached: Reachable) -> Matrix:
    """Return the support of a window, given the state before the first of some blocks."""
    if window.before:
        reached = reached.copy()
    for place in window.before:
        apply_block(reached, blocks[place])
    return reached.support(window.qubits)


def _task(window: Window, blocks: Sequence[Block], support: Matrix) -> _Task:
    """Return the task of a window on a support, the window being among some blocks."""
    goal, pairs = support, []
    for block in (blocks[place] for place in window.places):
        assert block.matrix is not None
        goal = applied(block.matrix, [window.qubits.index(q) for q in block.qubits], goal)
        ends = (sorted(map(window.qubits.index, on)) for _, on in block.items if len(on) == 2)
        pairs += [(a, b) for a, b in ends]
    return _Task(support, goal, tuple(pairs))


def _fingerprint(task: _Task) -> bytes:
    """Return a key that two tasks share if they are equal up to rounding, a basis and a phase."""
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


MAX_CIRCUIT_GATES = 4_000
"""Two-qubit gates beyond which there are too many windows."""

PATIENCE = 16
"""Times that as many gates are tried without a gain, where a result is refined."""


@cached_rewriting
def window_rewritten(
    circuit: QuantumCircuit, coupled: frozenset[Pair] | None, budget: int, patience: int
) -> QuantumCircuit:
    """Return a circuit that prepares the same state with fewer two-qubit gates, if one is found.

    Args:
        circuit: gates and barriers; no measurements.
        coupled: pairs that may interact, each in both orders; None for all.
        budget: candidates; each allows some trials, and some amplitudes of the state.
        patience: how often windows are written with as many gates without any gain, to go on from
            there.

    Returns:
        The circuit itself if nothing is gained. Changed parts are written in CX, CZ and `u`.
    """
    amplitudes = AMPLITUDES_PER_CANDIDATE * budget
    search = WindowSearch(coupled, amplitudes, budget)
    first = in_small_states(circuit, amplitudes)
    best = current = search.settled(first)
    idle = 0
    while idle < patience and search.budget > 0:
        idle += 1
        current = search.settled(search.swept(current, alike=True))
        if current.num_nonlocal_gates() < best.num_nonlocal_gates():
            best, idle = current, 0
    return circuit if best is first else best


def _run(draft: Draft, setting: Setting) -> Draft:
    native = is_native(draft.circuit, setting.target)
    coupled = _coupled(draft.circuit, setting.target, native)
    circuit = _rewritten(draft.circuit, coupled, setting, PATIENCE)
    return with_rewritten(draft, circuit, setting.target)


def _run_before_routing(draft: Draft, setting: Setting) -> Draft:
    return draft.with_circuit(_rewritten(draft.circuit, None, setting, 0))


def _rewritten(
    circuit: QuantumCircuit, coupled: frozenset[Pair] | None, setting: Setting, patience: int
) -> QuantumCircuit:
    if circuit.num_nonlocal_gates() > MAX_CIRCUIT_GATES:
        return circuit
    return window_rewritten(circuit, coupled, setting.budget, patience)


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


logical_window = Pass(
    "state-window", _run_before_routing, preserves={Property.GATES}, from_zero=True
)
state_window = Pass("state-window", _run, preserves=ALL, from_zero=True, suits=without_resonator)
