"""Jobs of matches that run in the process of whoever plays."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

from attrs import frozen
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from compiler.words.plurals import how_many
from games.match import Match
from games.playing.match_log import Look
from games.playing.oracle import NoResultError, Ran
from games.playing.trials import Trial
from workers.accounts.budgets import microusd
from workers.compilation.compiling import compile_order
from workers.compilation.orders import plan_order
from workers.jobs.matches.queued import check_shots, ended, find_job, look_of
from workers.jobs.matches.wanted import Key, Wanted, seed_of, submission, tried, watched
from workers.jobs.request import Submission, numbered_key
from workers.jobs.without_queue import finish_job, run_job
from workers.records.tables import Job
from workers.scoring import counts_of

R = TypeVar("R")


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
        self.progress(f"{wanted.what}: {how_many(wanted.shots, 'shot')} on {self.backend}")
        job = find_job(self.session, key, self.backend)
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
            job = find_job(self.session, key, self.backend)
            if job is None:
                raise
            return read(self._finished(job, wanted))

    def _done(self, asked: Submission) -> Job:
        return run_job(
            self.session,
            compile_order(self.session, *plan_order(asked.order), None, lambda _: None),
            asked.backend,
            asked.shots,
            asked.seed,
            progress=self.progress,
            max_cost_microusd=None if asked.max_cost_usd is None else microusd(asked.max_cost_usd),
            tag=asked.tag,
            idempotency_key=numbered_key(asked, 0),
        )

    def _finished(self, job: Job, wanted: Wanted) -> Job:
        check_shots(job, wanted.shots)
        try:
            return finish_job(self.session, job, progress=self.progress)
        except StichwerkError as error:
            raise NoResultError(f"job {job.id} {ended(job)}") from error
