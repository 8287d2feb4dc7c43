"""A match: legal moves, and the program so far."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, ClassVar, Generic, Self, TypeVar, cast

from attrs import evolve, fields

from compiler.errors import GameError, naming
from compiler.program import Program
from games.game import Game
from games.panels import Panel
from play.match_log import (
    Entry,
    Look,
    Looked,
    Measured,
    Moved,
    Seen,
    as_json,
    entry_from_json,
)
from play.view import RoundsView, View

Record = dict[str, Any]
"""A match as JSON: `game`, `setup`, and the `log` of the events since."""


V = TypeVar("V", bound=View)
R = TypeVar("R", bound=RoundsView)


class Match(ABC, Generic[V]):
    """A frozen value: each move and each outcome makes another match.

    It goes on in one of two ways. Either seats move (`to_move`); in some games all seats move at
    once, and their choices stay hidden until all have chosen. Or the match waits for measurements
    (`awaited`), and `collapse` takes their outcomes from any source.

    Attributes:
        game: the name under which `play.playable` knows it.
        seats: number of players.
        log: events since the setup; with it the match is its own file.
    """

    game: ClassVar[str]
    seats: int
    log: tuple[Entry, ...]

    @abstractmethod
    def setup(self) -> dict[str, Any]:
        """Return the setup of `Playable.start` as JSON."""

    @property
    @abstractmethod
    def to_move(self) -> tuple[int, ...]:
        """The seats that have to move now; none while outcomes are waited for, or at the end."""

    @abstractmethod
    def legal_moves(self, seat: int) -> Iterator[str]:
        """Yield the moves of a seat in the notation of the game; there may be very many."""

    @abstractmethod
    def play(self, seat: int, move: str) -> Self:
        """Return the match after a move.

        Raises:
            GameError: naming the reason and the legal moves.
        """

    def canonical(self, move: str) -> str:
        """Return a move in the one form that all ways of writing it have in common.

        Raises:
            GameError: if it is none.
        """
        return " ".join(move.lower().split())

    @abstractmethod
    def view(self, seat: int | None) -> V:
        """Return the view of a seat; None for a spectator."""

    @abstractmethod
    def program(self) -> Program:
        """Return the circuit so far, with the awaited measurements at its end.

        All seats may see it: it holds nothing that a view hides.

        Its classical bits in order are the outcomes: the `known` ones, then the `awaited` ones. A
        circuit may start anew in the course of a match; `known` then does, too.
        """

    @property
    def known(self) -> tuple[int, ...]:
        """The outcomes of the first classical bits of `program()`; none if it begins anew."""
        return ()

    @property
    def awaited(self) -> int:
        """Number of awaited outcomes; 0 if seats move."""
        return 0

    def chances(self) -> Mapping[tuple[int, ...], Fraction]:
        """Return the exact probabilities of the outcomes waited for, given the known ones."""
        return {(): Fraction(1)}

    def collapse(self, outcomes: Sequence[int]) -> Self:
        """Return the match after the measurements that it was waiting for.

        Args:
            outcomes: 0 or 1 each, `awaited` of them.

        Raises:
            GameError: if they are none of `chances()`.
        """
        self.check_outcomes(outcomes)
        return self

    def outcomes_of(self, program: Program, bits: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return the outcomes of a machine's bits; None if they are invalid.

        Args:
            program: the match's.
            bits: measured by it, those of `known` left out.
        """
        return bits

    @property
    def shots_wanted(self) -> int:
        """Best number of a machine's shots for `settled`."""
        return 1

    def settled(self, shots: Mapping[tuple[int, ...], int], random: Random) -> tuple[int, ...]:
        """Return the outcomes that shots of a machine give: one of them, each alike.

        Args:
            shots: number of results of each of `chances()`; at least one in total.
            random: source of chance.
        """
        ways = sorted(shots)
        (outcomes,) = random.choices(ways, [shots[way] for way in ways])
        return outcomes

    def learnt(self, measured: Measured) -> Self:
        """Return the match after its measurements; its log keeps their source.

        Raises:
            GameError: see `collapse`.
        """
        after = self.collapse(measured.outcomes)
        return cast(Self, evolve(cast(Any, after), log=(*after.log[:-1], measured)))

    @property
    def unseen(self) -> bool:
        """Return whether a machine holds a state of the match without a look at it."""
        return False

    def looked(self, look: Look) -> Self:
        """Return the match after a look at it."""
        return cast(Self, evolve(cast(Any, self), log=(*self.log, Looked(look))))

    def listed(self, look: Look) -> Sequence[Seen]:
        """Return the observables that a table of the look lists; all others are drawn."""
        return look.seen

    def look_panels(self, look: Look) -> Sequence[Panel]:
        """Return pictures of the look, besides the table."""
        return ()

    @property
    def last_look(self) -> Look | None:
        """The last look, if nothing has happened since; else None."""
        last = self.log[-1] if self.log else None
        return last.look if isinstance(last, Looked) else None

    def check_turn(self, seat: int) -> None:
        """Refuse a move of a seat that does not move now.

        Raises:
            GameError: naming the seats to move.
        """
        if seat in self.to_move:
            return
        why = f"it is the turn of player {', '.join(map(str, self.to_move))}"
        if not self.to_move:
            why = "the match is over" if self.over else "measurements are waited for"
        raise GameError(f"player {seat} cannot move now: {why}")

    def check_seat(self, seat: int | None) -> None:
        """Refuse a seat that does not exist; None is a spectator.

        Raises:
            GameError: naming the valid seats.
        """
        if seat is not None and not 0 <= seat < self.seats:
            raise GameError(f"there is no player {seat}; players are 0 to {self.seats - 1}")

    def file(self) -> str:
        """Return a program that was played, as a game's TOML file: the choices are fixed in it.

        Raises:
            GameError: if there is none, or the game has no such form.
        """
        raise GameError(f"{self.game}: a match of it is no program with fixed choices")

    def fixed(self, name: str) -> Game:
        """Return the match so far as a game with fixed choices.

        Args:
            name: name of the game.

        Raises:
            GameError: if there is none.
        """
        raise GameError(f"{self.game}: a match of it is no game with fixed choices")

    @property
    @abstractmethod
    def over(self) -> bool:
        """Return whether the match has ended."""

    @property
    @abstractmethod
    def points(self) -> tuple[Fraction, ...]:
        """Points of every seat; more is better."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the most points at the end; empty before."""
        if not self.over:
            return ()
        return tuple(seat for seat, had in enumerate(self.points) if had == max(self.points))

    @property
    def result(self) -> str:
        """One sentence on who won at the end; empty before."""
        if not self.over:
            return ""
        if len(self.winners) == len(self.points):
            return "The match is over: all players have the same number of points."
        winners = " and ".join(f"player {seat}" for seat in self.winners)
        return f"The match is over: {winners} won."

    def record(self) -> Record:
        """Return the match as JSON has it, by which it is replayed exactly."""
        return {
            "game": self.game,
            "setup": self.setup(),
            "log": [as_json(entry) for entry in self.log],
        }

    def check_outcomes(self, outcomes: Sequence[int]) -> None:
        """Refuse impossible outcomes.

        Raises:
            GameError: naming the reason.
        """
        if not self.awaited:
            raise GameError("no outcome is awaited; let the seats to move play")
        if len(outcomes) != self.awaited or any(type(o) is not int for o in outcomes):
            raise GameError(
                f"outcomes {list(outcomes)!r}: give {self.awaited} of them, 0 or 1 each"
            )
        if tuple(outcomes) not in self.chances():
            raise GameError(f"outcomes {list(outcomes)!r}: cannot be measured in this state")


