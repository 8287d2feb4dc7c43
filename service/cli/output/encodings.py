"""What came of a game's encodings, as a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from service.cli.output.printing import print_table


def print_encodings(encodings: Sequence[Mapping[str, Any]], width: int | None = None) -> None:
    """Write what was tried, nothing where one encoding was asked for.

    Args:
        encodings: rows of `games.contest.Tried`.
        width: of the table; see `print_table`.
    """
    rows = [(one["name"], one["two_qubit_gates"], one["left_out"]) for one in encodings]
    if rows:
        print_table("Encodings", ("encoding", "two-qubit gates", "left out"), rows, width)
