"""What providers say, made fit for records, logs and screens."""

from backends.errors import UnavailableError

LINE_LENGTH = 300
ID_LENGTH = 200
MAX_QUEUED = MAX_SECONDS = 10**9


def line(said: object, length: int = LINE_LENGTH) -> str:
    """Return a text in one line of printable characters, cut to a length."""
    text = str(said)[: 8 * length]
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:length]


def usable_id(said: object, where: str) -> str:
    """Return a provider's id of a job: 1 to 200 printable characters of ASCII, without spaces.

    Raises:
        UnavailableError: if it is none, so that what was accepted is in doubt.
    """
    if (
        isinstance(said, str)
        and 0 < len(said) <= ID_LENGTH
        and all("!" <= character <= "~" for character in said)
    ):
        return said
    raise UnavailableError(
        f"{where}: the id in the answer cannot be used, so that it is in doubt what was accepted: "
        f"{line(repr(said), 60)}"
    )


def queue_position(said: object) -> int | None:
    """Return a place in a queue, from 0 to 10^9; None if it is anything else."""
    if isinstance(said, str) and said.isascii() and said.isdecimal() and len(said) <= 10:
        said = int(said)
    if type(said) is int and 0 <= said <= MAX_QUEUED:
        return said
    return None


def seconds(said: object) -> float | None:
    """Return a time that was taken or is to be waited; None if it is no number from 0 on."""
    if isinstance(said, bool) or not isinstance(said, int | float):
        return None
    return float(said) if 0 <= said <= MAX_SECONDS else None
