"""A match of Quantum 6 Nimmt!: rounds until a player has no points left."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from attrs import Factory, evolve, frozen

from compiler.errors import GameError
from compiler.program import Program
from compiler.words.plurals import how_many
from games.encoding import encoded
from games.six_nimmt.encoding import round_circuit
from games.six_nimmt.game import POINTS, Points, SixNimmtRound, points_after
from games.six_nimmt.paths import ExactState, paths
from games.six_nimmt.rules.cards import Choice, Deck, Options, dealt, shuffled_deck
from games.six_nimmt.rules.round import Applied, Event, Prompt, Round, Taken
from games.six_nimmt.toml import round_as_toml
from play.match import RoundsMatch
from play.match_log import Entry, Measured, Moved
from play.six_nimmt.view import SeatView


@frozen(eq=False)
class SixNimmtMatch(RoundsMatch[SeatView]):
    """A match at some moment.

    A move is a choice (`53 H`) or the answer to a prompt, a row (`row 2`). Cards are handled up to
    the next prompt; the measurements before it must be complete before the answer.

    Args:
        seats: number of players.
        options: options of the rules.
        seed: seed of the decks.
        decks: decks of the first rounds, if they are given.
        number: number of the round, from 0.
        start: points of all players before the round.
        chosen: choice of each seat in this turn, hidden until all have chosen.
        turns: revealed choices of all players in the round.
        prompts: rows that were chosen in the round.
        answered: number of these rows before this turn.
        outcomes: known outcomes of the round's measurements.
        log: see `Match`.
        story: past events for people, line by line.
        ended: the last round that is over, with fixed choices; None before.
    """

    game: ClassVar[str] = "six-nimmt"
    view_class = SeatView
    seats: int
    options: Options
    seed: int
    decks: tuple[Deck, ...]
    number: int = 0
    start: Points = Factory(lambda self: (Fraction(POINTS),) * self.seats, takes_self=True)
    chosen: tuple[Choice | None, ...] = Factory(lambda self: (None,) * self.seats, takes_self=True)
    turns: tuple[tuple[Choice, ...], ...] = ()
    prompts: tuple[int, ...] = ()
    answered: int = 0
    outcomes: tuple[int, ...] = ()
    log: tuple[Entry, ...] = ()
    story: tuple[str, ...] = ()
    ended: SixNimmtRound | None = None

    def setup(self) -> dict[str, Any]:
        """Return seats, seed, and the options that differ from the default."""
        return {
            "seats": self.seats,
            "seed": self.seed,
            "options": self.options.changed(),
            "decks": [list(deck) for deck in self.decks],
        }

    @property
    def deck(self) -> Deck:
        """The deck of this round."""
        seed, decks, number = self.seed, self.decks, self.number
        return decks[number] if number < len(decks) else shuffled_deck(seed, number)

    @cached_property
    def so_far(self) -> SixNimmtRound:
        """This round as a game: its cards are handled up to the next prompt."""
        return SixNimmtRound(
            name="six-nimmt-match",
            players=self.seats,
            deck=self.deck,
            turns=self.turns,
            prompts=self.prompts,
            options=self.options,
            start=self.start,
            unfinished=True,
        )

    @property
    def round(self) -> Round:
        """The present round."""
        return self.so_far.end

    @property
    def events(self) -> tuple[Event, ...]:
        """Gates and measurements of the round."""
        return self.so_far.events

    @property
    def points(self) -> Points:
        """Points of all players after the known outcomes."""
        measured = self.so_far.takings[: len(self.outcomes)]
        return points_after(self.start, measured, _path(self.outcomes))

    @cached_property
    def _reached(self) -> tuple[ExactState, tuple[Event, ...]]:
        """The qubits before the first unknown outcome, and the events from there on."""
        qubits, outcomes = ExactState(), iter(self.outcomes)
        for place, event in enumerate(self.events):
            if isinstance(event, Applied):
                qubits = qubits.applied(event.operation, event.rows)
            elif (outcome := next(outcomes, None)) is None:
                return qubits, self.events[place:]
            else:
                qubits = qubits.collapsed(event.row, outcome)
                qubits = qubits.reset(event.row, outcome) if self._reset else qubits
        return qubits, ()

    @property
    def qubits(self) -> ExactState:
        """The state of the qubits before the first unknown outcome."""
        return self._reached[0]

    @property
    def prompt(self) -> Prompt | None:
        """The open prompt; None if there is none."""
        return None if self.awaited else self.round.prompt

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seat of the prompt, or all seats that have not chosen; see `Match`."""
        if self.awaited or self.over:
            return ()
        if self.prompt is not None:
            return (self.prompt.seat,)
        return tuple(seat for seat, choice in enumerate(self.chosen) if choice is None)

    def legal_moves(self, seat: int) -> Iterator[str]:
        """Yield rows, or cards with every operation."""
        if seat not in self.to_move:
            return
        if self.round.prompt is not None:
            yield from (f"row {row}" for row in self.round.prompt.rows)
            return
        for card in self.round.hands[seat]:
            for operation in self.round.operations(seat):
                yield str(Choice(card, operation))

    def play(self, seat: int, move: str) -> "SixNimmtMatch":
        """Return the match after a move; see `Match`."""
        self.check_turn(seat)
        if (prompt := self.prompt) is not None:
            row = _row(move)
            self.round.handled(row)
            return self.noted(
                Moved(seat, f"row {row}"),
                f"player {seat} {'takes' if prompt.takes else 'joins'} row {row} with "
                f"{prompt.choice}",
                prompts=(*self.prompts, row),
            )._go_on()
        choice = Choice.parse(move)
        self.round.check(seat, choice)
        chosen = tuple(choice if s == seat else c for s, c in enumerate(self.chosen))
        moved = Moved(seat, str(choice))
        choices = tuple(choice for choice in chosen if choice is not None)
        if len(choices) < self.seats:
            return self.noted(moved, chosen=chosen)
        shown = ", ".join(f"player {player} {choice}" for player, choice in enumerate(choices))
        return self.noted(
            moved,
            f"round {self.number + 1}, turn {self.round.turn + 1}: {shown}",
            turns=(*self.turns, choices),
            answered=len(self.prompts),
            chosen=(None,) * self.seats,
        )._go_on()

    def own_view(self, seat: int | None) -> dict[str, Any]:
        """Return the round without the other hands and hidden choices; see `RoundsMatch`."""
        _, first_cards = dealt(self.deck, self.seats)
        return {
            "turn": self.round.turn,
            "rows": self.round.rows,
            "mqops": self.round.mqops,
            "hand": () if seat is None else self.round.hands[seat],
            "choice": None if seat is None else self.chosen[seat],
            "revealed": self.turns,
            "waiting": self.round.waiting,
            "first_cards": first_cards,
        }

    def program(self) -> Program:
        """Return the circuit of this round so far; see `Match`."""
        if self.so_far.takings:
            return encoded(self.so_far)
        return Program(round_circuit(self.so_far.name, self.events, reset=self._reset))

    def file(self) -> str:
        """Return the last round in which a row was taken, all its cards included; see `Match`.

        A turn with an open prompt is left out.
        """
        played, answers = self.turns, self.prompts
        if self.round.waiting:
            played, answers = played[:-1], answers[: self.answered]
        round_ = evolve(
            self.so_far, name=self.game, turns=played, prompts=answers, unfinished=False
        )
        if not round_.takings:
            if self.ended is None:
                raise GameError("no row has been taken yet, so there is no program: play on")
            round_ = self.ended
        return round_as_toml(round_)

    @property
    def known(self) -> tuple[int, ...]:
        """The outcomes of this round; see `Match`."""
        return self.outcomes

    @property
    def awaited(self) -> int:
        """Rows that were taken and are not measured yet; see `Match`."""
        return len(self.so_far.takings) - len(self.outcomes)

    def chances(self) -> Mapping[tuple[int, ...], Fraction]:
        """Return the exact probabilities of the outcomes that are waited for."""
        qubits, events = self._reached
        ways = paths(events, qubits, reset=self._reset)
        return {
            tuple(path >> i & 1 for i in range(self.awaited)): way.probability
            for path, way in ways.items()
        }

    def collapse(self, outcomes: Sequence[int]) -> "SixNimmtMatch":
        """Return the match after measurements; see `Match`."""
        self.check_outcomes(outcomes)
        taken = self.so_far.takings[len(self.outcomes) :]
        return self.noted(
            Measured(tuple(outcomes)),
            *map(_payment, taken, outcomes),
            outcomes=(*self.outcomes, *outcomes),
        )._go_on()

    @property
    def over(self) -> bool:
        """Return whether a round has ended in which a player lost all points."""
        return not self.awaited and self.round.over and min(self.points) <= 0

    @property
    def _reset(self) -> bool:
        return self.options.measured_qubit == "reset"

    def _go_on(self) -> "SixNimmtMatch":
        """Deal anew after the last card and outcome of a round."""
        if self.awaited or not self.round.over:
            return self
        left = ", ".join(f"player {seat} {had}" for seat, had in enumerate(self.points))
        now = evolve(self, story=(*self.story, f"round {self.number + 1} ends: {left}"))
        if now.over:
            return now
        return evolve(
            now,
            number=self.number + 1,
            start=self.points,
            turns=(),
            prompts=(),
            answered=0,
            outcomes=(),
            ended=evolve(self.so_far, unfinished=False),
        )


def _path(outcomes: Sequence[int]) -> int:
    return sum(outcome << i for i, outcome in enumerate(outcomes))


def _payment(taken: Taken, outcome: int) -> str:
    """Return the text of the payment for a row."""
    losses = {seat: taken.loss(seat, outcome) for seat in range(len(taken.shares))}
    paid = ", ".join(f"player {seat} loses {loss}" for seat, loss in losses.items() if loss)
    return (
        f"row {taken.row} ({how_many(taken.points, 'point')}) goes to player {taken.seat}: "
        f"measured {outcome}, {paid or 'no player loses points'}"
    )


def _row(move: str) -> int:
    word = move.strip().lower().removeprefix("row").strip()
    if not word.isascii() or not word.isdigit() or len(word) > 1:
        raise GameError(f"{move!r}: write a row, such as 'row 2'")
    return int(word)