class RoundsMatch(Match[R]):
    """A match of a game of rounds.

    Attributes:
        view_class: class of the views.
        story: past events for people, line by line.
    """

    view_class: ClassVar[type[Any]]
    story: tuple[str, ...]

    @abstractmethod
    def own_view(self, seat: int | None) -> dict[str, Any]:
        """Return the fields of a seat's view that are not those of the match."""

    def view(self, seat: int | None) -> R:
        """Return the view of a seat; see `Match`."""
        self.check_seat(seat)
        legal = () if seat is None else tuple(self.legal_moves(seat))
        own = {"seat": seat, "legal_moves": legal, **self.own_view(seat)}
        names = (field.name for field in fields(self.view_class))
        return cast(R, self.view_class(**{
            name: own[name] if name in own else getattr(self, name) for name in names
        }))  # fmt: skip

    def noted(self, entry: Entry, *lines: str, **changes: Any) -> Self:
        """Return the match after an event.

        Args:
            entry: the event.
            lines: what the story says of it.
            changes: fields that change besides log and story.
        """
        log, story = (*self.log, entry), (*self.story, *lines)
        return cast(Self, evolve(cast(Any, self), log=log, story=story, **changes))


def replayed(start: Match[V], log: object) -> Match[V]:
    """Return a match after all events of a log.

    Args:
        start: the match as it was set up.
        log: the list of a record.

    Raises:
        GameError: naming the entry that is wrong, and why.
    """
    if not isinstance(log, list):
        raise GameError(f"log: {str(log)[:40]!r} is no list of moves and outcomes")
    match = start
    for number, entry in enumerate(log):
        with naming(f"log[{number}]"):
            match = _replayed(match, entry_from_json(entry))
    return match


def _replayed(now: Match[V], entry: Entry) -> Match[V]:
    match entry:
        case Moved():
            return now.play(entry.seat, entry.move)
        case Looked():
            return now.looked(entry.look)
        case _:
            return now.collapse(entry.outcomes) if entry.origin is None else now.learnt(entry)
