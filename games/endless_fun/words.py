"""How states and rounds are written."""

from collections.abc import Sequence
from fractions import Fraction

from games.endless_fun.rules.state import Values

SMALL = Fraction(1, 10**6)


def state_text(values: Values) -> str:
    """Return a digit for each qudit, such as `2122`."""
    return "".join(map(str, values))


def ket(values: Values) -> str:
    """Return a basis state, such as `|2122⟩`."""
    return f"|{state_text(values)}⟩"


def percent(chance: Fraction) -> str:
    """Return a probability for people; only what is certain or impossible looks so."""
    if 0 < chance < SMALL:
        return f"{float(chance):.1e}"
    if 1 - SMALL < chance < 1:
        return ">99.9999%"
    return f"{float(chance):.4%}"


def told_pawn(seat: int, side: str) -> str:
    """Return where a pawn was placed."""
    return f"player {seat} sits down on the {side}"


def told_move(seat: int, move: str) -> str:
    """Return what a seat has done."""
    return f"player {seat}: {move}"


def told_end(number: int, won: Values, points: Sequence[Fraction]) -> str:
    """Return what was measured at the end of a round, which is counted from 0.

    Args:
        number: of the round.
        won: the winning state, by qudit.
        points: everybody's, by seat.
    """
    had = ", ".join(f"player {seat} {sum_}" for seat, sum_ in enumerate(points))
    return f"round {number + 1} ends in {state_text(won)}: {had}"
