"""Levels that a game can end on: lost or won, schneider, schwarz."""

from games.trick_taking.rules.rules import NULL
from games.trick_taking.skat.contracts import Contract
from games.trick_taking.skat.values import ALL_POINTS, NEEDED, SCHNEIDER, TRICKS, Outcome

LOST_SCHWARZ, LOST_SCHNEIDER, LOST, WON, WON_SCHNEIDER, WON_SCHWARZ = range(6)
"""The declarer has no trick; a trick; 31 points; 61; 90; every trick. A null is lost or won."""
LEVELS = 6
NO_SCHNEIDER = ALL_POINTS - SCHNEIDER + 1

_OUTCOMES = (
    Outcome(0, 0),
    Outcome(NO_SCHNEIDER - 1, 1),
    Outcome(NEEDED - 1, 5),
    Outcome(NEEDED, 6),
    Outcome(SCHNEIDER, 9),
    Outcome(ALL_POINTS, TRICKS),
)
_NULL_LOST, _NULL_WON = Outcome(0, 1), Outcome(0, 0)


def outcome_of(contract: Contract, level: int) -> Outcome:
    """Return an outcome of a level."""
    if contract.game == NULL:
        return _NULL_WON if level >= WON else _NULL_LOST
    return _OUTCOMES[level]


def needed_level(contract: Contract) -> int:
    """Return the lowest level on which a contract is won, if it is not overbid."""
    if contract.schwarz:
        return WON_SCHWARZ
    return WON_SCHNEIDER if contract.schneider else WON
