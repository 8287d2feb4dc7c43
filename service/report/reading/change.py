"""Whether a circuit takes more gates than the one before."""

from attrs import frozen


@frozen
class GatesChange:
    """What became of a number of gates.

    Args:
        difference: the newer minus the older number.
        verdict: `better`, `worse` or `same`.
    """

    difference: int
    verdict: str


def gates_change(new: int | None, old: int | None) -> GatesChange | None:
    """Compare two numbers of gates, of which fewer are better; None if one is not known."""
    if new is None or old is None:
        return None
    verdict = "same" if new == old else "better" if new < old else "worse"
    return GatesChange(new - old, verdict)
