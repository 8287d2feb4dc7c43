"""Jobs of matches: run by workers or by this process, and the waiting for them."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from decimal import Decimal
from hashlib import sha256
from time import sleep
from typing import Any, TypeVar

from attrs import frozen
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.errors import InputError, StichwerkError
from compiler.formats.circuit_files import qpy_bytes
from games.sources import Source
from play.match import Match
from play.match_log import Look, Seen
from play.oracle import NoResultError, NotYetMeasuredError, Ran
from play.trials import NotRunnableError, Trial
from workers.attributes import attributes
from workers.clock import database_now
from workers.compilation.orders import CompileOrder
from workers.jobs.control import RefusedError, cancel
from workers.jobs.lookup import keyed_job
from workers.jobs.request import Submission, recorded_key
from workers.jobs.states import FINAL, State
from workers.jobs.submission import MAX_SEED, checked, submit
from workers.jobs.without_queue import described
from workers.records.tables import Job
from workers.scoring import counts_of
from workers.settings import Settings

METHOD = "fast"
"""Players wait for it."""
TAG = "play"
LOOK = "look"
LOOK_SHOTS = 1000

Key = Callable[[Match[Any], str], str]
"""Names a run of a match, by the match and the purpose of the run."""


@frozen
class Wanted:
    """Program to run for a match.

    Args:
        purpose: purpose of the run, in a word or two.
        shots: number of shots.
        source: makes the program, which takes longer than to find a job that has run it.
    """

    purpose: str
    shots: int
    source: Callable[[], Source]


def keys_of(nonce: str, backend: str) -> Key:
    """Return a function that names a match's runs: a reloaded match finds its own jobs again.

    The cost limit is not part of the name, so a new limit does not cause a second payment.

    Args:
        nonce: random text of the match, so that equal moves in another match are measured anew.
        backend: backend of the measurements.
    """

    def key(match: Match[Any], purpose: str) -> str:
        content = json.dumps([nonce, backend, match.record()], sort_keys=True)
        return f"play-{sha256(content.encode()).hexdigest()}-{purpose}"

    return key


def seed_of(seed: int, match: Match[Any]) -> int:
    """Return the seed of a job's shots, which does not reveal the match's own."""
    digest = sha256(f"shots {seed} {len(match.log)}".encode()).digest()
    return int.from_bytes(digest[:4]) & MAX_SEED


SCORES = ("mitigated", "raw")
"""Scores of a job that a look uses, the best first."""


def _ended(job: Job) -> str:
    """Return the final state of a job without measurements."""
    return "was cancelled" if job.state == State.CANCELLED else f"failed: {job.error or 'unknown'}"


def look_of(job: Job) -> Look:
    """Return the result of a finished job, with readout mitigation if the errors are known."""
    scores = job.scored
    kind = next(kind for kind in SCORES if kind in scores)
    score = scores[kind]
    seen = tuple(
        Seen(**attributes(Seen._fields, observable, name=name))
        for name, observable in score.observables.items()
    )
    return Look(job.backend, job.id, job.shots, kind, score.hellinger_fidelity, seen)


R = TypeVar("R")

LOOK_SECONDS = 0.2
"""Between two questions whether a job is done."""


@frozen(eq=False)
class QueuedTrials:
    """Records trials as jobs; `NotYetMeasuredError` until workers have done them.

    Args:
        sessions: opens the database that holds the jobs.
        settings: settings with budgets and limits.
        backend: backend of the jobs.
        seed: seed of the match.
        key: names a run of a match.
        tell: notifies workers of a job.
        seconds: time limit after which an unfinished job is cancelled; None for no limit.
        max_cost_usd: cost limit of a job.
        tenant: returns the token of a job's owner; None for the command line.
        finish: runs a job in this process until it has ended; None if workers run it.
        offered: whether the backend still runs jobs of matches.
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
    offered: bool = True

    def __call__(self, match: Match[Any], trial: Trial) -> Ran:
        """Return the backend's result; see `backend_oracle.Run`."""
        name = f"{trial.method.value.replace(' ', '-')}.qpy"
        wanted = Wanted(trial.method, trial.shots, lambda: Source(name, qpy_bytes(trial.circuit)))
        return self._run(match, wanted, lambda job: Ran(counts_of(job), job.id))

    def look(self, match: Match[Any]) -> Look:
        """Return a look at a match; see `backend_oracle.Watch`.

        The moves so far are run as a game, so that its job is scored.
        """
        name = f"{match.game}.toml"
        wanted = Wanted(LOOK, LOOK_SHOTS, lambda: Source(name, match.file().encode()))
        return self._run(match, wanted, look_of)

    def _run(self, match: Match[Any], wanted: Wanted, read: Callable[[Job], R]) -> R:
        if not self.offered:
            raise NoResultError(f"{self.backend} is no longer offered to matches")
        key = self.key(match, wanted.purpose)
        with self.sessions() as session:
            token_id = None if self.tenant is None else self.tenant(session)
            job = keyed_job(session, recorded_key(key, token_id))
            if job is not None and job.backend != self.backend:
                raise NoResultError(f"job {job.id} was on {job.backend}, not on {self.backend}")
            if job is not None:
                return read(self._done(session, job, wanted))
        try:
            order = checked(
                Submission(
                    CompileOrder(wanted.source(), "", Options(METHOD)),
                    self.backend,
                    wanted.shots,
                    seed_of(self.seed, match),
                    tag=TAG,
                    max_cost_usd=self.max_cost_usd,
                    idempotency_key=key,
                    token_id=token_id,
                )
            )
        except InputError as error:
            raise NotRunnableError(str(error)) from error
        with self.sessions() as session:
            try:
                (job,) = submit(session, self.settings, order, due=self.finish is None)
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
            run = f"{wanted.purpose}, {wanted.shots:,} shots"
            raise NotYetMeasuredError(f"job {job.id} on {self.backend} ({run}): {described(job)}")
        if job.state == State.DONE and job.counts is not None:
            return job
        raise NoResultError(f"job {job.id} {_ended(job)}")


@frozen(eq=False)
class WaitingTrials(QueuedTrials):
    """Runs trials by the queue, and waits until they are done.

    Args:
        progress: takes lines of progress.
    """

    progress: Callable[[str], object] = str

    def _run(self, match: Match[Any], wanted: Wanted, read: Callable[[Job], R]) -> R:
        last_report = ""
        while True:
            try:
                return super()._run(match, wanted, read)
            except NotYetMeasuredError as waiting:
                if str(waiting) != last_report:
                    last_report = str(waiting)
                    self.progress(last_report)
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
