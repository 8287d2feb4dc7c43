"""Jobs of matches: run by workers or by this process, and those who wait for them."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from decimal import Decimal
from time import sleep
from typing import Any, TypeVar

from attrs import define, field, frozen
from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from games.match import Match
from games.playing.match_log import Look, Seen
from games.playing.oracle import NoResultError, NotYetMeasuredError, Ran
from games.playing.trials import Trial
from workers.clock import database_now
from workers.jobs.control import RefusedError, cancel
from workers.jobs.lookup import keyed_job
from workers.jobs.matches.wanted import (
    Key,
    Wanted,
    seed_of,
    submission,
    tried,
    watched,
)
from workers.jobs.request import recorded_key
from workers.jobs.states import FINAL, State
from workers.jobs.submission import submit
from workers.jobs.without_queue import described
from workers.records.tables import Job
from workers.scoring import counts_of
from workers.settings import Settings

SCORES = ("mitigated", "raw")
"""Which of a job's scores a look has, the best first."""


def _find_job(session: Session, key: str, backend: str, token_id: int | None = None) -> Job | None:
    """Return the job with a key, or the one that has taken its place.

    Raises:
        NoResultError: if it is another backend's.
    """
    found = keyed_job(session, recorded_key(key, token_id))
    if found is not None and found.backend != backend:
        raise NoResultError(f"job {found.id} was on {found.backend}, not on {backend}")
    return found


def _ended(job: Job) -> str:
    """Return how a job has ended that has measured nothing."""
    return "was cancelled" if job.state == State.CANCELLED else f"failed: {job.error or 'unknown'}"


def look_of(job: Job) -> Look:
    """Return what a job that is done has measured, its readout errors undone if they are known."""
    scores = job.scored
    kind = next(kind for kind in SCORES if kind in scores)
    score = scores[kind]
    seen = tuple(
        Seen(name, one.kind, one.measured, one.low, one.high, one.exact)
        for name, one in score.observables.items()
    )
    return Look(job.backend, job.id, job.shots, kind, score.hellinger_fidelity, seen)


R = TypeVar("R")

LOOK_SECONDS = 0.2
"""Between two questions whether a job is done."""


@frozen(eq=False)
class QueuedTrials:
    """Records trials as jobs; `NotYetMeasuredError` until workers have done them.

    Args:
        sessions: open the database that holds the jobs.
        settings: with budgets and limits.
        backend: that runs them.
        seed: of the match.
        key: names what is run for a match.
        tell: lets workers know of a job.
        seconds: after which a job is cancelled that is not done; None for never.
        max_cost_usd: what one may cost.
        tenant: tells whose token the jobs are; None for the command line.
        finish: goes on with a job in this process until it has ended; None where workers do.
    """

    sessions: Callable[[], AbstractContextManager[Session]]
    settings: Settings
    backend: str
    seed: int
    key: Key
    tell: Callable[[int], object]
    seconds: float | None = None
    max_cost_usd: Decimal | None = None
    tenant: Callable[[Session], int] | None = None
    finish: Callable[[Session, Job], Job] | None = None

    def __call__(self, match: Match[Any], trial: Trial) -> Ran:
        """Return what the backend measured; see `backend_oracle.Run`."""
        return self._run(match, tried(trial), lambda job: Ran(counts_of(job), job.id))

    def look(self, match: Match[Any]) -> Look:
        """Return what was measured of a match; see `backend_oracle.Watch`."""
        return self._run(match, watched(match), look_of)

    def _run(self, match: Match[Any], wanted: Wanted, read: Callable[[Job], R]) -> R:
        key = self.key(match, wanted.what)
        with self.sessions() as session:
            token_id = None if self.tenant is None else self.tenant(session)
            job = _find_job(session, key, self.backend, token_id)
            if job is not None:
                return read(self._done(session, job, wanted))
        asked = submission(
            self.backend,
            wanted,
            seed_of(self.seed, match),
            key,
            max_cost_usd=self.max_cost_usd,
            token_id=token_id,
        )
        with self.sessions() as session:
            try:
                (job,) = submit(session, self.settings, asked, due=self.finish is None)
            except StichwerkError as error:
                raise NoResultError(str(error)) from error
            self.tell(job.id)
            return read(self._done(session, job, wanted))

    def _done(self, session: Session, job: Job, wanted: Wanted) -> Job:
        if job.shots != wanted.shots:
            raise NoResultError(f"job {job.id} was {job.shots:,} shots, not {wanted.shots:,}")
        if self.finish is not None and job.state not in FINAL:
            try:
                self.finish(session, job)
            except StichwerkError as error:
                raise NoResultError(f"job {job.id} {_ended(job)}") from error
        if self.seconds is not None and job.state not in FINAL:
            job = _cancelled_if_late(session, job, self.seconds)
        if job.state not in FINAL:
            run = f"{wanted.what}, {wanted.shots:,} shots"
            raise NotYetMeasuredError(f"job {job.id} on {self.backend} ({run}): {described(job)}")
        if job.state == State.DONE and job.counts is not None:
            return job
        raise NoResultError(f"job {job.id} {_ended(job)}")


@define
class WaitingTrials:
    """Runs trials by the queue, and waits until they are done.

    Args:
        queued: hands them over.
        progress: hears where they are.
    """

    queued: QueuedTrials
    progress: Callable[[str], None]
    _told: str = field(default="", init=False)

    def __call__(self, match: Match[Any], trial: Trial) -> Ran:
        """Return what the backend measured; see `backend_oracle.Run`."""
        return self._waited(lambda: self.queued(match, trial))

    def look(self, match: Match[Any]) -> Look:
        """Return what was measured of a match; see `backend_oracle.Watch`."""
        return self._waited(lambda: self.queued.look(match))

    def _waited(self, ask: Callable[[], R]) -> R:
        while True:
            try:
                return ask()
            except NotYetMeasuredError as waiting:
                if str(waiting) != self._told:
                    self._told = str(waiting)
                    self.progress(self._told)
            sleep(LOOK_SECONDS)


def _cancelled_if_late(session: Session, job: Job, seconds: float) -> Job:
    if (database_now(session) - job.created_at).total_seconds() <= seconds:
        return job
    try:
        cancel(session, job.id)
    except RefusedError:
        session.refresh(job)
        return job
    raise NoResultError(f"job {job.id} was not done within {seconds:g} s")
