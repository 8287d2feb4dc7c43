"""What came of a game's encodings, as a table."""

from collections.abc import Sequence

from service.cli.output.printing import print_table
from service.results.jobs.compilations import TriedEncoding


def print_encodings(encodings: Sequence[TriedEncoding], width: int | None = None) -> None:
    """Write what was tried, nothing where one encoding was asked for.

    Args:
        encodings: all that were tried.
        width: of the table; see `print_table`.
    """
    rows = [(one.name, one.two_qubit_gates, one.left_out) for one in encodings]
    if rows:
        print_table("Encodings", ("encoding", "two-qubit gates", "left out"), rows, width)
