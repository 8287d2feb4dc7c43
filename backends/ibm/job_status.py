"""IBM's status of jobs, read with limits."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from backends.backend import JobState, JobStatus
from backends.errors import ResultError, UnavailableError
from backends.providers.text import line, queue_position, seconds, usable_id

TAG_PREFIX = "stichwerk-"

STATES = {
    "QUEUED": JobState.QUEUED,
    "RUNNING": JobState.RUNNING,
    "CANCELLING": JobState.RUNNING,
    "COMPLETED": JobState.DONE,
    "FAILED": JobState.FAILED,
    "CANCELLED": JobState.CANCELLED,
    "CANCELLED - RAN TOO LONG": JobState.FAILED,
}
RAN_TOO_LONG = 1305
RAN_TOO_LONG_REASON = "ran too long"
"""Code and reason with which IBM cancels a job that exceeds its `max_execution_time`.

The code is not always there.
"""


def ids_listed(listed: Sequence[Any], key: str) -> list[str]:
    """Return the ids of the jobs with a key's tag in a list, without needless cancelled ones."""
    ours = [job for job in listed if TAG_PREFIX + key in (job.get("tags") or ())]
    live = [job for job in ours if _state(job)[0] is not JobState.CANCELLED] or ours
    return [usable_id(job["id"], "a search for jobs") for job in live]


def status_in(
    answer: Any, provider_id: str, key: str, metrics: Callable[[], Mapping[str, Any]]
) -> JobStatus:
    """Return where a job is.

    Args:
        answer: the API's answer.
        provider_id: that was asked for.
        key: whose tag the job must have.
        metrics: asks for its place in the queue.

    Raises:
        ResultError: if it is another job.
        UnavailableError: if its state is none that is known.
    """
    if answer["id"] != provider_id or TAG_PREFIX + key not in (answer.get("tags") or ()):
        raise ResultError(f"IBM's job {line(provider_id)} has another key than this job")
    state, detail = _state(answer)
    if state is None:
        raise UnavailableError(f"IBM's job {line(provider_id)} is in the unknown state '{detail}'")
    position = None
    if state is JobState.QUEUED:
        position = queue_position(metrics().get("position_in_queue"))
    return JobStatus(state, position, detail if state is JobState.FAILED else "")


def charged_seconds(metrics: Any) -> float | None:
    """Return the seconds that IBM charges a job for, None while it is still counting."""
    usage = metrics.get("usage") if isinstance(metrics, dict) else None
    if not isinstance(usage, dict) or usage.get("status", "pending") == "pending":
        return None
    return seconds(usage.get("qpu_charge_time_seconds", usage.get("quantum_seconds")))


def _state(answer: Any) -> tuple[JobState | None, str]:
    """Return a job's state, and its reason or, if it is not known, its name."""
    reported = answer["state"]
    name = str(reported["status"]).upper()
    state = STATES.get(name)
    if state is None:
        return None, line(name, 40)
    code = reported.get("reason_code") or reported.get("reasonCode")
    reason = line(reported.get("reason") or "")
    ran_too_long = code == RAN_TOO_LONG or reason.casefold() == RAN_TOO_LONG_REASON
    if state is JobState.CANCELLED and ran_too_long:
        state = JobState.FAILED
    return state, f"{reason} (error code {line(code, 20)})" if reason and code else reason
