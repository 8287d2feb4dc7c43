"""Endless Fun among the games that can be played move by move."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from games.endless_fun.rules.cards import FEWEST_PLAYERS, MAX_PLAYERS
from games.endless_fun.rules.columns import Columns
from games.endless_fun.rules.moves import PASS, SIDES, read_move
from games.endless_fun.rules.round import Options
from games.endless_fun.rules.winning import MAX_MEASUREMENTS, MEASUREMENTS
from games.options import whole_number
from play.endless_fun.match import EndlessMatch
from play.endless_fun.view import SeatView
from play.playable import Bot, Playable, RandomBot, number_in, playable, read_setup
from play.rules import GameRules, GateRule, gate_picture


class GreedyBot(Bot[SeatView]):
    """Takes the card after which its value exceeds those of the others most, on average.

    The average is exact, over the winning states if the round were measured now. A move's value is
    its own value minus the mean of the others'. The stolen card is unknown, so Steal counts as no
    change. Among equal moves the choice is random.
    """

    def move(self, view: SeatView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        if view.legal_moves in (SIDES, (PASS,)):
            return random.choice(view.legal_moves)
        assert view.seat is not None
        leads: dict[object, Fraction] = {}
        values: dict[str, Fraction] = {}
        for move, table in _outlooks(view, view.seat):
            rows = tuple(table.rows())
            if rows not in leads:
                leads[rows] = _lead(view, view.seat, table)
            values[move] = leads[rows]
        best = max(values.values())
        return random.choice([move for move, value in values.items() if value == best])


def _outlooks(view: SeatView, seat: int) -> Iterator[tuple[str, Columns]]:
    """Yield every move with the cards that lie after it; after Steal nothing has changed yet."""
    for move in view.legal_moves:
        yield move, read_move(move, view.options.levels).on(view.table, seat)


def _lead(view: SeatView, seat: int, table: Columns) -> Fraction:
    """Return the average excess of the seat's value over the mean of the others'."""
    expected = view.round_with(table).winning().expected_points()
    own = expected[view.line.index(seat)]
    return own - (sum(expected) - own) / (len(expected) - 1)


RULES = GameRules(
    goal="Get the most points in three rounds. After each round all qudits are measured, and you "
    "get the value of your qudit in the winning state.",
    turn="Play a card beneath a qudit. Its gate acts after the gates above it. CNOT and SWAP point "
    "to a neighbour. Cancel turns a card on the table into I. Steal draws a card from another "
    "player, which must be played at once.",
    paper="Kopf, Hiekkamäki, Prabhakar and Fickler, Endless Fun in high dimensions, "
    "Am. J. Phys. 91, 458, 2023",
    link="https://arxiv.org/abs/2107.12007",
    gates=(
        GateRule("X", "Adds 1 or 2 to the value, modulo the number of levels.",
                 gate_picture("X", "qudit")),
        GateRule("Z", "Changes the phases of the values; a later H makes this visible.",
                 gate_picture("Z", "qudit")),
        GateRule("Y", "X, then Z.", gate_picture("Y", "qudit")),
        GateRule("H", "Turns a value into an equal superposition of all values; H1, H2 and H3 "
                 "differ in its phases.", gate_picture("H", "qudit")),
        GateRule("CNOT", "Adds the qudit's value to its neighbour's.",
                 gate_picture("CNOT", "qudit", "neighbour")),
        GateRule("SWAP", "Swaps the qudit and its neighbour.",
                 gate_picture("SWAP", "qudit", "neighbour")),
    ),
)  # fmt: skip
NAMES = {"rookie": "rookie version (Finite Fun in Flatland)", "pauli": "Y is Pauli's matrix"}

USUAL_SEATS = 4


@playable("endless-fun")
class EndlessFun(Playable[SeatView]):
    """Three rounds of cards beneath qudits."""

    title = "Endless Fun"
    rules = RULES
    names = NAMES
    seats = (FEWEST_PLAYERS, MAX_PLAYERS, USUAL_SEATS)
    options = {  # noqa: RUF012
        **Options.choices(),
        "measurements": (str(MEASUREMENTS), "1", "10", "30", "300"),
    }
    bots = {"random": RandomBot, "greedy": GreedyBot}  # noqa: RUF012
    usual_bot = "greedy"

    def start(self, setup: Mapping[str, Any]) -> EndlessMatch:
        """Return a match in which the cards are dealt.

        Args:
            setup: `seats`, `seed`, and `options`, among them `measurements`, which may be any
                number from 1 to 500.

        Raises:
            GameError: naming the invalid key or value.
        """
        read = read_setup(setup, self.seats)
        wanted = read.options.pop("measurements", MEASUREMENTS)
        measurements = whole_number("measurements", number_in(wanted), 1, MAX_MEASUREMENTS)
        options = Options.from_names(read.options, besides=("measurements",))
        return EndlessMatch.begin(read.seats, options, read.seed, measurements)
