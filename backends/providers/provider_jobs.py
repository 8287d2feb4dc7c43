"""Circuits that share a provider job: which fit, and which are refused."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from backends.backend import CircuitJob
from backends.errors import BackendError, CircuitsRefusedError, CredentialsError, UnavailableError

T = TypeVar("T")


def fitting(
    jobs: Sequence[CircuitJob],
    kind: Callable[[CircuitJob], Hashable],
    amounts: Callable[[CircuitJob], Sequence[float]],
    limits: Sequence[float],
) -> list[CircuitJob]:
    """Return the first job and all later ones of its kind whose amounts stay within limits.

    Args:
        jobs: in the order in which they are taken.
        kind: must be equal in one provider job.
        amounts: of a circuit, which are added.
        limits: of the sums.
    """
    taken, wanted, sums = [jobs[0]], kind(jobs[0]), amounts(jobs[0])
    for job in jobs[1:]:
        if kind(job) != wanted:
            continue
        more = [a + b for a, b in zip(sums, amounts(job), strict=True)]
        if all(amount <= limit for amount, limit in zip(more, limits, strict=True)):
            taken.append(job)
            sums = more
    return taken


def prepared(
    jobs: Mapping[str, CircuitJob], prepare: Callable[[CircuitJob, str], T]
) -> dict[str, T]:
    """Return the program of each circuit as it is sent, by key.

    Raises:
        CircuitsRefusedError: if some of several are refused.
        BackendError: if the only one is.
    """
    ready, reasons = {}, {}
    for key, job in jobs.items():
        try:
            ready[key] = prepare(job, key)
        except BackendError as error:
            if len(jobs) == 1 or isinstance(error, UnavailableError | CredentialsError):
                raise
            reasons[key] = str(error)
    if reasons:
        raise CircuitsRefusedError(reasons)
    return ready
