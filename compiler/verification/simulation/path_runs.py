"""Single paths of measured bits, followed through a circuit by its exact state.

Each measurement leaves one path with a smaller state, so that circuits can be followed whose
state over all paths has too many amplitudes. Values before resets are kept, unmeasured: the
state of a path stays pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import TypeAlias

import numpy as np
from attrs import define, evolve, field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Clbit

from compiler.circuits.branches import Branches
from compiler.circuits.gate_steps import Step, steps_of
from compiler.circuits.tolerances import ROUNDING
from compiler.dynamic.pieces import Branch, Choice, Event, Pieces, Segment, final_part, pieces_of
from compiler.verification.simulation.blocks import merged
from compiler.verification.simulation.exact import SparseState, played_in_order

Slot: TypeAlias = tuple[int, int]
"""A measurement that is written somewhere in a circuit: its classical bit, and which of those
that write this bit it is."""


@define(eq=False)
class Gates:
    """Gates on one and two qubits.

    Args:
        steps: of the run.
        ends: for each qubit the one that holds its value afterwards.
        order: the order that kept the state small when they were applied first.
    """

    steps: Sequence[Step]
    ends: Sequence[int]
    order: Sequence[Step] | None = field(init=False, default=None)


@frozen
class Read:
    """A measurement of a qubit."""

    qubit: int
    slot: Slot


@frozen
class Keep:
    """A measurement in a body that is not run: its bit keeps its value."""

    slot: Slot


@frozen(eq=False)
class Fork:
    """Bodies of which one is run, or none.

    Args:
        choice: of the body.
        reads: the number of each bit that it reads.
        bodies: each as steps.
    """

    choice: Choice
    reads: Mapping[Clbit, int]
    bodies: Sequence["Steps"]

    def taken(self, memory: Sequence[bool]) -> "Steps":
        """Return the body for the values of all classical bits."""
        chosen = self.choice.body({bit: memory[number] for bit, number in self.reads.items()})
        return tuple(
            step
            for number, body in enumerate(self.bodies)
            for step in (body if number == chosen else map(Keep, slots(body)))
        )


PathStep: TypeAlias = Gates | Read | Event | Keep | Fork
"""A step of a path; an `Event` among them is a reset."""

Steps: TypeAlias = tuple[PathStep, ...]


def path_steps(circuit: QuantumCircuit) -> Steps:
    """Return a circuit as steps.

    Args:
        circuit: gates, measurements, resets and branches.

    Raises:
        StateTooLargeError: if it holds something else.
        InputError: if a condition cannot be taken.
    """
    clbits = {clbit: i for i, clbit in enumerate(circuit.clbits)}
    return _steps(pieces_of(circuit), clbits, [0] * len(clbits))


def _steps(pieces: Pieces, clbits: Mapping[Clbit, int], written: list[int]) -> Steps:
    steps: list[PathStep] = []
    for piece in pieces:
        match piece:
            case Segment(circuit):
                gates = [step for step in steps_of(circuit) if step.kind != "barrier"]
                steps.append(Gates(*merged(gates, circuit.num_qubits)))
            case Event(clbit=None):
                steps.append(piece)
            case Event(qubit, clbit) if clbit is not None:
                steps.append(Read(qubit, (clbit, written[clbit])))
                written[clbit] += 1
            case Branch(choice=choice, bodies=bodies):
                reads = {bit: clbits[bit] for bit in choice.reads}
                steps.append(
                    Fork(choice, reads, [_steps(body, clbits, written) for body in bodies])
                )
    return tuple(steps)


def slots(steps: Steps) -> Iterator[Slot]:
    """Yield all measurements of some steps, in every body, in their order."""
    for step in steps:
        match step:
            case Read() | Keep():
                yield step.slot
            case Fork():
                for body in step.bodies:
                    yield from slots(body)


def resets(steps: Steps) -> int:
    """Return how many resets some steps have, in all bodies together."""
    return sum(
        sum(map(resets, step.bodies)) if isinstance(step, Fork) else isinstance(step, Event)
        for step in steps
    )


MAX_AMPLITUDES = 1 << 16
"""Amplitudes of one path's state."""

OVERHEAD = 1000
"""Amplitudes on which a gate takes as long as everything else that it takes."""

PROBES = 8
"""Paths that are followed to estimate how many there are."""

