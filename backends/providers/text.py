"""Texts of providers, made safe for records, logs and screens."""

from backends.errors import UnavailableError

LINE_LENGTH = 300
ID_LENGTH = 200
MAX_QUEUED = MAX_SECONDS = 10**9


def line(value: object, length: int = LINE_LENGTH) -> str:
    """Return a text in one line of printable characters, cut to a length."""
    text = str(value)[: 8 * length]
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:length]


def usable_id(value: object, where: str) -> str:
    """Return a provider's id of a job: 1 to 200 printable characters of ASCII, without spaces.

    Raises:
            UnavailableError: if it is invalid, so that the acceptance is in doubt.
    """
    if (
        isinstance(value, str)
        and 0 < len(value) <= ID_LENGTH
        and all("!" <= character <= "~" for character in value)
    ):
        return value
    raise UnavailableError(
        f"{where}: the id in the answer is invalid, so that the acceptance is in doubt: "
        f"{line(repr(value), 60)}"
    )


def queue_position(value: object) -> int | None:
    """Return a place in a queue, from 0 to 10^9; None if it is anything else."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 10:
        value = int(value)
    if type(value) is int and 0 <= value <= MAX_QUEUED:
        return value
    return None


def seconds(value: object) -> float | None:
    """Return a time that was taken or is to be waited; None if it is no number from 0 on."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= MAX_SECONDS else None
