"""Measurements of a match as jobs: what an oracle wants run, here or by the queue."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from decimal import Decimal
from hashlib import sha256
from time import sleep
from typing import Any

from attrs import define, field, frozen
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.errors import InputError, StichwerkError
from compiler.formats.circuit_files import qpy_bytes
from games.match import Match
from games.playing.backend_oracle import NoResultError, Ran
from games.playing.oracle import NotYetMeasuredError
from games.playing.trials import NotRunnableError, Trial
from games.sources import Source
from workers.accounts.budgets import microusd
from workers.clock import database_now
from workers.compilation.best_encoding import carry_out
from workers.compilation.orders import CompileOrder, PlannedOrder
from workers.compilation.orders import plan as planned
from workers.jobs.control import RefusedError, cancel
from workers.jobs.request import Submission, numbered_key
from workers.jobs.states import FINAL, State
from workers.jobs.submission import MOST_SEED, checked, submit
from workers.jobs.without_queue import described, finish_job, run_job
from workers.records.tables import Job
from workers.scoring import counts_of
from workers.settings import Settings

METHOD = "fast"
"""Players wait for it."""
TAG = "play"
LOOK_SECONDS = 0.2

Key = Callable[[Match[Any], Trial], str]
"""Names the trial of a match."""


def submission(
    backend: str,
    trial: Trial,
    seed: int,
    key: str,
    *,
    max_cost_usd: Decimal | None = None,
    token_id: int | None = None,
) -> Submission:
    """Return the job of a trial, checked.

    Args:
        backend: that runs it.
        trial: what is run.
        seed: of the shots, where the backend is a simulator.
        key: the same one stands for the same job.
        max_cost_usd: what it may cost.
        token_id: whose job it is.

    Raises:
        NotRunnableError: if the backend does not run such circuits.
    """
    name = f"{trial.how.value.replace(' ', '-')}.qpy"
    order = CompileOrder(Source(name, qpy_bytes(trial.circuit)), "", Options(METHOD))
    try:
        return checked(
            Submission(
                order,
                backend,
                trial.shots,
                seed,
                tag=TAG,
                max_cost_usd=max_cost_usd,
                idempotency_key=key,
                token_id=token_id,
            )
        )
    except InputError as error:
        raise NotRunnableError(str(error)) from error


def keys_of(nonce: str, backend: str) -> Key:
    """Return what names a match's trials: the same one of the match, loaded again, is the same job.

    What a job may cost is not in it: with another limit nothing is paid for again.

    Args:
        nonce: of the match; equal moves in another one are measured anew.
        backend: on which it is measured.
    """

    def key(match: Match[Any], trial: Trial) -> str:
        known = json.dumps([nonce, backend, trial.shots, match.record()], sort_keys=True)
        return f"play-{sha256(known.encode()).hexdigest()}-{trial.how}"

    return key


def seed_of(seed: int, match: Match[Any]) -> int:
    """Return the seed of a job's shots, by which nobody finds the match's own."""
    digest = sha256(f"shots {seed} {len(match.log)}".encode()).digest()
    return int.from_bytes(digest[:4]) & MOST_SEED


@frozen(eq=False)
class HereTrials:
    """Runs trials in this process, and waits; a job that was begun before is gone on with.

    Args:
        session: of the database in which they are recorded.
        backend: that runs them.
        seed: of the match.
        key: names the trial of a match.
        max_cost_usd: what one may cost.
        progress: hears what is done.
    """

    session: Session
    backend: str
    seed: int
    key: Key
    max_cost_usd: Decimal | None
    progress: Callable[[str], None]

    def __call__(self, match: Match[Any], trial: Trial) -> Ran:
        """Return what the backend measured; see `games.playing.backend_oracle.Run`."""
        key, seed = self.key(match, trial), seed_of(self.seed, match)
        self.progress(f"{trial.how}: {trial.shots:,} shots on {self.backend}")
        job = _find(self.session, key, self.backend, trial)
        if job is not None:
            return self._finished(job)
        asked = submission(self.backend, trial, seed, key, max_cost_usd=self.max_cost_usd)
        try:
            return Ran(counts_of(job := self._run(asked)), job.id)
        except StichwerkError as error:
            raise NoResultError(str(error)) from error
        except IntegrityError:
            # Another process plays the same match, and was faster.
            self.session.rollback()
            job = _find(self.session, key, self.backend, trial)
            if job is None:
                raise
            return self._finished(job)

    def _run(self, asked: Submission) -> Job:
        order: PlannedOrder = planned(asked.order)
        return run_job(
            self.session,
            carry_out(self.session, order, None, lambda _: None),
            asked.backend,
            asked.shots,
            asked.seed,
            progress=self.progress,
            max_cost_microusd=None if asked.max_cost_usd is None else microusd(asked.max_cost_usd),
            tag=asked.tag,
            idempotency_key=numbered_key(asked, 0),
        )

    def _finished(self, job: Job) -> Ran:
        try:
            job = finish_job(self.session, job, progress=self.progress)
        except StichwerkError as error:
            raise NoResultError(f"job {job.id} {_ended(job)}") from error
        return Ran(counts_of(job), job.id)


@frozen(eq=False)
class QueuedTrials:
    """Hands trials to the queue; whoever asks before they are done is told to ask again.

    Args:
        sessions: open the database that holds the jobs.
        settings: with budgets and limits.
        backend: that runs them.
        seed: of the match.
        key: names the trial of a match.
        tell: lets workers know of a job.
        seconds: after which a job is cancelled that is not done; None for never.
        max_cost_usd: what one may cost.
        tenant: tells whose token the jobs are; None for the command line.
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

    def __call__(self, match: Match[Any], trial: Trial) -> Ran:
        """Return what the backend measured; see `games.playing.backend_oracle.Run`."""
        key = self.key(match, trial)
        with self.sessions() as session:
            token_id = None if self.tenant is None else self.tenant(session)
            # By its key alone: to read the circuit again takes longer than to find the job.
            job = _find(session, key, self.backend, trial, token_id)
            if job is not None:
                return self._result(session, job, trial)
        seed = seed_of(self.seed, match)
        asked = submission(
            self.backend, trial, seed, key, max_cost_usd=self.max_cost_usd, token_id=token_id
        )
        with self.sessions() as session:
            try:
                (job,) = submit(session, self.settings, asked)
            except StichwerkError as error:
                raise NoResultError(str(error)) from error
            self.tell(job.id)
            return self._result(session, job, trial)

    def _result(self, session: Session, job: Job, trial: Trial) -> Ran:
        if self.seconds is not None and job.state not in FINAL:
            job = _cancelled_if_late(session, job, self.seconds)
        if job.state not in FINAL:
            raise NotYetMeasuredError(
                f"job {job.id} on {self.backend} ({trial.how}, {trial.shots:,} shots): "
                f"{described(job)}"
            )
        if job.state == State.DONE and job.counts is not None:
            return Ran(counts_of(job), job.id)
        raise NoResultError(f"job {job.id} {_ended(job)}")


