"""JSON from providers, read within bounds and without surprises."""

import json
from typing import Any, NoReturn

from backends.backend import RESULT_BYTES, CircuitJob
from backends.errors import ResultError
from backends.providers.text import line

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
