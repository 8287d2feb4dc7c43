"""The command `skat value`: what a game is worth, and when it is worth playing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from compiler.errors import GameError
from compiler.near_misses import nearest
from games.commands import Answer, Asked
from games.playing.panels import Cell, Grid, Lines, Panel
from games.trick_taking.rules.cards import SUITS
from games.trick_taking.rules.names import suit_of
from games.trick_taking.rules.rules import GRAND, NULL
from games.trick_taking.skat.contracts import Contract
from games.trick_taking.skat.scores import Scoring, break_even, list_scores
from games.trick_taking.skat.values import Outcome, Settlement, settled, trumps

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ANNOUNCED = ("hand", "schneider", "schwarz", "ouvert")
SCORINGS = (
    ("classic; the paper's Eq. 20", Scoring.CLASSIC, None),
    ("Seeger-Fabian, the declarer's own score", Scoring.SEEGER_FABIAN, None),
    ("Seeger-Fabian against each of 3 players", Scoring.SEEGER_FABIAN, 3),
    ("Seeger-Fabian against each of 4 players", Scoring.SEEGER_FABIAN, 4),
)
INSTEAD = (
    "An overbid null counts as the cheapest suit game or grand that covers the bid, here with or "
    "without one; the declarer's own matadors may make it more."
)
DRAWN = range(18, 265)
USUAL_TRICKS = 6


def value(
    *,
    contract: Annotated[
        str, Asked("A suit, grand or null, and what is announced: 'S hand schneider'.", "CONTRACT")
    ],
    matadors: Annotated[
        int,
        Asked("With how many; below zero without how many. Not for a null.", least=-11, most=11),
    ] = 1,
    points: Annotated[int, Asked("Of the declarer, with the skat's.", least=0, most=120)] = 61,
    tricks: Annotated[
        int, Asked("Of the declarer; below zero for 6, or for none in a null.", least=-1, most=10)
    ] = -1,
    bid: Annotated[int, Asked("Up to which the declarer went.", least=18, most=264)] = 18,
) -> Answer:
    """Tell what a game of Skat counts, and from which probability on it is worth playing.

    Overbid games, lists of scores with and without Seeger and Fabian, and the probability of
    winning at which a game neither gains nor loses, as exact fractions.

    Example: `stichwerk skat value --contract "S hand" --matadors 2 --points 70 --bid 22`
    """
    meant = contract_of(contract)
    _check_matadors(meant.game, matadors)
    usual = 0 if meant.game == NULL else USUAL_TRICKS
    outcome = Outcome(points, usual if tricks < 0 else tricks)
    found = settled(meant, matadors, outcome, bid)
    worth = abs(found.value) if found.won else abs(found.value) // 2
    return Answer(_panels(meant, found, worth), _document(meant, outcome, bid, found, worth), _draw)


def contract_of(text: str) -> Contract:
    """Read a contract as people write it; what is announced implies what it needs.

    Raises:
        GameError: if it is none.
    """
    game, *announced = text.split() or [""]
    announced = [word.casefold() for word in announced]
    unknown = [word for word in announced if word not in ANNOUNCED]
    if unknown:
        near = nearest(unknown[0], ANNOUNCED)
        _refuse(text, f"; did you mean '{near}'?" if near else "")
    chosen = _game_of(text, game)
    if chosen == NULL:
        return Contract(chosen, **dict.fromkeys(announced, True))
    most = max((ANNOUNCED.index(word) for word in announced), default=-1)
    return Contract(chosen, *(place <= most for place in range(len(ANNOUNCED))))


def _game_of(text: str, game: str) -> str:
    if game.casefold() in (GRAND, NULL):
        return game.casefold()
    try:
        return suit_of(game)
    except GameError as error:
        near = nearest(game, (GRAND, NULL))
        _refuse(text, f"; did you mean '{near}'?" if near else f"; '{game}' {error}")


def _refuse(text: str, hint: str) -> NoReturn:
    raise GameError(
        f"contract '{text}': write one of {', '.join((*SUITS, GRAND, NULL))}, then any of "
        f"{', '.join(ANNOUNCED)}{hint}"
    )


def _check_matadors(game: str, matadors: int) -> None:
    if game == NULL:
        return
    most = len(trumps(game))
    if not 1 <= abs(matadors) <= most:
        raise GameError(f"matadors = {matadors}: must be from 1 to {most}, with or without")


def _panels(contract: Contract, found: Settlement, worth: int) -> Sequence[Panel]:
    ended = "won" if found.won else "lost, overbid" if found.overbid else "lost"
    rows = [
        [
            Cell(f"{scoring}, {players} players"),
            *map(_cell, list_scores([(0, found)], players, scoring)),
        ]
        for scoring in Scoring
        for players in (3, 4)
    ]
    least = [
        [Cell(name), Cell(str(break_even(worth, scoring, players))),
         Cell(f"{float(break_even(worth, scoring, players)):.4f}")]
        for name, scoring, players in SCORINGS
    ]  # fmt: skip
    return [
        Lines(
            f"{contract}: {ended}, {found.value}",
            [
                f"a game of value {worth}",
                *(["Matadors do not count in a null."] if contract.game == NULL else []),
                *([INSTEAD] if contract.game == NULL and found.overbid else []),
            ],
        ),
        Grid("On a list", ("", "declarer", "others", "", ""), rows),
        Grid("Worth playing from P(win) =", ("", "exact", ""), least),
    ]


def _cell(score: int) -> Cell:
    return Cell(str(score))


def _document(
    contract: Contract, outcome: Outcome, bid: int, found: Settlement, worth: int
) -> dict[str, Any]:
    return {
        "contract": str(contract),
        "points": outcome.points,
        "tricks": outcome.tricks,
        "bid": bid,
        "won": found.won,
        "overbid": found.overbid,
        "value": found.value,
        "game_value": worth,
        "scores": {
            f"{scoring}, {players} players": list_scores([(0, found)], players, scoring)
            for scoring in Scoring
            for players in (3, 4)
        },
        "break_even": {
            name: {"exact": str(break_even(worth, scoring, players)),
                   "decimal": float(break_even(worth, scoring, players))}
            for name, scoring, players in SCORINGS
        },
    }  # fmt: skip


def _draw(figure: "Figure") -> None:
    """Draw from which probability on games of each value are worth playing."""
    figure.set_size_inches(7.2, 4.2)
    figure.set_layout_engine("constrained")
    axes = figure.subplots()
    for name, scoring, players in SCORINGS:
        axes.plot(DRAWN, [float(break_even(v, scoring, players)) for v in DRAWN], label=name)
    axes.set_xlabel("value of the game, if it is won")
    axes.set_ylabel("P(win) from which it is worth playing")
    axes.set_ylim(0.5, 0.7)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
