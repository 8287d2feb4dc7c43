"""Measurements of a match as jobs: what an oracle wants run, here or by the queue."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from decimal import Decimal
from hashlib import sha256
from time import sleep
from typing import Any, TypeVar

from attrs import define, field, frozen
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.errors import GameError, InputError, StichwerkError
from compiler.formats.circuit_files import qpy_bytes
from games.match import Match
from games.playing.measurements.backend_oracle import NoResultError, Ran
from games.playing.measurements.looks import Look, Seen
from games.playing.measurements.oracle import NotYetMeasuredError
from games.playing.measurements.trials import NotRunnableError, Trial
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

R = TypeVar("R")

METHOD = "fast"
"""Players wait for it."""
TAG = "play"
LOOK_SECONDS = 0.2
LOOK = "look"
LOOK_SHOTS = 1000
SCORES = ("mitigated", "raw")
"""Which of a job's scores a look has, the best first."""


@frozen
class Wanted:
    """What is run for a match.

    Args:
        what: for what it is, in a word or two.
        source: the program.
        shots: how many.
    """

    what: str
    source: Source
    shots: int


def tried(trial: Trial) -> Wanted:
    """Return what is run for outcomes that a match waits for."""
    name = f"{trial.how.value.replace(' ', '-')}.qpy"
    return Wanted(trial.how, Source(name, qpy_bytes(trial.circuit)), trial.shots)


def watched(match: Match[Any]) -> Wanted:
    """Return what is run for a look: the moves so far as a game, so that its job is scored.

    Raises:
        NotRunnableError: if they are no program.
    """
    try:
        return Wanted(LOOK, Source(f"{match.game}.toml", match.file().encode()), LOOK_SHOTS)
    except GameError as error:
        raise NotRunnableError(str(error)) from error


Key = Callable[[Match[Any], str], str]
"""Names what is run for a match, by the match and a word or two."""


def submission(
    backend: str,
    wanted: Wanted,
    seed: int,
    key: str,
    *,
    max_cost_usd: Decimal | None = None,
    token_id: int | None = None,
) -> Submission:
    """Return the job of what is wanted, checked.

    Args:
        backend: that runs it.
        wanted: what is run.
        seed: of the shots, where the backend is a simulator.
        key: the same one stands for the same job.
        max_cost_usd: what it may cost.
        token_id: whose job it is.

    Raises:
        NotRunnableError: if the backend does not run such circuits.
    """
    order = CompileOrder(wanted.source, "", Options(METHOD))
    try:
        return checked(
            Submission(
                order,
                backend,
                wanted.shots,
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
    """Return what names a match's runs: the same one of the match, loaded again, is the same job.

    What a job may cost is not in it: with another limit nothing is paid for again.

    Args:
        nonce: of the match; equal moves in another one are measured anew.
        backend: on which it is measured.
    """

    def key(match: Match[Any], what: str) -> str:
        known = json.dumps([nonce, backend, match.record()], sort_keys=True)
        return f"play-{sha256(known.encode()).hexdigest()}-{what}"

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
        key: names what is run for a match.
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
        """Return what the backend measured; see `backend_oracle.Run`."""
        return self._run(match, tried(trial), lambda job: Ran(counts_of(job), job.id))

    def look(self, match: Match[Any]) -> Look:
        """Return what was measured of a match; see `backend_oracle.Watch`."""
        return self._run(match, watched(match), look_of)

    def _run(self, match: Match[Any], wanted: Wanted, read: Callable[[Job], R]) -> R:
        key, seed = self.key(match, wanted.what), seed_of(self.seed, match)
        self.progress(f"{wanted.what}: {wanted.shots:,} shots on {self.backend}")
        job = _find(self.session, key, self.backend)
        if job is not None:
            return read(self._finished(job, wanted))
        asked = submission(self.backend, wanted, seed, key, max_cost_usd=self.max_cost_usd)
        try:
            return read(self._done(asked))
        except StichwerkError as error:
            raise NoResultError(str(error)) from error
        except IntegrityError:
            # Another process plays the same match, and was faster.
            self.session.rollback()
            job = _find(self.session, key, self.backend)
            if job is None:
                raise
            return read(self._finished(job, wanted))

    def _done(self, asked: Submission) -> Job:
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

    def _finished(self, job: Job, wanted: Wanted) -> Job:
        _check_shots(job, wanted.shots)
        try:
            return finish_job(self.session, job, progress=self.progress)
        except StichwerkError as error:
            raise NoResultError(f"job {job.id} {_ended(job)}") from error


@frozen(eq=False)
class QueuedTrials:
    """Hands trials to the queue; whoever asks before they are done is told to ask again.

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
        """Return what the backend measured; see `backend_oracle.Run`."""
        return self._run(
            match,
            trial.how,
            trial.shots,
            lambda: tried(trial),
            lambda job: Ran(counts_of(job), job.id),
        )

    def look(self, match: Match[Any]) -> Look:
        """Return what was measured of a match; see `backend_oracle.Watch`."""
        return self._run(match, LOOK, LOOK_SHOTS, lambda: watched(match), look_of)

    def _run(
        self,
        match: Match[Any],
        what: str,
        shots: int,
        wanted: Callable[[], Wanted],
        read: Callable[[Job], R],
    ) -> R:
        key = self.key(match, what)
        with self.sessions() as session:
            token_id = None if self.tenant is None else self.tenant(session)
            # By its key alone: to read the circuit again takes longer than to find the job.
            job = _find(session, key, self.backend, token_id)
            if job is not None:
                _check_shots(job, shots)
                return read(self._done(session, job, what))
        asked = submission(
            self.backend,
            wanted(),
            seed_of(self.seed, match),
            key,
            max_cost_usd=self.max_cost_usd,
            token_id=token_id,
        )
        with self.sessions() as session:
            try:
                (job,) = submit(session, self.settings, asked)
            except StichwerkError as error:
                raise NoResultError(str(error)) from error
            self.tell(job.id)
            return read(self._done(session, job, what))

    def _done(self, session: Session, job: Job, what: str) -> Job:
        if self.seconds is not None and job.state not in FINAL:
            job = _cancelled_if_late(session, job, self.seconds)
        if job.state not in FINAL:
            raise NotYetMeasuredError(
                f"job {job.id} on {self.backend} ({what}, {job.shots:,} shots): {described(job)}"
            )
        if job.state == State.DONE and job.counts is not None:
            return job
        raise NoResultError(f"job {job.id} {_ended(job)}")


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


def _find(session: Session, key: str, backend: str, token_id: int | None = None) -> Job | None:
    """Return the job with a key, or the one that has taken its place.

    Raises:
        NoResultError: if it is another backend's.
    """
    numbered = f"{'' if token_id is None else token_id}:{key}:0"
    found = session.scalars(select(Job).where(Job.idempotency_key == numbered)).one_or_none()
    again = found
    while again is not None:
        found = again
        again = session.scalars(select(Job).where(Job.retry_of == found.id)).one_or_none()
    if found is not None and found.backend != backend:
        raise NoResultError(f"job {found.id} was on {found.backend}, not on {backend}")
    return found


def _check_shots(job: Job, wanted: int) -> None:
    """Refuse a job that is another run's.

    Raises:
        NoResultError: if it has another number of shots.
    """
    if job.shots != wanted:
        raise NoResultError(f"job {job.id} was {job.shots:,} shots, not {wanted:,}")


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