MAX_PROBED = 1 << 26
"""Work of those paths from which on no other one is followed."""

Written: TypeAlias = Mapping[Slot, bool]


@frozen(eq=False)
class PathEnd:
    """A path of measured bits, and the state that it leaves.

    Args:
        written: the value of each measurement, or the former one where it was not run.
        memory: the classical bits at the end.
        times: how often the path was drawn.
        probability: of the path.
        state: of norm 1, up to one phase; the circuit's own qubits come first, then values before
            resets, each in some basis.
        qubits: of the circuit.
        work: amplitudes that all its gates together have met, as many more as take the time of
            all else.
    """

    written: Written
    memory: tuple[bool, ...]
    times: int
    probability: float
    state: SparseState
    qubits: int
    work: int


@define(eq=False)
class _Run:
    """A path that is being followed.

    Args:
        state: the circuit's own qubits, and one for each reset.
        todo: steps, each time with the number of those that are done; the last ones come first.
        memory: the classical bits.
        times: how often the path was drawn so far.
        place: for each qubit of the circuit, the state's that holds it.
        hidden: those that hold values before resets.
    """

    state: Branches
    todo: list[tuple[Steps, int]]
    memory: list[bool]
    times: int
    place: list[int]
    hidden: list[int] = field(factory=list)
    written: dict[Slot, bool] = field(factory=dict)
    probability: float = 1.0
    work: int = 0

    @classmethod
    def of(cls, circuit: QuantumCircuit, steps: Steps, times: int = 1) -> "_Run":
        qubits = circuit.num_qubits
        start = np.zeros((1, qubits + resets(steps)), dtype=bool)
        state = Branches(start, MAX_AMPLITUDES)
        return cls(state, [(steps, 0)], [False] * circuit.num_clbits, times, list(range(qubits)))

    def advance(self) -> Read | None:
        """Go on to the next measurement; None if there is none."""
        while self.todo:
            steps, done = self.todo.pop()
            if done == len(steps):
                continue
            self.todo.append((steps, done + 1))
            match step := steps[done]:
                case Read():
                    return step
                case Gates():
                    self._play(step)
                case Event(qubit):
                    fresh = len(self.place) + len(self.hidden)
                    self.hidden.append(self.place[qubit])
                    self.place[qubit] = fresh
                case Keep(slot):
                    self.written[slot] = self.memory[slot[0]]
                case Fork():
                    self.todo.append((step.taken(self.memory), 0))
        return None

    def _play(self, gates: Gates) -> None:
        if gates.order is None:
            played = played_in_order(self.state, _renamed(gates.steps, self.place))
            own = {place: qubit for qubit, place in enumerate(self.place)}
            gates.order = _renamed(played, own)
        else:
            self.state.play(_renamed(gates.order, self.place))
        self.work += len(gates.steps) * (len(self.state.table) + OVERHEAD)
        self.place = [self.place[end] for end in gates.ends]

    def chance(self, read: Read) -> float:
        """Return the probability of measuring 1."""
        return self.state.chance(self.place[read.qubit])

    def measure(self, read: Read, value: bool, chance: float) -> None:
        """Go on with a value that has been measured."""
        self.state.project(self.place[read.qubit], value)
        self.probability *= chance if value else 1 - chance
        self.written[read.slot] = self.memory[read.slot[0]] = value

    def copy(self) -> "_Run":
        copied = copy(self)
        for name in ("state", "todo", "memory", "place", "hidden", "written"):
            setattr(copied, name, getattr(self, name).copy())
        return copied

    def end(self) -> PathEnd:
        self.state.settle(self.place)
        table = self.state.table
        return PathEnd(
            self.written,
            tuple(self.memory),
            self.times,
            self.probability,
            SparseState(table.bits([*self.place, *self.hidden]), table.amplitudes.copy()),
            len(self.place),
            self.work,
        )


def _renamed(steps: Sequence[Step], names: Sequence[int] | Mapping[int, int]) -> list[Step]:
    return [evolve(step, qubits=tuple(names[q] for q in step.qubits)) for step in steps]


