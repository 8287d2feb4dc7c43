"""Suggestions for unknown names."""

import difflib
from collections.abc import Iterable


def nearest(name: str, names: Iterable[str], alike: float = 0.6) -> str:
    """Return the known name that is most like another, in any case; empty if none is.

    Args:
        name: that was written.
        names: the names that there are.
        alike: how much alike two must be, from 0 to 1 for the same one; see `difflib`.
    """
    by_case: dict[str, str] = {}
    for candidate in names:
        by_case.setdefault(candidate.casefold(), candidate)
    near = difflib.get_close_matches(name.casefold(), by_case, n=1, cutoff=alike)
    return by_case[near[0]] if near else ""


def meant(name: str, allowed: Iterable[str], prefix: str = "") -> str:
    """Return a hint for a name that there is not: the nearest one that there is, or all of them.

    Args:
        name: that was written.
        allowed: known names.
        prefix: before a name where it is written.
    """
    names = list(allowed)
    near = nearest(name, names)
    if near:
        return f"did you mean '{prefix}{near}'?"
    return f"known: {', '.join(prefix + each for each in names)}"
