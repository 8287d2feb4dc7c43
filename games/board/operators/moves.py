"""X, S±, C, D±, E, T± and F±± of Five in a Row and Weiqi."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import product
from math import pi
from typing import ClassVar

import numpy as np
from attrs import evolve
from qiskit import QuantumCircuit

from compiler.synthesis.givens import reflect_if
from compiler.synthesis.method import CountedMethod, Operator, example, operator, synthesis_method
from games.board.operators.building import (
    BOTH,
    Control,
    Point,
    Presence,
    emptiness,
    flip,
    flip_if,
    halve,
    halve_if,
    points_of,
    qubits_of,
)
from games.board.rules.moves import Arm
from games.board.rules.superposition import Stone, Superposition, countered, superposed

MOVER = Stone.BLACK
"""The mover. As a number it is `Presence.OWN`, and the other's stone `Presence.OTHER`."""
COUNTERS = ("opponent", "any", "empty")
ONE = int(Presence.OWN)
COLOUR = "#009E73"


class BoardMove(Operator):
    """A move on points of two qubits each: the mover's stone, then the other's.

    A point that never has a stone of one colour lacks its qubit. Points on which both qubits
    are 1 are illegal. With `empty`, all targets are empty in every legal input.

    Attributes:
        presences: possible stones of each point, a `Presence`.
        targets: places of the points on which stones are put.
        empty: whether they are known to be empty.

    References:
        Wu, Chen and Luo, Board games for quantum computers, 2021, section 2: a move on m qutrits
        takes 3^m to 3^2m gates.
    """

    colour = COLOUR
    presences: tuple[int, ...]
    targets: tuple[int, ...]
    empty: bool

    @property
    def paper_gates(self) -> tuple[int, int]:  # type: ignore[override]
        """3^m and 3^2m for m points."""
        points = len(self.presences)
        return 3**points, 9**points

    def legal_inputs(self) -> Iterator[int]:
        """Yield all points without two stones on one, targets empty where they are known to be."""
        choices = [
            [Stone.EMPTY]
            if self.empty and place in self.targets
            else [stone for stone in Stone if stone & presence == stone]
            for place, presence in enumerate(self.presences)
        ]
        for stones in product(*choices):
            yield self._encoded(stones)

    def amplitudes(self, basis_state: int) -> Mapping[int, complex]:
        """Return the outputs of a legal input, by the rules' gates on a board of these points.

        Raises:
            ValueError: if a point has two stones.
        """
        stones = [0] * len(self.presences)
        for bit, (place, stone) in enumerate(self._qubits()):
            stones[place] |= stone * (basis_state >> bit & 1)
        if max(stones) > max(Stone):
            raise ValueError("a point has two stones")
        board = Superposition.empty(len(stones)).touching(*range(len(stones)))
        after = self.moved(evolve(board, held=np.array([stones], np.uint8)))
        return dict(zip(map(self._encoded, after.held), after.amplitudes().tolist(), strict=True))

    @abstractmethod
    def moved(self, board: Superposition) -> Superposition:
        """Return the board, whose points are the operands, after the move."""

    def _qubits(self) -> Iterator[tuple[int, Stone]]:
        for place, presence in enumerate(self.presences):
            yield from ((place, stone) for stone in (Stone.BLACK, Stone.WHITE) if stone & presence)

    def _encoded(self, stones: Sequence[int]) -> int:
        on = ((stones[place] == stone) << bit for bit, (place, stone) in enumerate(self._qubits()))
        return sum(map(int, on))


@operator("board_place")
class Place(BoardMove):
    """X^b or X^w: the mover's stone and empty are exchanged, the other's stone stays.

    Cost: 0 where the point never has the other's stone, 1 elsewhere.

    Args:
        presence: possible stones of the point.

    References:
        Wu, Chen and Luo, Board games for quantum computers, 2021, equation 3.
    """

    examples = (example("X", ONE), example("X, any point", BOTH))

    def __init__(self, presence: int) -> None:
        self.presences, self.targets, self.empty = (presence,), (0,), False
        super().__init__(qubits_of(self.presences), [int(presence)])

    def moved(self, board: Superposition) -> Superposition:
        """Apply X."""
        return board.x(MOVER, 0)


@operator("board_superpose")
class Superpose(BoardMove):
    """S±: on empty points (|stone, empty⟩ ± |empty, stone⟩)/√2; elsewhere as its gates do.

    Cost: 1 on points known to be empty.

    Args:
        sign: 1 or −1.
        empty: whether both points are known to be empty.
        first: presence of the first point.
        second: possible stones of the second one.

    References:
        Wu, Chen and Luo, Board games for quantum computers, 2021, equation 10.
    """

    examples = (
        example("S+", 1, True),
        example("S-", -1, True),
        example("S+, any points", 1, False, BOTH, BOTH),
    )

    def __init__(self, sign: int, empty: bool, first: int = ONE, second: int = ONE) -> None:
        self.sign, self.empty = sign, empty
        self.presences, self.targets = (first, second), (0, 1)
        super().__init__(qubits_of(self.presences), [sign, int(empty), int(first), int(second)])

    def moved(self, board: Superposition) -> Superposition:
        """Apply S±."""
        return superposed(board, MOVER, (0, 1), self.sign)


