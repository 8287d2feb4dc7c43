"""A round: the hands, the choices, and the handling of each card."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from attrs import evolve, frozen

from compiler.errors import GameError, naming
from games.six_nimmt.rules.cards import (
    FULL,
    PENALTIES,
    ROWS,
    Choice,
    Deck,
    Operation,
    Options,
    dealt,
)


class Laid(NamedTuple):
    """A card in a row.

    Args:
        number: number for the next card's choice of a row; fillers inherit it.
        points: penalty points; 0 for fillers.
        owner: the seat that has laid it; None for the first card of a row.
    """

    number: int
    points: int
    owner: int | None = None


Row = tuple[Laid, ...]
Rows = tuple[Row, ...]


class Handled(NamedTuple):
    """A choice that waits to be handled, or is."""

    seat: int
    choice: Choice


class Applied(NamedTuple):
    """An operation that acts on the qubits of rows; of CNOT the first one controls."""

    operation: Operation
    rows: tuple[int, ...]


class Taken(NamedTuple):
    """A row that is replaced: its qubit is measured, and the outcome decides who pays.

    Args:
        row: number of the row.
        seat: seat of the card that replaces it.
        shares: points that each seat loses if 0 is measured. If it is 1, all others lose their
            sum in equal parts.
    """

    row: int
    seat: int
    shares: tuple[int, ...]

    @property
    def points(self) -> int:
        """Total cost of the row's cards, independent of measurement results."""
        return sum(self.shares)

    def loss(self, seat: int, outcome: int) -> Fraction:
        """Return the points that a seat loses."""
        if not outcome:
            return Fraction(self.shares[seat])
        if seat == self.seat:
            return Fraction(0)
        return Fraction(self.points, len(self.shares) - 1)


Event = Applied | Taken


def home_row(rows: Rows, card: int) -> int | None:
    """Return the row with the largest last number below a card, None if there is none."""
    best, result = 0, None
    for place, row in enumerate(rows):
        last = row[-1].number
        if best < last < card:
            best, result = last, place
    return result


def rows_to_choose(rows: Rows, choice: Choice) -> tuple[int, ...]:
    """Return the rows among which a card's player chooses when it is handled; perhaps none.

    For a card below all rows these are all rows; for an operation on two rows, the others.
    """
    home = home_row(rows, choice.card)
    if home is None:
        return tuple(range(ROWS))
    if choice.operation.takes_two_rows:
        return tuple(row for row in range(ROWS) if row != home)
    return ()


def handle(
    rows: Rows, card: Handled, row: int | None, players: int, options: Options
) -> tuple[Rows, tuple[Event, ...]]:
    """Handle a card; return the rows afterwards, and gates and measurements in order.

    Args:
        rows: the rows before.
        card: the seat and its choice.
        row: the answer to `rows_to_choose`; None where that is empty.
        players: number of players.
        options: options of the rules.
    """
    seat, (number, operation) = card
    laid = Laid(number, PENALTIES[number], seat)
    home = home_row(rows, number)
    after = list(rows)

    def replace(place: int, first: Laid) -> Taken:
        taken = Taken(place, seat, _shares(rows[place], seat, players, options))
        after[place] = (first,)
        return taken

    if home is None:
        if row is None:
            raise ValueError(f"card {number} is below all rows: say which one is taken")
        taken = replace(row, laid)
        return tuple(after), (taken,)
    if not operation.takes_two_rows:
        events: tuple[Event, ...] = ()
        if len(rows[home]) == FULL:
            events = (replace(home, laid),)
        else:
            after[home] = (*rows[home], laid)
        if operation is not Operation.NONE:
            events = (*events, Applied(operation, (home,)))
        return tuple(after), events
    if row is None:
        raise ValueError(f"{operation} of card {number}: say which other row")
    filler = Laid(rows[row][-1].number, 0, seat)
    events = ()
    if FULL in (len(rows[home]), len(rows[row])):
        events = (replace(home, laid), replace(row, filler))
    elif options.fillers == "yes":
        length = max(len(rows[home]), len(rows[row]))
        own = Laid(rows[home][-1].number, 0, seat)
        after[home] = (*rows[home], *[own] * (length - len(rows[home])), laid)
        after[row] = (*rows[row], *[filler] * (length + 1 - len(rows[row])))
    else:
        after[home] = (*rows[home], laid)
    if options.two_qubit_operations == "act":
        events = (*events, Applied(operation, (home, row)))
    return tuple(after), events


def _shares(row: Sequence[Laid], taker: int, players: int, options: Options) -> tuple[int, ...]:
    shares = [0] * players
    for card in row:
        owner = taker if options.payer == "taker" or card.owner is None else card.owner
        shares[owner] += card.points
    return tuple(shares)


KEPT_ROUNDS = 64
"""Number of rounds whose course is cached."""

MQOPS = 2
"""Operations on two qubits that a player has in a round."""


class Prompt(NamedTuple):
    """A choice of a row before the next card is handled.

    Args:
        seat: the seat that chooses.
        choice: the card that is handled.
        rows: the rows to choose from.
        takes: whether the row is taken; otherwise it is the other row of an operation.
    """

    seat: int
    choice: Choice
    rows: tuple[int, ...]
    takes: bool


