"""What a file of the whole game of Skat need not say."""

from collections.abc import Mapping
from typing import Any

from games.trick_taking.rules.cards import POINTS, SUITS
from games.trick_taking.rules.names import seat_of
from games.trick_taking.rules.rules import NULL, Rules

PLAYERS, TRICKS = 3, 10
NEEDED = {1: 61, 2: 60}
"""Points with which a declarer wins, and with which the two others do."""
DECK = tuple(suit + rank for suit in SUITS for rank in POINTS)


def completed(table: Mapping[str, Any], rules: Rules) -> Mapping[str, Any]:
    """Return a document of skat rules with what it leaves out; any other one as it is.

    Without a deck it is the whole game: all 32 cards, three players, ten tricks less those that
    were taken, seat 0 as the declarer, who gets the skat's points and needs 61; if the others are
    the party, they need 60.

    Args:
        table: the document.
        rules: its rules.
    """
    if rules.contract is None or "deck" in table or table.get("players", PLAYERS) != PLAYERS:
        return table
    party = table.get("party", [0])
    given: dict[str, Any] = {"players": PLAYERS, "deck": list(DECK), "party": party,
             "hand": TRICKS - _tricks(table.get("taken"))}  # fmt: skip
    named = [seat_of(one, PLAYERS) for one in party] if isinstance(party, list) else []
    alone = named if len(named) == 1 else [one for one in range(PLAYERS) if one not in named]
    if rules.contract != NULL and len(named) in NEEDED and len(alone) == 1:
        given["skat_to"] = alone[0]
        if not {"points", "base_points"} & table.keys():
            given["threshold"] = NEEDED[len(named)]
    return given | dict(table)


def _tricks(taken: object) -> int:
    """Return how many tricks lie on stacks; what is no stack is refused where it is read."""
    if not isinstance(taken, Mapping):
        return 0
    cards = sum(len(stack) for stack in taken.values() if isinstance(stack, list))
    return min(cards // PLAYERS, TRICKS - 1)
