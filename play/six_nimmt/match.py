"""A match of Quantum 6 Nimmt!: rounds until a player has no points left."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from attrs import evolve, field, frozen

from compiler.errors import GameError
from compiler.program import Program
from compiler.words.plurals import how_many
from games.encoding import encoded
from games.six_nimmt.encoding import round_circuit
from games.six_nimmt.game import POINTS, Points, SixNimmtRound, points_after
from games.six_nimmt.paths import ExactState, paths
from games.six_nimmt.rules.cards import Choice, Deck, Options, shuffled_deck
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
        points: points of all players.
        round: the present round.
        number: number of the round, from 0.
        start: points of all players before the round.
        chosen: choice of each seat in this turn, hidden until all have chosen.
        turns: revealed choices of all players in the round.
        prompts: rows that were chosen in the round.
        answered: number of these rows before this turn.
        events: gates and measurements of the round.
        outcomes: known outcomes of its measurements.
        applied: events whose effect is in `qubits`: all before the first unknown outcome.
        qubits: the state of the qubits.
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
    points: Points
    round: Round
    number: int = 0
    start: Points = field()
    chosen: tuple[Choice | None, ...] = field()
    turns: tuple[tuple[Choice, ...], ...] = ()
    prompts: tuple[int, ...] = ()
    answered: int = 0
    events: tuple[Event, ...] = ()
    outcomes: tuple[int, ...] = ()
    applied: int = 0
    qubits: ExactState = field(factory=ExactState)
    log: tuple[Entry, ...] = ()
    story: tuple[str, ...] = ()
    ended: SixNimmtRound | None = None

    @start.default
    def _points_now(self) -> Points:
        return self.points

    @chosen.default
    def _nothing(self) -> tuple[None, ...]:
        return (None,) * self.seats

    @classmethod
    def begin(
        cls, seats: int, options: Options, seed: int, decks: tuple[Deck, ...] = ()
    ) -> "SixNimmtMatch":
        """Return a match whose first round is dealt."""
        first = Round.start(seats, options, _deck(seed, decks, 0))
        return cls(seats, options, seed, decks, (Fraction(POINTS),) * seats, first)

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
        return _deck(self.seed, self.decks, self.number)

    @property
    def prompt(self) -> Prompt | None:
        """The open prompt; None if there is none."""
        return None if self.awaited else self.round.prompt

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seat of the prompt, or all seats that have not chosen; see `Match`."""
        if self.awaited or self.over:
            return ()
        if self.round.prompt is not None:
            return (self.round.prompt.seat,)
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
        if self.round.prompt is not None:
            row = _row(move)
            verb = "takes" if self.round.prompt.takes else "joins"
            after, events = self.round.handled(row)
            return self.noted(
                Moved(seat, f"row {row}"),
                f"player {seat} {verb} row {row} with {self.round.prompt.choice}",
                round=after,
                prompts=(*self.prompts, row),
                events=(*self.events, *events),
            )._handle()
        choice = Choice.parse(move)
        self.round.check(seat, choice)
        chosen = tuple(choice if s == seat else c for s, c in enumerate(self.chosen))
        moved = self.noted(Moved(seat, str(choice)), chosen=chosen)
        choices = tuple(choice for choice in chosen if choice is not None)
        if len(choices) < self.seats:
            return moved
        shown = ", ".join(f"player {player} {made}" for player, made in enumerate(choices))
        line = f"round {self.number + 1}, turn {self.round.turn + 1}: {shown}"
        return evolve(
            moved,
            round=self.round.chosen(choices),
            turns=(*self.turns, choices),
            answered=len(self.prompts),
            chosen=(None,) * self.seats,
            story=(*self.story, line),
        )._handle()

    def own_view(self, seat: int | None) -> dict[str, Any]:
        """Return the round without the other hands and hidden choices; see `RoundsMatch`."""
        start = Round.start(self.seats, self.options, self.deck)
        return {
            "turn": self.round.turn,
            "rows": self.round.rows,
            "mqops": self.round.mqops,
            "hand": () if seat is None else self.round.hands[seat],
            "choice": None if seat is None else self.chosen[seat],
            "revealed": self.turns,
            "waiting": self.round.waiting,
            "first_cards": tuple(row[0].number for row in start.rows),
        }

    def program(self) -> Program:
        """Return the circuit of this round so far; see `Match`."""
        so_far = self._fixed()
        if so_far.takings:
            return encoded(so_far)
        return Program(round_circuit(so_far.name, so_far.events, reset=self._reset))

    def file(self) -> str:
        """Return the last round in which a row was taken, all its cards included; see `Match`.

        A turn with an open prompt is left out.
        """
        played, answers = self.turns, self.prompts
        if self.round.waiting:
            played, answers = played[:-1], answers[: self.answered]
        round_ = evolve(
            self._fixed(), name=self.game, turns=played, prompts=answers, unfinished=False
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
    def takings(self) -> tuple[Taken, ...]:
        """The measurements of this round, in order."""
        return tuple(event for event in self.events if isinstance(event, Taken))

    @property
    def awaited(self) -> int:
        """Rows that were taken and are not measured yet; see `Match`."""
        return len(self.takings) - len(self.outcomes)

    def chances(self) -> Mapping[tuple[int, ...], Fraction]:
        """Return the exact probabilities of the outcomes that are waited for."""
        ways = paths(self.events[self.applied :], self.qubits, reset=self._reset)
        return {
            tuple(path >> i & 1 for i in range(self.awaited)): way.probability
            for path, way in ways.items()
        }

    def collapse(self, outcomes: Sequence[int]) -> "SixNimmtMatch":
        """Return the match after measurements; see `Match`."""
        self.check_outcomes(outcomes)
        taken = self.takings[len(self.outcomes) :]
        path = sum(outcome << i for i, outcome in enumerate(outcomes))
        return self.noted(
            Measured(tuple(outcomes)),
            *map(_payment, taken, outcomes),
            points=points_after(self.points, taken, path),
            outcomes=(*self.outcomes, *outcomes),
        )._go_on()

    @property
    def over(self) -> bool:
        """Return whether a round has ended in which a player lost all points."""
        return not self.awaited and self.round.over and min(self.points) <= 0

    def _fixed(self) -> SixNimmtRound:
        return SixNimmtRound(
            name="six-nimmt-match",
            players=self.seats,
            deck=self.deck,
            turns=self.turns,
            prompts=self.prompts,
            options=self.options,
            start=self.start,
            unfinished=bool(self.round.waiting),
        )

    @property
    def _reset(self) -> bool:
        return self.options.measured_qubit == "reset"

    def _handle(self) -> "SixNimmtMatch":
        """Handle cards up to the next prompt."""
        now, events = self.round, self.events
        while now.waiting and now.prompt is None:
            now, happened = now.handled()
            events = (*events, *happened)
        return evolve(self, round=now, events=events)._go_on()

    def _go_on(self) -> "SixNimmtMatch":
        """Let gates act up to the first unknown outcome, and deal anew after the last one."""
        qubits, applied = self.qubits, self.applied
        measured = sum(isinstance(event, Taken) for event in self.events[:applied])
        for event in self.events[applied:]:
            if isinstance(event, Applied):
                qubits = qubits.applied(event.operation, event.rows)
            elif measured < len(self.outcomes):
                outcome = self.outcomes[measured]
                qubits = qubits.collapsed(event.row, outcome)
                qubits = qubits.reset(event.row, outcome) if self._reset else qubits
                measured += 1
            else:
                break
            applied += 1
        now = evolve(self, qubits=qubits, applied=applied)
        if now.awaited or not now.round.over:
            return now
        left = ", ".join(f"player {seat} {had}" for seat, had in enumerate(now.points))
        now = evolve(now, story=(*now.story, f"round {now.number + 1} ends: {left}"))
        if now.over:
            return now
        number = self.number + 1
        return evolve(
            now,
            number=number,
            round=Round.start(self.seats, self.options, _deck(self.seed, self.decks, number)),
            start=now.points,
            turns=(),
            prompts=(),
            answered=0,
            ended=now._fixed(),
            events=(),
            outcomes=(),
            applied=0,
            qubits=ExactState(),
        )


def _deck(seed: int, decks: tuple[Deck, ...], number: int) -> Deck:
    return decks[number] if number < len(decks) else shuffled_deck(seed, number)


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