@frozen
class Round:
    """A round at some moment; it does not depend on measurement results.

    Args:
        players: number of players.
        options: options of the rules.
        rows: the cards on the table.
        hands: cards of each seat, in ascending order.
        mqops: remaining mqops of each seat.
        waiting: cards of this turn that are not handled yet, in the order of handling.
        turn: number of turns with complete choices.
    """

    players: int
    options: Options
    rows: Rows
    hands: tuple[tuple[int, ...], ...]
    mqops: tuple[int, ...]
    waiting: tuple[Handled, ...] = ()
    turn: int = 0

    @classmethod
    def start(cls, players: int, options: Options, deck: Deck) -> "Round":
        """Return a round as it is dealt."""
        hands, first = dealt(deck, players)
        rows = tuple((Laid(card, PENALTIES[card]),) for card in first)
        return cls(players, options, rows, hands, (MQOPS,) * players)

    @property
    def over(self) -> bool:
        """Return whether all cards are handled."""
        return not self.waiting and not any(self.hands)

    @property
    def prompt(self) -> Prompt | None:
        """The choice that is required before the next card, None if there is none."""
        if not self.waiting:
            return None
        seat, choice = self.waiting[0]
        rows = rows_to_choose(self.rows, choice)
        if not rows:
            return None
        return Prompt(seat, choice, rows, home_row(self.rows, choice.card) is None)

    def operations(self, seat: int) -> tuple[Operation, ...]:
        """Return the operations that a seat may choose."""
        free = self.options.without_mqops == "negative" or self.mqops[seat] > 0
        return tuple(operation for operation in Operation if free or not operation.takes_two_rows)

    def check(self, seat: int, choice: Choice) -> None:
        """Refuse an illegal choice of a seat.

        Raises:
            GameError: naming the reason.
        """
        if choice.card not in self.hands[seat]:
            held = ", ".join(map(str, self.hands[seat])) or "nothing"
            raise GameError(f"card {choice.card}: player {seat} holds {held}; choose one of these")
        if choice.operation not in self.operations(seat):
            raise GameError(
                f"{choice.operation}: player {seat} has no two-qubit operation left; choose H, Z "
                "or nothing"
            )

    def chosen(self, choices: Sequence[Choice]) -> "Round":
        """Return the round with all choices revealed, and no card of them handled.

        Raises:
            GameError: if a choice is illegal.
        """
        if len(choices) != self.players:
            raise GameError(f"{len(choices)} choices; give one for each of {self.players} players")
        for seat, choice in enumerate(choices):
            self.check(seat, choice)
        cards = sorted(enumerate(choices), key=lambda item: item[1].card)
        return evolve(
            self,
            hands=tuple(
                tuple(card for card in hand if card != choice.card)
                for hand, choice in zip(self.hands, choices, strict=True)
            ),
            mqops=tuple(
                left - choice.operation.takes_two_rows
                for left, choice in zip(self.mqops, choices, strict=True)
            ),
            waiting=tuple(Handled(seat, choice) for seat, choice in cards),
            turn=self.turn + 1,
        )

    def handled(self, row: int | None = None) -> "tuple[Round, tuple[Event, ...]]":
        """Return the round after its next card, and that card's effect on the qubits.

        Args:
            row: the answer to `prompt`; None if there is none.

        Raises:
            GameError: if that row cannot be chosen.
        """
        prompt = self.prompt
        if prompt is not None and row not in prompt.rows:
            raise GameError(
                f"row {row!r}: player {prompt.seat} chooses row "
                f"{', '.join(map(str, prompt.rows[:-1]))} or {prompt.rows[-1]} for "
                f"{prompt.choice}"
            )
        card, *remaining = self.waiting
        rows, events = handle(self.rows, card, row, self.players, self.options)
        mqops = self.mqops
        low = prompt is not None and prompt.takes
        if low and card.choice.operation.takes_two_rows and self.options.low_card_mqop == "back":
            mqops = tuple(left + (seat == card.seat) for seat, left in enumerate(mqops))
        return evolve(self, rows=rows, waiting=tuple(remaining), mqops=mqops), events


@lru_cache(KEPT_ROUNDS)
def played(
    start: Round,
    turns: tuple[tuple[Choice, ...], ...],
    prompts: tuple[int, ...],
    *,
    unfinished: bool,
) -> tuple[Round, tuple[Event, ...]]:
    """Return a round after some turns, and its gates and measurements.

    Args:
        start: the round after the deal.
        turns: choices of all players in every turn, by seat.
        prompts: the rows that were chosen, in order.
        unfinished: whether the last turn may end at a prompt without an answer.

    Raises:
        GameError: naming the turn and its error.
    """
    now, events, left = start, list[Event](), list(prompts)
    for number, choices in enumerate(turns):
        with naming(f"turn {number}"):
            now = now.chosen(choices)
            while now.waiting:
                prompt = now.prompt
                if prompt is not None and not left:
                    if unfinished:
                        break
                    raise GameError(
                        f"{len(prompts)} prompts are too few; add the row that player "
                        f"{prompt.seat} chooses for {prompt.choice}"
                    )
                now, happened = now.handled(None if prompt is None else left.pop(0))
                events += happened
    if left:
        prompted = len(prompts) - len(left)
        raise GameError(f"prompts: {len(prompts)} rows, and only {prompted} are asked for")
    return now, tuple(events)
