"""How figures of jobs are written for people."""

from decimal import Decimal

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
