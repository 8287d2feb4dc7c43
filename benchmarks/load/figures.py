"""Sizes of a load test, and its results."""

from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np
from attrs import field, frozen


@frozen
class Load:
    """Sizes of a load test.

    Args:
        submissions: over HTTP.
        clients: that submit at the same time.
        alone: jobs that are submitted one after the other, each when the last is done.
        flood: jobs that one token submits before another one's.
        beside: jobs of the other token, one after the other.
        records: of a list.
        limit_seconds: of the workers for all submissions.
    """

    submissions: int = 5_000
    clients: int = 20
    alone: int = 200
    flood: int = 3_000
    beside: int = 20
    records: int = 100_000
    limit_seconds: float = 1800.0


@frozen
class Measured:
    """Results of a load test.

    Args:
        database: its name and version.
        figures: by name.
        problems: errors, in words.
        slow: steps above their time limit.
    """

    database: str
    figures: dict[str, float] = field(factory=dict)
    problems: list[str] = field(factory=list)
    slow: list[str] = field(factory=list)


def seconds_of(call: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    began = perf_counter()
    call()
    return perf_counter() - began


PERCENTILES = {"p50": 50, "p90": 90, "p99": 99, "max": 100}


def milliseconds(name: str, seconds: Sequence[float]) -> dict[str, float]:
    """Return the median, the 90th and the 99th percentile, and the largest."""
    values = np.percentile(seconds, [*PERCENTILES.values()]) if seconds else ()
    return {
        f"{name} {which} ms": 1000 * float(value)
        for which, value in zip(PERCENTILES, values, strict=False)
    }
