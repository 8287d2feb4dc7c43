"""How states and rounds are written."""

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
