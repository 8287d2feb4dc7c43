"""Texts and JSON of providers, made safe for records, logs and screens."""

import json
from typing import Any, NoReturn

from backends.backend import RESULT_BYTES, CircuitJob
from backends.errors import ResultError, UnavailableError

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


FREE_BYTES = 4 * 2**20
"""Bytes of a result besides its shots: programs, and notes of the provider's."""

BYTES_PER_BIT = 32
"""Bytes of a result for each bit of each shot, in any form."""

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""Errors of reading an unexpected value."""


def read_result(raw: bytes, job: CircuitJob, circuits: int) -> Any:
    """Return the JSON of the result of a provider job that has a job's circuit among some.

    Raises:
        ResultError: if it is none, or longer than a result can be.
    """
    if circuits > 1:
        return read_json(raw, RESULT_BYTES)
    return read_json(raw, FREE_BYTES + BYTES_PER_BIT * job.shots * (job.circuit.num_clbits + 1))


def read_json(raw: bytes, limit: int) -> Any:
    """Return the JSON in some bytes.

    Raises:
        ResultError: if it is none, has numbers that are none, or is longer than a limit.
    """
    if len(raw) > limit:
        raise ResultError(f"the result cannot be read: {len(raw)} bytes, of {limit} at most")
    try:
        return json.loads(raw, parse_constant=_refuse)
    except UNREADABLE as error:
        raise unreadable(error) from error


def unreadable(error: BaseException) -> ResultError:
    """Return the refusal of a result that is not as it should be."""
    what = f"{type(error).__name__}: " if isinstance(error, LookupError) else ""
    return ResultError(f"the result cannot be read: {what}{line(error, 200)}")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")
