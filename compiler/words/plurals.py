"""How numbers of things are said."""


def how_many(number: int, one: str, many: str = "") -> str:
    """Return `1 job` or `3 jobs`.

    Args:
        number: of things.
        one: what a single one is called.
        many: what several are called, by default the same with an `s`.
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
