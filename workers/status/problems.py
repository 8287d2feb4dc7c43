"""What is wrong with a part of the service, and how durations are said."""

from attrs import Factory, define


@define
class Problems:
    """What is wrong, and what is worth knowing though it is not.

    Args:
        problems: each in one line: what is wrong, and what to do.
        notes: likewise.
    """

    problems: list[str] = Factory(list)
    notes: list[str] = Factory(list)


def spoken(seconds: float) -> str:
    """Return a duration in the largest unit of which it is at least two."""
    for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"
