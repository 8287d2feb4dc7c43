"""How numbers of things are said."""


def how_many(number: int, singular: str, many: str = "") -> str:
    """Return `1 job` or `3 jobs`.

    Args:
        number: of things.
        singular: what a single one is called.
        many: what several are called, by default the same with an `s`.
    """
    return f"{number:,} {singular if number == 1 else many or singular + 's'}"
