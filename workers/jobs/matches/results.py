"""The jobs of matches as they were recorded, and what they have measured."""

from sqlalchemy.orm import Session

from games.playing.measurements.backend_oracle import NoResultError
from games.playing.measurements.looks import Look, Seen
from workers.jobs.lookup import keyed_job
from workers.jobs.request import recorded_key
from workers.jobs.states import State
from workers.records.tables import Job

SCORES = ("mitigated", "raw")
"""Which of a job's scores a look has, the best first."""


def find_job(session: Session, key: str, backend: str, token_id: int | None = None) -> Job | None:
    """Return the job with a key, or the one that has taken its place.

    Raises:
        NoResultError: if it is another backend's.
    """
    found = keyed_job(session, recorded_key(key, token_id))
    if found is not None and found.backend != backend:
        raise NoResultError(f"job {found.id} was on {found.backend}, not on {backend}")
    return found


def check_shots(job: Job, wanted: int) -> None:
    """Refuse a job that is another run's.

    Raises:
        NoResultError: if it has another number of shots.
    """
    if job.shots != wanted:
        raise NoResultError(f"job {job.id} was {job.shots:,} shots, not {wanted:,}")


def ended(job: Job) -> str:
    """Return how a job has ended that has measured nothing."""
    return "was cancelled" if job.state == State.CANCELLED else f"failed: {job.error or 'unknown'}"


def look_of(job: Job) -> Look:
    """Return what a job that is done has measured, its readout errors undone if they are known."""
    scores = {score.kind: score for score in job.scores}
    kind = next(kind for kind in SCORES if kind in scores)
    score = scores[kind]
    seen = tuple(
        Seen(one.name, one.kind, one.measured, one.low, one.high, one.exact)
        for one in score.observables
    )
    return Look(job.backend, job.id, job.shots, kind, score.hellinger_fidelity, seen)