@operator("board_counter")
class Counter(BoardMove):
    """C, D±, E, T± or F±±: stones on targets where a control meets its condition.

    Each arm is a control and one target (C: the mover's X) or two (D±: the mover's S±). Two arms
    have different controls and targets, and no control is a target.

    Cost, on targets known to be empty: C 1, D 3, E 2, T 4, F 6.

    Args:
        counter: index in `COUNTERS` of the condition.
        empty: whether all targets are known to be empty.
        arms: for each arm its sign, the presence of its control, and those of its targets.

    References:
        Wu, Chen and Luo, Board games for quantum computers, 2021, section 4.
    """

    _C: ClassVar[tuple[int, ...]] = (1, int(Presence.OTHER), ONE)
    _D: ClassVar[tuple[int, ...]] = (1, int(Presence.OTHER), ONE, ONE)
    _C_ANY: ClassVar[tuple[int, ...]] = (1, int(Presence.OTHER), BOTH)
    _D_ANY: ClassVar[tuple[int, ...]] = (1, int(Presence.OTHER), BOTH, BOTH)
    examples = (
        example("C", 0, True, _C),
        example("D+", 0, True, _D),
        example("E", 0, True, _C, _C),
        example("T+", 0, True, _C, _D),
        example("F++", 0, True, _D, _D),
        example("C, any point", 0, False, (1, int(Presence.OTHER), BOTH)),
        example("C, any stone and point", 1, False, (1, BOTH, BOTH)),
        example("C, no stone, any point", 2, False, (1, BOTH, BOTH)),
        example("D+, any points", 0, False, _D_ANY),
        example("D-, any points", 0, False, (-1, *_D_ANY[1:])),
        example("E, any points", 0, False, _C_ANY, _C_ANY),
        example("T+, any points", 0, False, _C_ANY, _D_ANY),
        example("F++, any points", 0, False, _D_ANY, _D_ANY),
    )

    def __init__(self, counter: int, empty: bool, *arms: Sequence[int]) -> None:
        self.counter, self.empty = counter, empty
        self.arms, self.presences = arms_of(arms)
        self.targets = tuple(target for arm in self.arms for target in arm.targets)
        params = [counter, int(empty), *(int(n) for arm in arms for n in (len(arm), *arm))]
        super().__init__(qubits_of(self.presences), params)

    def moved(self, board: Superposition) -> Superposition:
        """Apply C or D± of each arm."""
        for arm in self.arms:
            board = countered(board, MOVER, arm, COUNTERS[self.counter])
        return board


def arms_of(arms: Sequence[Sequence[int]]) -> tuple[tuple[Arm, ...], tuple[int, ...]]:
    """Return arms with the places of their points, and the presences of all points.

    Args:
        arms: see `Counter`.
    """
    result: list[Arm] = []
    presences: list[int] = []
    for sign, *points in arms:
        control = len(presences)
        result.append(Arm(control, tuple(range(control + 1, control + len(points))), sign))
        presences += points
    return tuple(result), tuple(presences)