def drawn_paths(circuit: QuantumCircuit, times: int, seed: int) -> Iterator[PathEnd]:
    """Draw paths by a circuit's own probabilities, and yield each that was drawn, once.

    Each outcome has its exact probability, given those before it. The common beginnings of paths
    are simulated once.

    Args:
        circuit: gates, measurements, resets and branches; it starts from |0…0⟩.
        times: paths that are drawn.
        seed: of the draws.

    Raises:
        StateTooLargeError: if a state has more amplitudes.
        InputError: if a condition cannot be taken.
    """
    random = np.random.default_rng(seed)
    open_ = [_Run.of(circuit, path_steps(circuit), times)]
    while open_:
        run = open_.pop()
        while read := run.advance():
            chance = run.chance(read)
            ones = int(random.binomial(run.times, min(max(chance, 0.0), 1.0)))
            zeros = run.times - ones
            if ones and zeros:
                other = run.copy()
                other.times = zeros
                other.measure(read, False, chance)
                open_.append(other)
            run.times = ones or zeros
            run.measure(read, bool(ones), chance)
        yield run.end()


def sampled_outcomes(circuit: QuantumCircuit, shots: int, seed: int) -> Iterator[int]:
    """Yield the final classical bits of a circuit, shot by shot.

    Args:
        circuit: gates, measurements, resets and branches; it starts from |0…0⟩.
        shots: how many.
        seed: of the samples.

    Yields:
        Integers whose bit i is classical bit i; equal paths follow one another.

    Raises:
        StateTooLargeError: if the state of a path has too many amplitudes.
        InputError: if a condition cannot be taken.
    """
    remaining, measured = final_part(circuit)
    random = np.random.default_rng(seed)
    for end in drawn_paths(remaining, shots, seed):
        weights = np.abs(end.state.amplitudes) ** 2
        rows = random.choice(len(weights), end.times, p=weights / weights.sum())
        before = sum(1 << clbit for clbit, value in enumerate(end.memory) if value)
        written = sum(1 << clbit for clbit in measured)
        for bits in end.state.bits[rows]:
            last = sum(1 << clbit for clbit, qubit in measured.items() if bits[qubit])
            yield before & ~written | last


def estimated_paths(circuit: QuantumCircuit, seed: int = 0) -> float:
    """Estimate how many paths have a probability that is not 0.

    Where both outcomes are possible, one is taken with probability 1/2; the mean of
    2^(number of such measurements) is the number of paths (Knuth, Estimating the efficiency of
    backtrack programs, 1975). Fewer paths are followed where each takes long.

    Raises:
        StateTooLargeError: if a state has more amplitudes than `MAX_AMPLITUDES`.
        InputError: if a condition cannot be taken.
    """
    random = np.random.default_rng(seed)
    steps, counts, work = path_steps(circuit), list[float](), 0
    while len(counts) < PROBES and work < MAX_PROBED:
        run, paths = _Run.of(circuit, steps), 1.0
        while read := run.advance():
            chance = run.chance(read)
            value = chance > 1 / 2
            if ROUNDING < chance < 1 - ROUNDING:
                value, paths = bool(random.integers(2)), 2 * paths
            run.measure(read, value, chance)
        counts.append(paths)
        work += run.work
    return sum(counts) / len(counts)


def followed_paths(
    circuit: QuantumCircuit, paths: Sequence[Written]
) -> Iterator[tuple[int, PathEnd | None]]:
    """Follow paths through a circuit; yield the number of each, and where it ends.

    Args:
        circuit: one with the same measurements, perhaps in another order.
        paths: values of the measurements.

    Yields:
        None instead of an end where the circuit never takes a path.

    Raises:
        StateTooLargeError: if a state has more amplitudes.
        InputError: if a condition cannot be taken.
    """
    steps = path_steps(circuit)
    open_ = [(_Run.of(circuit, steps), list(range(len(paths))))]
    while open_:
        run, numbers = open_.pop()
        while numbers and (read := run.advance()):
            chance = run.chance(read)
            ones = [number for number in numbers if paths[number][read.slot]]
            zeros = [number for number in numbers if not paths[number][read.slot]]
            if ones and chance < ROUNDING:
                yield from ((number, None) for number in ones)
                ones = []
            if zeros and 1 - chance < ROUNDING:
                yield from ((number, None) for number in zeros)
                zeros = []
            if ones and zeros:
                other = run.copy()
                other.measure(read, False, chance)
                open_.append((other, zeros))
            numbers = ones or zeros
            if numbers:
                run.measure(read, bool(ones), chance)
        end = run.end() if numbers else None
        yield from ((number, end if paths[number] == run.written else None) for number in numbers)
