"""How figures of jobs are written for people."""

from collections.abc import Sequence
from decimal import Decimal

from service.cli.output.printing import print_table
from service.results.jobs.compilations import TriedEncoding

MOST_DIGITS = 10_000
"""Numbers from here on are shown as integers: four digits would leave an exponent."""


def share(value: object) -> object:
    """Return a share or a fidelity with three decimals, as a text; nothing for None."""
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else value


def figure(value: object) -> object:
    """Return any value, a large number without its decimals."""
    return round(value) if isinstance(value, float) and value >= MOST_DIGITS else value


def money(usd: Decimal | None) -> str:
    """Return US dollars with two significant digits; empty for None."""
    if usd is None:
        return ""
    return f"{usd:.2f}" if usd >= 1 or not usd else f"{usd:.4f}".rstrip("0")


def print_encodings(encodings: Sequence[TriedEncoding], width: int | None = None) -> None:
    """Write what was tried, nothing where one encoding was asked for.

    Args:
        encodings: all that were tried.
        width: of the table; see `print_table`.
    """
    rows = [(one.name, one.two_qubit_gates, one.left_out) for one in encodings]
    if rows:
        print_table("Encodings", ("encoding", "two-qubit gates", "left out"), rows, width)
