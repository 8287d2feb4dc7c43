"""What has happened in a match, in words."""

from collections.abc import Sequence
from fractions import Fraction

from compiler.counting import counted
from games.six_nimmt.rules.choices import Choice
from games.six_nimmt.rules.round import Prompt
from games.six_nimmt.rules.rows import Taken


def told_choices(number: int, turn: int, choices: Sequence[Choice]) -> str:
    """Return everybody's choices as they are revealed.

    Args:
        number: of the round, from 0.
        turn: of the round, from 0.
        choices: by seat.
    """
    shown = ", ".join(f"player {seat} {choice}" for seat, choice in enumerate(choices))
    return f"round {number + 1}, turn {turn + 1}: {shown}"


def told_row(prompt: Prompt, row: int) -> str:
    """Return what somebody has answered."""
    what = "takes" if prompt.takes else "joins"
    return f"player {prompt.seat} {what} row {row} with {prompt.choice}"


def told_taken(taken: Taken, outcome: int) -> str:
    """Return who pays for a row."""
    count = counted(taken.points, "point")
    start = f"row {taken.row} ({count}) goes to player {taken.seat}: measured {outcome}, "
    seats = range(len(taken.shares))
    losses = {seat: taken.loss(seat, outcome) for seat in seats}
    paid = ", ".join(f"player {seat} loses {loss}" for seat, loss in losses.items() if loss)
    return start + (paid or "nobody loses anything")


def told_end(number: int, points: Sequence[Fraction]) -> str:
    """Return everybody's points at the end of a round, which is counted from 0."""
    left = ", ".join(f"player {seat} {had}" for seat, had in enumerate(points))
    return f"round {number + 1} ends: {left}"
