"""Handling of one card: its row, the replaced rows, and the gates on the qubits."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from games.six_nimmt.rules.cards import FULL, PENALTIES, ROWS, Choice, Operation, Options


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


class Result(NamedTuple):
    """Result of handling a card.

    Args:
        rows: the rows afterwards.
        events: gates and measurements, in order.
    """

    rows: Rows
    events: tuple[Event, ...]


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


def handle(rows: Rows, card: Handled, row: int | None, players: int, options: Options) -> Result:
    """Handle a card.

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
        return Result(tuple(after), (taken,))
    if not operation.takes_two_rows:
        events: tuple[Event, ...] = ()
        if len(rows[home]) == FULL:
            events = (replace(home, laid),)
        else:
            after[home] = (*rows[home], laid)
        if operation is not Operation.NONE:
            events = (*events, Applied(operation, (home,)))
        return Result(tuple(after), events)
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
    return Result(tuple(after), events)


def _shares(row: Sequence[Laid], taker: int, players: int, options: Options) -> tuple[int, ...]:
    shares = [0] * players
    for card in row:
        owner = taker if options.payer == "taker" or card.owner is None else card.owner
        shares[owner] += card.points
    return tuple(shares)
