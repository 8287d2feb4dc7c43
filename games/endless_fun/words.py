"""How states and rounds are written."""

from games.endless_fun.rules.state import Values


def state_text(values: Values) -> str:
    """Return a digit for each qudit, such as `2122`."""
    return "".join(map(str, values))


def ket(values: Values) -> str:
    """Return a basis state, such as `|2122⟩`."""
    return f"|{state_text(values)}⟩"