def _find(
    session: Session, key: str, backend: str, trial: Trial, token_id: int | None = None
) -> Job | None:
    """Return the job of a trial, or the one that has taken its place.

    Raises:
        NoResultError: if it is another trial's.
    """
    numbered = f"{'' if token_id is None else token_id}:{key}:0"
    found = session.scalars(select(Job).where(Job.idempotency_key == numbered)).one_or_none()
    again = found
    while again is not None:
        found = again
        again = session.scalars(select(Job).where(Job.retry_of == found.id)).one_or_none()
    if found is not None and (found.backend, found.shots) != (backend, trial.shots):
        raise NoResultError(
            f"job {found.id} was {found.shots:,} shots on {found.backend}, not {trial.shots:,} on "
            f"{backend}"
        )
    return found


def _cancelled_if_late(session: Session, job: Job, seconds: float) -> Job:
    if (database_now(session) - job.created_at).total_seconds() <= seconds:
        return job
    try:
        cancel(session, job.id)
    except RefusedError:
        session.refresh(job)
        return job
    raise NoResultError(f"job {job.id} was not done within {seconds:g} s")


def _ended(job: Job) -> str:
    return "was cancelled" if job.state == State.CANCELLED else f"failed: {job.error or 'unknown'}"


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
        """Return what the backend measured; see `games.playing.backend_oracle.Run`."""
        while True:
            try:
                return self.queued(match, trial)
            except NotYetMeasuredError as waiting:
                if str(waiting) != self._told:
                    self._told = str(waiting)
                    self.progress(self._told)
            sleep(LOOK_SECONDS)
