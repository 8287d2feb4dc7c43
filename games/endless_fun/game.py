"""A round of Endless Fun whose cards are placed, as a game with a judge."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from attrs import field, frozen

from compiler.errors import GameError
from compiler.judge import Kind, Observable
from compiler.words.plurals import how_many
from games.endless_fun.rules.round import Columns, Options, Round
from games.endless_fun.rules.state import KEPT_ROUNDS, State, Values, end_state, state_text
from games.endless_fun.rules.winning import (
    MAX_MEASUREMENTS,
    MEASUREMENTS,
    WinningChances,
    winning_chances,
)
from games.game import Fact, Game
from games.options import whole_number
from games.toml import checked_options, game_kind, toml_text


@frozen(cache_hash=True)
class EndlessRound(Game):
    """A round that is measured once, or n times to find its winning state.

    An outcome is the result of one measurement: bits b·j to b·j + b − 1 are the value of qudit j,
    counted from the left, with b = 1 for two levels and 2 for three.

    Args:
        name: name of the game.
        round: start, dimension and cards.
        measurements: n.

    Raises:
        GameError: if the number of measurements is invalid.
    """

    name: str
    round: Round
    measurements: int = field(default=MEASUREMENTS)
    legend = "the value of each qudit, from the left"

    def __attrs_post_init__(self) -> None:
        whole_number("measurements", self.measurements, 1, MAX_MEASUREMENTS)

    @property
    def title(self) -> str:
        """One line for lists."""
        qudits, rows = self.round.qudits, len(self.round.rows)
        levels = f"{self.round.dimension}D"
        return f"Endless Fun, {how_many(qudits, 'qudit')}, {levels}, {how_many(rows, 'row')}"

    @property
    def reading(self) -> str:
        """Explanation of a label."""
        return f"{self.title}. An outcome is the value of every qudit, from the left."

    @property
    def bits(self) -> int:
        """Bits that hold a qudit's value."""
        return 1 if self.round.dimension == 2 else 2

    @property
    def outcome_bits(self) -> int:
        """Number of bits of all qudits."""
        return self.bits * self.round.qudits

    @property
    def counts(self) -> Mapping[str, int]:
        """Gates, and states that can be measured."""
        return {
            "gates": sum(1 for _ in self.round.steps()),
            "states": len(_probabilities(self.round)),
        }

    def facts(self) -> Mapping[str, Fact]:
        """Return the facts, the winning state included."""
        chances = self.winning()
        favourite = chances.favourite()
        wins = float(Fraction(chances.weights[favourite], chances.total))
        expected = {
            f"qudit {place}": f"{float(points):.6g}"
            for place, points in enumerate(chances.expected_points(), start=1)
        }
        return {
            **self.counts,
            "favourite": f"{state_text(favourite)}, which wins with probability {wins:.6g}",
            "expected_points": expected,
            **self.outcome_facts(),
        }

    @property
    def axes(self) -> Mapping[str, int]:
        """Qudits, levels and rows."""
        return {
            "qudits": self.round.qudits,
            "levels": self.round.dimension,
            "rows": len(self.round.rows),
        }

    @property
    def observables(self) -> Sequence[Observable]:
        """The favourite, each player's value, and the highest value.

        `winning_state` is whether one measurement gives the favourite, the likeliest winner;
        `qudit_1_highest` is whether no qudit has a higher value than the first one.
        """
        names = [(s, f"qudit_{s + 1}") for s in range(self.round.qudits)]
        return (
            Observable("winning_state", Kind.EVENT,
                       lambda outcome: int(self.values(outcome) == self.winning().favourite())),
            *(Observable(f"{q}_value", Kind.NUMBER, partial(self._value, s)) for s, q in names),
            *(Observable(f"{q}_highest", Kind.EVENT, partial(self._leads, s)) for s, q in names),
        )  # fmt: skip

    def _value(self, seat: int, outcome: int) -> int:
        return self.values(outcome)[seat]

    def _leads(self, seat: int, outcome: int) -> int:
        values = self.values(outcome)
        return int(values[seat] == max(values))

    def values(self, outcome: int) -> Values:
        """Return the value of every qudit."""
        mask = (1 << self.bits) - 1
        return tuple(outcome >> self.bits * j & mask for j in range(self.round.qudits))

    def outcome_of(self, values: Values) -> int:
        """Return the outcome that a basis state is."""
        return sum(value << self.bits * j for j, value in enumerate(values))

    def bits_of(self, values: Values) -> tuple[int, ...]:
        """Return the bits of the outcome that a basis state is, the lowest first."""
        outcome = self.outcome_of(values)
        return tuple(outcome >> i & 1 for i in range(self.outcome_bits))

    def values_of(self, bits: Sequence[int]) -> Values:
        """Return the basis state of some bits; see `bits_of`."""
        return self.values(sum(bit << i for i, bit in enumerate(bits)))

    def state(self) -> State:
        """Return the exact end state."""
        return end_state(self.round)

    def winning(self) -> WinningChances:
        """Return the exact probability that each state is the winning state."""
        return winning_chances(self.state(), self.measurements)

    def exact_distribution(self) -> Mapping[int, Fraction]:
        """Return the probability of every outcome of one measurement; see `Game`."""
        return {self.outcome_of(values): p for values, p in _probabilities(self.round).items()}

    def most_states(self) -> int:
        """Return the number of basis states."""
        return int(self.round.dimension**self.round.qudits)

    def is_legal(self, outcome: int) -> bool:
        """Return whether the outcome is possible."""
        fits = 0 <= outcome < 1 << self.outcome_bits
        return fits and self.values(outcome) in _probabilities(self.round)

    def describe(self, outcome: int) -> str:
        """Return a digit for each qudit, the first one on the left."""
        return state_text(self.values(outcome))


