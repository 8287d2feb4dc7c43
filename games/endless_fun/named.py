"""Rounds that have a name."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Literal

from compiler.errors import GameError, UnknownNameError
from games.endless_fun.game import EndlessRound
from games.endless_fun.rules.amplitude import DIMENSIONS
from games.endless_fun.rules.gates import GATES, Gate
from games.endless_fun.rules.round import MAX_QUDITS, Round, Row
from games.game import game, named_game
from games.series import Series, series

PAPER = Round.parsed("0210", "SWAPr X1 I H3 Z2 I I CNOTl I I I Y1")
"""The first round that the instructions work out: four players, three cards each."""

Which = Literal["paper", "pair", "three", "qubits"]

ROUNDS: Mapping[str, Round] = {
    "paper": PAPER,
    "pair": Round.parsed("00", "H3 I CNOTr I"),
    "three": Round.parsed("000", "H1 H2 H3 CNOTr SWAPr I Y1 Z2 Y2 H2 H1 CNOTl"),
    "qubits": Round.parsed("000", "H1 I I CNOTr CNOTr I", 2),
}


@game("endless-fun")
def endless_fun(which: Which = "paper") -> EndlessRound:
    """Return a round.

    Args:
        which: `endless-fun:paper` is the example of the instructions, `endless-fun:pair` two
            qutrits with equal values, `endless-fun:three` three cards of each kind of gate on
            three qutrits, `endless-fun:qubits` three qubits with equal values.

    Raises:
        UnknownNameError: if no round is called so.
    """
    if which not in ROUNDS:
        raise UnknownNameError(f"endless-fun has no round '{which}'; known: {', '.join(ROUNDS)}")
    return EndlessRound(f"endless-fun:{which}", ROUNDS[which])


def round_named(name: str) -> EndlessRound:
    """Return a round of Endless Fun by its name.

    Raises:
        GameError: if the name is that of another game.
    """
    game = named_game(name)
    if not isinstance(game, EndlessRound):
        raise GameError(f"{name} is no round of Endless Fun; see stichwerk games")
    return game


NAME = "endless-fun-random"
DEFAULTS = {"players": 3, "rows": 3, "d": 3, "seed": 1}
LIMITS = {
    "players": (1, MAX_QUDITS),
    "rows": (0, 100),
    "d": (min(DIMENSIONS), max(DIMENSIONS)),
    "seed": (0, 10**18 - 1),
}
"""The least and the largest value of each word."""

DECK = {"I": 4, "X": 4, "Y": 4, "Z": 4, "H": 15, "CNOT": 9, "SWAP": 8}
"""Number of cards of each kind, by the prefix of their gates' names."""


@game(NAME)
def endless_fun_random(words: str = "") -> EndlessRound:
    """Return a round of random cards; every qudit starts with 0.

    Args:
        words: `endless-fun-random:players=3,rows=4,d=3,seed=1`, in any order; the defaults are
            three players, three rows, three levels, seed 1.

    Raises:
        GameError: naming the invalid word.
    """
    values: dict[str, int] = {}
    for word in words.split(",") if words else ():
        key, _, value = word.partition("=")
        if key not in DEFAULTS or key in values:
            again = "twice" if key in values else "unknown"
            raise GameError(
                f"{NAME}: {word[:40]!r}: {again}; write such as players=3,rows=4,d=3,seed=1"
            )
        least, most = LIMITS[key]
        if not (value.isascii() and value.isdigit()) or len(value) > len(str(most)):
            raise GameError(f"{NAME}: {word[:40]!r}: {key} must be a whole number")
        if not least <= int(value) <= most:
            raise GameError(f"{NAME}: {word[:40]!r}: {key} must be {least} to {most}")
        values[key] = int(value)
    return _random_game(**DEFAULTS | values)


def _random_game(**values: int) -> EndlessRound:
    name = f"{NAME}:" + ",".join(f"{key}={value}" for key, value in values.items())
    return EndlessRound(name, random_round(**values))


def random_round(players: int, rows: int, d: int, seed: int) -> Round:
    """Return a round whose cards are drawn at their places, each as often as the deck has it.

    Args:
        players: number of players, which is the number of qudits.
        rows: number of rows of cards.
        d: levels of a qudit.
        seed: seed of the random numbers.
    """
    random = Random(f"endless fun {players} {rows} {d} {seed}")
    table = tuple(_row(players, d, random) for _ in range(rows))
    return Round(d, (0,) * players, table)


def _row(players: int, d: int, random: Random) -> Row:
    return tuple(_card([g for g in GATES[d] if 0 <= at + g.reach < players], random)
                 for at in range(players))  # fmt: skip


def _card(possible: Sequence[Gate], random: Random) -> Gate:
    kinds = {kind: [gate for gate in possible if gate.startswith(kind)] for kind in DECK}
    kinds_left = [kind for kind, gates in kinds.items() if gates]
    (kind,) = random.choices(kinds_left, [DECK[kind] for kind in kinds_left])
    return random.choice(kinds[kind])


def _grown(players: int) -> EndlessRound:
    return _random_game(players=players, rows=3, d=3, seed=1)


for _encoding in ("relabelled", "cards"):
    series.register(f"Endless Fun, 3D, three rows, {_encoding}")(
        Series("qudits", tuple(range(2, MAX_QUDITS + 1)), _grown, _encoding)
    )
