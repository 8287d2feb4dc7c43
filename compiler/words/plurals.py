"""Numbers of things in words."""


def how_many(number: int, singular: str, many: str = "") -> str:
    """Return `1 job` or `3 jobs`.

    Args:
        number: of things.
        singular: name of a single one.
        many: name of several, by default the same with an `s`.
    """
    return f"{number:,} {singular if number == 1 else many or singular + 's'}"
