"""X, S±, C, D±, E, T± and F±± of Five in a Row and Weiqi."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import ClassVar

from compiler.synthesis.operator import Operator, example, operator
from games.board.operators.qutrits import (
    BOTH,
    EMPTY,
    OTHER,
    OWN,
    Arm,
    Presence,
    countered,
    decoded,
    encoded,
    levels,
    placed,
    qubits_of,
    superposed,
)

ASKED: Sequence[Sequence[int]] = ((OTHER,), (OWN, OTHER), (EMPTY,))
"""Levels of a control with which a counter move acts, by `COUNTERS`."""
COUNTERS = ("opponent", "any", "empty")
ONE = int(Presence.OWN)
COLOUR = "#009E73"


class BoardMove(Operator):
    """A move on points of two qubits each: the mover's stone, then the other's.

    A point that never has a stone of one colour lacks its qubit. Points on which both qubits
    are 1 are illegal. With `empty`, all targets are empty in every legal input.

    Attributes:
        presences: which stones each point may ever have, a `Presence`.
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
            (EMPTY,) if self.empty and place in self.targets else levels(presence)
            for place, presence in enumerate(self.presences)
        ]
        for digits in product(*choices):
            yield encoded(digits, self.presences)


@operator("board_place")
class Place(BoardMove):
    """X^b or X^w: the mover's stone and empty are exchanged, the other's stone stays.

    Cost: 0 where the point never has the other's stone, 1 elsewhere.

    Args:
        presence: of the point.

    References:
        Wu, Chen and Luo, Board games for quantum computers, 2021, equation 3.
    """

    examples = (example("X", ONE), example("X, any point", BOTH))

    def __init__(self, presence: int) -> None:
        self.presences, self.targets, self.empty = (presence,), (0,), False
        super().__init__(qubits_of(self.presences), [int(presence)])

    def amplitudes(self, basis_state: int) -> Mapping[int, complex]:
        """Return the one output of a legal input."""
        found = placed({decoded(basis_state, self.presences): 1.0}, 0)
        return {encoded(digits, self.presences): a for digits, a in found.items()}


@operator("board_superpose")
class Superpose(BoardMove):
    """S±: on empty points (|stone, empty⟩ ± |empty, stone⟩)/√2; elsewhere as its gates do.

    Cost: 1 on points known to be empty.

    Args:
        sign: 1 or −1.
        empty: whether both points are known to be empty.
        first: presence of the first point.
        second: of the second one.

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

    def amplitudes(self, basis_state: int) -> Mapping[int, complex]:
        """Return the outputs of a legal input."""
        found = superposed({decoded(basis_state, self.presences): 1.0}, 0, 1, self.sign)
        return {encoded(digits, self.presences): a for digits, a in found.items()}


@operator("board_counter")
class Counter(BoardMove):
    """C, D±, E, T± or F±±: stones on targets where a control has what is asked for.

    Each arm is a control and one target (C: the mover's X) or two (D±: the mover's S±). Two arms
    have different controls and targets, and no control is a target.

    Cost, on targets known to be empty: C 1, D 3, E 2, T 4, F 6.

    Args:
        counter: place in `COUNTERS` of what is asked.
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

    def amplitudes(self, basis_state: int) -> Mapping[int, complex]:
        """Return the outputs of a legal input."""
        found: Mapping[tuple[int, ...], float] = {decoded(basis_state, self.presences): 1.0}
        for arm in self.arms:
            found = countered(found, arm, ASKED[self.counter])
        return {encoded(digits, self.presences): a for digits, a in found.items()}


def arms_of(arms: Sequence[Sequence[int]]) -> tuple[tuple[Arm, ...], tuple[int, ...]]:
    """Return arms with the places of their points, and the presences of all points.

    Args:
        arms: as `Counter` takes them.
    """
    found: list[Arm] = []
    presences: list[int] = []
    for sign, *points in arms:
        control = len(presences)
        found.append(Arm(control, tuple(range(control + 1, control + len(points))), sign))
        presences += points
    return tuple(found), tuple(presences)


def arms_from(params: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the arms of a `Counter` from its parameters after the first two."""
    arms = []
    rest = list(params)
    while rest:
        size, rest = rest[0], rest[1:]
        arms.append(tuple(rest[:size]))
        rest = rest[size:]
    return arms
