"""Numbers of things in messages."""


def counted(number: int, what: str) -> str:
    """Return a number of things in words, such as `1 gate` or `2,000 gates`.

    Args:
        number: of them.
        what: one of them; more have an s at the end.
    """
    return f"{number:,} {what}" + "s" * (number != 1)