def arms_from(params: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the arms of a `Counter` from its parameters after the first two."""
    arms = []
    remaining = list(params)
    while remaining:
        size, remaining = remaining[0], remaining[1:]
        arms.append(tuple(remaining[:size]))
        remaining = remaining[size:]
    return arms


@synthesis_method("board_superpose.literal")
class LiteralSuperpose(CountedMethod):
    """X, H and B, each under controls on the other stone and on both stones of the first point."""

    def build(self, sign: int, _empty: int, *presences: int) -> QuantumCircuit:
        """Return the circuit on two points."""
        circuit = QuantumCircuit(qubits_of(presences))
        first, second = points_of(presences)
        _superpose(circuit, first, second, sign, [])
        return circuit


@synthesis_method("board_counter.literal")
class LiteralCounter(CountedMethod):
    """Every gate of X and S± under controls on the stones of the arm's control."""

    def build(self, counter: int, _empty: int, *remaining: int) -> QuantumCircuit:
        """Return the circuit on the points of all arms."""
        arms, presences = arms_of(arms_from(remaining))
        points = points_of(presences)
        circuit = QuantumCircuit(qubits_of(presences))
        for arm in arms:
            for controls in _control_sets(points[arm.control], COUNTERS[counter]):
                targets = [points[target] for target in arm.targets]
                if len(targets) == 1:
                    _place(circuit, targets[0], controls)
                else:
                    _superpose(circuit, targets[0], targets[1], arm.sign, controls)
        return circuit


def _control_sets(point: Point, counter: str) -> list[list[Control]]:
    """Return the sets of controls one of which is met where a counter move acts."""
    if counter == "empty":
        return [_empty(point)]
    stones = [point.other] if counter == "opponent" else [point.own, point.other]
    return [[(qubit, 1)] for qubit in stones if qubit is not None]


def _empty(point: Point) -> list[Control]:
    return [(qubit, 0) for qubit in (point.own, point.other) if qubit is not None]


def _place(circuit: QuantumCircuit, point: Point, controls: list[Control]) -> None:
    assert point.own is not None
    others = [(qubit, 0) for qubit in [point.other] if qubit is not None]
    flip_if(circuit, [*controls, *others], point.own)


def _superpose(
    circuit: QuantumCircuit, first: Point, second: Point, sign: int, controls: list[Control]
) -> None:
    assert first.own is not None
    if sign > 0:
        _place(circuit, first, controls)
    # H of the mover's colour is X in a turned basis; with the other's stone nothing happens.
    circuit.ry(-pi / 4, first.own)
    _place(circuit, first, controls)
    circuit.ry(pi / 4, first.own)
    _place(circuit, second, [*controls, *_empty(first)])


@synthesis_method("board_place.reduced")
class ReducedPlace(CountedMethod):
    """X on the mover's qubit, under a control on the other's where there is one."""

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on a point."""
        (point,) = points_of(params)
        circuit = QuantumCircuit(qubits_of(params))
        flip(circuit, point)
        return circuit


@synthesis_method("board_superpose.reduced")
class ReducedSuperpose(CountedMethod):
    """On empty points one CX; elsewhere H with one CZ, and B with the points' sums as controls."""

    def build(self, sign: int, empty: int, *presences: int) -> QuantumCircuit:
        """Return the circuit on two points."""
        circuit = QuantumCircuit(qubits_of(presences))
        _reduced_superpose(circuit, points_of(presences), sign, empty=bool(empty))
        return circuit


@synthesis_method("board_counter.reduced")
class ReducedCounter(CountedMethod):
    """Arm by arm: C is one CX on an empty target, D± three CX on two."""

    def build(self, counter: int, empty: int, *remaining: int) -> QuantumCircuit:
        """Return the circuit on the points of all arms."""
        arms, presences = arms_of(arms_from(remaining))
        points = points_of(presences)
        circuit = QuantumCircuit(qubits_of(presences))
        for arm in arms:
            targets = [points[target] for target in arm.targets]
            with ExitStack() as stack:
                control = _control(circuit, points[arm.control], counter, stack)
                if len(targets) == 1:
                    flip(circuit, targets[0], [] if control is None else [control])
                elif control is None:
                    _reduced_superpose(circuit, targets, arm.sign, empty=bool(empty))
                elif empty:
                    _split_empty(circuit, control, targets, arm.sign)
                else:
                    _split(circuit, control, targets, arm.sign)
        return circuit


def _reduced_superpose(
    circuit: QuantumCircuit, targets: list[Point], sign: int, *, empty: bool
) -> None:
    """Append S±."""
    first, second = targets
    if not empty:
        halve(circuit, first, sign)
        with emptiness(circuit, first) as control:
            flip(circuit, second, [control])
        return
    assert first.own is not None
    assert second.own is not None
    # (|1⟩ ± |0⟩)|0⟩, up to a sign.
    if sign < 0:
        circuit.x(first.own)
    circuit.h(first.own)
    flip_if(circuit, [(first.own, 0)], second.own)


def _control(
    circuit: QuantumCircuit, point: Point, counter: int, stack: ExitStack
) -> Control | None:
    """Return the condition on a control; None if it always holds, since no stone is ever there."""
    if COUNTERS[counter] == "opponent":
        assert point.other is not None
        return point.other, 1
    if COUNTERS[counter] == "empty" and point == Point(None, None):
        return None
    qubit, value = stack.enter_context(emptiness(circuit, point))
    return qubit, value if COUNTERS[counter] == "empty" else 1 - value


def _split_empty(
    circuit: QuantumCircuit, control: Control, targets: list[Point], sign: int
) -> None:
    """Append D± on empty targets: the stone is put on the second, and half of it is moved."""
    first, second = (target.own for target in targets)
    assert first is not None
    assert second is not None
    flip_if(circuit, [control], second)
    reflect_if(circuit, second, first, pi / 4 if sign > 0 else 3 * pi / 4)
    circuit.cx(first, second)


def _split(circuit: QuantumCircuit, control: Control, targets: list[Point], sign: int) -> None:
    """Append D± on any targets: X and H, and B, under the control."""
    first, second = targets
    halve_if(circuit, control, first, sign)
    with emptiness(circuit, first) as other_control:
        flip(circuit, second, [control, other_control])
