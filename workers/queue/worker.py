"""Advancing a job through the stages that can be done now, in any process."""

import logging
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from attrs import frozen
from billiard.exceptions import SoftTimeLimitExceeded
from sqlalchemy import Engine
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.orm.exc import StaleDataError

from backends import CredentialsError, LocalBackend, ResultError, UnavailableError
from compiler.compilation.listener import Each
from compiler.errors import StichwerkError
from workers.jobs.journal import AGAIN, TransitionError, back_off, fail, quarantine
from workers.jobs.states import Queue, State, queue_of
from workers.logs import logged_with
from workers.queue.fairness import fairest, pass_on
from workers.queue.leases import Lease, LeaseLostError, UnconfirmedError, job_lease
from workers.records.database import described
from workers.records.devices import recall_device
from workers.records.tables import Job
from workers.settings import Settings
from workers.stages.at_provider.polling import ask_for_charge
from workers.stages.circuits import make_circuit
from workers.stages.context import StageContext, TookTooLongError, shared_backend
from workers.stages.parents import lead
from workers.stages.running import run
from workers.stages.scoring import score

LOG = logging.getLogger("stichwerk.worker")

Stage = Callable[[StageContext], bool]

STAGES: Mapping[State, Stage] = {
    State.QUEUED: make_circuit,
    State.COMPILING: make_circuit,
    State.VERIFYING: make_circuit,
    State.SUBMITTING: run,
    State.AT_PROVIDER: run,
    State.RUNNING: run,
    State.SCORING: score,
}


@frozen(eq=False)
class Worker:
    """Advances jobs.

    Args:
        engine: of the database.
        settings: of the queue.
        queues: that it serves.
        each: makes a compilation's calls; None for a sandbox.
        progress: receives a line now and then.
    """

    engine: Engine
    settings: Settings
    queues: Collection[Queue] = frozenset(Queue)
    each: Each | None = None
    progress: Callable[[str], None] = lambda _: None

    def advance(self, job_id: int) -> Queue | None:
        """Take a job through as many stages as can be done now.

        A job that has ended, or that another worker holds, is left alone, except for a late charge
        of its provider. Failures are recorded with the job, as final or with a retry.

        Returns:
            the queue of another worker that can go on at once, None if there is none.

        Raises:
            sqlalchemy.exc.SQLAlchemyError: if the database fails; the job is as it was.
        """
        leased, resent = self.settings.lease_seconds, self.settings.resend_seconds
        with self._session() as session, job_lease(session, job_id, leased, resent) as held:
            if held is not None:
                return self._advance(session, *held)
        ask_for_charge(self.engine, self.settings, job_id)
        return None

    def advance_fairest(self, queue: Queue) -> tuple[int, Queue] | None:
        """Do the same with the job whose turn it is in a queue.

        If the database fails, the job is as it was, and the sweeper sends it again when its lease
        has run out.

        Returns:
            its number and the queue of another worker that can go on at once; None if nothing is
            due, or there is none.
        """
        leased, resent = self.settings.lease_seconds, self.settings.resend_seconds
        job_id = None
        try:
            with self._session() as session, fairest(session, queue, leased, resent) as held:
                following = None
                if held is not None:
                    job_id = held[0].id
                    with logged_with(job=job_id):
                        following = self._advance(session, *held)
            if job_id is None and queue is Queue.POLL:
                ask_for_charge(self.engine, self.settings)
            if job_id is None or following is None:
                return None
            pass_on(self.engine, job_id)
        except SQLAlchemyError as error:
            LOG.warning("job %s: %s", job_id, described(error))
            return None
        return job_id, following

    def _session(self) -> Session:
        return Session(self.engine, expire_on_commit=False)

    def _advance(self, session: Session, job: Job, lease: Lease) -> Queue | None:
        recall_device(session, job.target)
        context = StageContext(session, job, lease, self.settings, self.each, self.progress)
        again = True
        often = job.failures >= self.settings.most_failures
        if lease.was_left_behind and often and not (job.may_be_there or _waits(job)):
            died = f"its workers died or failed {job.failures} times while it was {job.state}"
            _recorded(context, quarantine, died)
            again = False
        while again:
            queue = queue_of_job(job)
            if queue is None or queue not in self.queues:
                return queue
            stage = STAGES[State(job.state)] if not job.is_parent else lead
            again = _guarded(context, stage)
        return None


def queue_of_job(job: Job) -> Queue | None:
    """Return the queue of a job's next work, None if it has ended."""
    local = isinstance(shared_backend(job.backend), LocalBackend)
    return queue_of(State(job.state), local=local)


def _guarded(context: StageContext, stage: Stage) -> bool:
    """Do the work of a stage, and record failures."""
    try:
        return stage(context)
    except (LeaseLostError, StaleDataError, TransitionError):
        return False
    except (OperationalError, InterfaceError):
        raise
    except UnavailableError as error:
        _recorded(context, _wait_for, context.settings, str(error), least=error.retry_after)
    except CredentialsError as error:
        if context.job.due_at is None and not context.job.may_be_there:
            # A command that waits for it can react to that at once.
            _recorded(context, fail, str(error))
        else:
            _recorded(context, _wait_for, context.settings, str(error))
    except ResultError as error:
        _recorded(context, quarantine, str(error))
    except UnconfirmedError as error:
        _recorded(context, _wait_for, context.settings, str(error))
    except (StichwerkError, SoftTimeLimitExceeded) as error:
        late = isinstance(error, SoftTimeLimitExceeded)
        reason = str(TookTooLongError(context.settings.compile_seconds) if late else error)
        # A job that its provider may have is ended by the provider, or by a user.
        if context.job.may_be_there:
            _recorded(context, back_off, context.settings, reason)
        else:
            _recorded(context, fail, reason)
    except Exception as error:  # noqa: BLE001 - nothing that a job does may stop the others
        reason = f"internal error: {type(error).__name__}: {((str(error).splitlines() or [''])[0])}"
        _recorded(context, back_off, context.settings, reason)
    return False


_wait_for = partial(back_off, for_ever=True)
"""Backs off without a limit: an outage ends no job, whether its provider was asked or not."""


def _waits(job: Job) -> bool:
    """Return whether a job has failed because its provider is away, which kills no worker."""
    last = job.events[-1].detail if job.events else ""
    return job.state == State.SUBMITTING and last.startswith(AGAIN)


def _recorded(
    context: StageContext, record: Callable[..., None], *arguments: Any, **options: Any
) -> None:
    try:
        context.roll_back()
        context.lease.require()
        record(context.session, context.job, *arguments, **options)
    except (LeaseLostError, StaleDataError, TransitionError):
        context.session.rollback()