def match_round(options: Options, start: Values, table: Columns, measurements: int) -> EndlessRound:
    """Return the cards that lie in a match as a game.

    Args:
        options: options of the match.
        start: the value of each qudit at the beginning of the round.
        table: the cards.
        measurements: see `EndlessRound`.
    """
    played = Round(options.levels, start, tuple(table.rows()), options.is_pauli)
    return EndlessRound("endless-fun-match", played, measurements)


@lru_cache(KEPT_ROUNDS)
def _probabilities(played: Round) -> Mapping[Values, Fraction]:
    return end_state(played).probabilities()


KEYS = ("dimension", "start", "rows", "measurements", "pauli")
MAX_ROWS = 1000


@game_kind("endless-fun")
def round_from_toml(name: str, table: Mapping[str, Any]) -> EndlessRound:
    """Read a round of Endless Fun.

    Keys: `start`, a digit for each qudit; `rows`, for each row of cards a text with a gate for
    each qudit, `I` where no card lies; `dimension`, 3 by default or 2; `measurements`, 100 by
    default; `pauli`, whether Y of 2D is Pauli's matrix, false by default.

    Raises:
        GameError: naming the offending key and value.
    """
    checked_options(table, KEYS, "an endless-fun round")
    start, rows = table.get("start"), table.get("rows")
    if not isinstance(start, str):
        raise GameError(f"start = {start!r}: write a digit for each qudit, such as '0210'")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise GameError("rows: give a list of texts such as 'SWAPr X1 I H3', one a row")
    if len(rows) > MAX_ROWS:
        raise GameError(f"rows: {len(rows)} of them; give at most {MAX_ROWS}")
    dimension, pauli = table.get("dimension", 3), table.get("pauli", False)
    if not isinstance(pauli, bool):
        raise GameError(f"pauli = {pauli!r}: must be true or false")
    played = Round.parsed(start, rows, dimension, pauli)
    return EndlessRound(name, played, table.get("measurements", MEASUREMENTS))


def round_as_toml(game: EndlessRound) -> str:
    """Return a round as the document that `round_from_toml` reads."""
    played = game.round
    return toml_text(
        "endless-fun",
        {
            "dimension": played.dimension,
            "start": state_text(played.start),
            "rows": [" ".join(row) for row in played.rows],
            "measurements": game.measurements,
            "pauli": played.pauli,
        },
    )
