"""A round of Quantum 6 Nimmt! whose choices are fixed."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

from attrs import Factory, field, frozen

from compiler.judge import Kind, Observable
from games.game import Fact, Game
from games.six_nimmt.paths import Path, chances_of_1, paths
from games.six_nimmt.rules.cards import ROWS, Choice, Deck, Options
from games.six_nimmt.rules.round import Applied, Event, Round, Taken, played

POINTS = 66
"""Points of every player at the start."""

Points = tuple[Fraction, ...]


@frozen(cache_hash=True)
class SixNimmtRound(Game):
    """A round, or the beginning of one, with fixed choices of all players.

    An outcome is a path of measured bits: bit i is the result of the i-th replaced row's qubit.

    Args:
        name: name of the game.
        players: number of players.
        deck: player p is dealt `deck[10p:10p+10]`, the rows start with the next four.
        turns: choices of all players in every turn, by seat.
        prompts: rows that players choose, in order.
        options: options of the rules.
        start: points of all players before the round.
        unfinished: whether the last turn may end at a prompt without an answer.

    Raises:
        GameError: if the rules do not allow these choices.
    """

    name: str
    players: int
    deck: Deck = field(repr=False)
    turns: tuple[tuple[Choice, ...], ...]
    prompts: tuple[int, ...] = ()
    options: Options = field(factory=Options)
    start: Points = Factory(lambda self: (Fraction(POINTS),) * self.players, takes_self=True)
    unfinished: bool = False
    legend = "measured bits, in order; 0: the player who took the row pays, 1: all others pay"

    def __attrs_post_init__(self) -> None:
        self._played()

    @property
    def title(self) -> str:
        """One line for lists."""
        turns = "1 turn" if len(self.turns) == 1 else f"{len(self.turns)} turns"
        changed = "".join(f", {name} {value}" for name, value in self.options.changed().items())
        return f"Quantum 6 Nimmt!, {self.players} players, {turns} with fixed choices{changed}"

    @property
    def reading(self) -> str:
        """Explanation of a label's bits."""
        rows = ", ".join(f"row {taken.row} by {taken.seat}" for taken in self.takings)
        return (
            f"{self.title}. An outcome is the measured bits, in order, as rows were taken: {rows}."
        )

    @property
    def outcome_bits(self) -> int:
        """One bit a measurement."""
        return len(self.takings)

    @property
    def counts(self) -> Mapping[str, int]:
        """Measurements and gates."""
        gates = sum(isinstance(event, Applied) for event in self.events)
        return {"measurements": len(self.takings), "operations": gates}

    def facts(self) -> Mapping[str, Fact]:
        """Return the facts; they include expected points even if the paths are too many."""
        expected = {f"player {seat}": str(p) for seat, p in enumerate(self.expected_points())}
        return {**self.counts, "expected_points": expected, **self.outcome_facts()}

    @property
    def axes(self) -> Mapping[str, int]:
        """Players, turns and measurements."""
        return {
            "players": self.players, "turns": len(self.turns), "measurements": len(self.takings),
        }  # fmt: skip

    @property
    def observables(self) -> Sequence[Observable]:
        """Winner, points of all players, their sum, and the probability of 1 in each row."""
        seats = range(self.players)
        return (
            *(Observable(f"player_{s}_wins", Kind.EVENT, partial(self._wins, s)) for s in seats),
            *(Observable(f"player_{s}_points", Kind.NUMBER, partial(self._left, s)) for s in seats),
            Observable("sum_of_points", Kind.NUMBER, lambda path: sum(self.points(path))),
            *(
                Observable(f"row_{row}_probability_of_1", Kind.NUMBER, partial(self._one_in, row))
                for row in range(ROWS)
            ),
        )

    def _wins(self, seat: int, path: int) -> int:
        return int(seat in self.winners(path))

    def _left(self, seat: int, path: int) -> Fraction:
        return self.points(path)[seat]

    def _one_in(self, row: int, path: int) -> Fraction:
        return self.paths()[path].state.probability_of_1(row)

    @property
    def events(self) -> tuple[Event, ...]:
        """Gates and measurements, in order."""
        return self._played()[1]

    @property
    def takings(self) -> tuple[Taken, ...]:
        """The measurements alone, in order."""
        return tuple(event for event in self.events if isinstance(event, Taken))

    @property
    def end(self) -> Round:
        """The round after its last turn."""
        return self._played()[0]

    def _played(self) -> tuple[Round, tuple[Event, ...]]:
        start = Round.start(self.players, self.options, self.deck)
        return played(start, self.turns, self.prompts, unfinished=self.unfinished)

    def paths(self) -> Mapping[int, Path]:
        """Return every possible outcome with its probability and the state of the qubits.

        Raises:
            GameTooLargeError: if there are too many.
        """
        return paths(self.events, reset=self.options.measured_qubit == "reset")

    def points(self, path: int) -> Points:
        """Return the points of all players after an outcome."""
        return points_after(self.start, self.takings, path)

    def winners(self, path: int) -> tuple[int, ...]:
        """Return the seats with the most points after an outcome."""
        return winners(self.points(path))

    def expected_points(self) -> Points:
        """Return the expected points of all players, for any number of outcomes."""
        reset = self.options.measured_qubit == "reset"
        rows = list(zip(self.takings, chances_of_1(self.events, reset=reset), strict=True))
        return tuple(
            had - sum(taken.loss(seat, 0) * (1 - p) + taken.loss(seat, 1) * p for taken, p in rows)
            for seat, had in enumerate(self.start)
        )

    def exact_distribution(self) -> Mapping[int, Fraction]:
        """Return the probability of every possible path of measured bits; see `Game`."""
        return {path: way.probability for path, way in self.paths().items()}

    def most_states(self) -> int:
        """Return an upper bound of the paths."""
        return 1 << len(self.takings)

    def is_legal(self, outcome: int) -> bool:
        """Return whether the measurements can have these results."""
        return outcome in self.paths()

    def describe(self, outcome: int) -> str:
        """Return the measured bits, the first one on the left."""
        return "".join(str(outcome >> i & 1) for i in range(len(self.takings)))


def points_after(start: Points, takings: Sequence[Taken], path: int) -> Points:
    """Return the points after rows were taken; bit i of `path` is the i-th measured bit."""
    lost = [0] * len(start)
    others = len(start) - 1
    # In whole parts of a point: the other players share a loss equally.
    for bit, taken in enumerate(takings):
        if path >> bit & 1:
            for seat in range(len(start)):
                lost[seat] += taken.points * (seat != taken.seat)
        else:
            for seat, share in enumerate(taken.shares):
                lost[seat] += share * others
    return tuple(had - Fraction(parts, others) for had, parts in zip(start, lost, strict=True))


def winners(points: Points) -> tuple[int, ...]:
    """Return the seats with the most points; ties share."""
    return tuple(seat for seat, had in enumerate(points) if had == max(points))
