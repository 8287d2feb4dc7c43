"""What has happened in a match, in words."""

from collections.abc import Sequence
from fractions import Fraction

from games.endless_fun.rules.state import Values
from games.endless_fun.words import state_text


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
