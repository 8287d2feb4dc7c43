"""Compiling and proving: the stages of an order, which all jobs of the same circuit share."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic

from billiard.exceptions import SoftTimeLimitExceeded
from sqlalchemy import select, update
from sqlalchemy.orm import contains_eager, undefer

from backends import LocalBackend, UnavailableError
from compiler.errors import StichwerkError
from compiler.words.held_inputs import from_zero_suffix
from workers.clock import database_now
from workers.compilation.compiling import compile_order, prove_recorded
from workers.compilation.orders import plan_order, stored_order
from workers.events import CircuitLookedUp, publish
from workers.jobs import journal
from workers.jobs.states import UNCOMPILED, State
from workers.logs import redacted
from workers.queue.leases import LeaseLostError, order_lease
from workers.records.tables import Candidate, Compilation, Job, Order
from workers.sandbox import sandbox
from workers.stages.context import StageContext, TookTooLongError, attendant
from workers.stages.running import run_here

PASSING = (LeaseLostError, journal.TransitionError, sandbox.CallDiedError, UnavailableError)
"""Failures that are no fault of the order: another worker may succeed."""


def make_circuit(context: StageContext) -> bool:
    """Take a job's circuit from the records, or compile and prove it, once for all its jobs."""
    session, job = context.session, context.job
    assert job.order_digest is not None
    compilation = compilation_of(context, job.order_digest)
    if compilation is not None and compilation.ready:
        return _go_on_with(context, compilation)
    order = session.get_one(Order, job.order_digest, populate_existing=True)
    if order.error:
        journal.fail_with(session, job, order)
        return False
    until = order.lease_until
    abandoned = (
        order.lease_owner is not None and until is not None and until < database_now(session)
    )
    with order_lease(session, order.digest, context.settings.lease_seconds) as held:
        if held is None:
            # The worker that compiles it wakes all that wait, unless it dies.
            journal.wait(session, job, context.settings.resend_seconds)
            return False
        if abandoned and journal.died_perhaps(session, job, context.settings, "compiling it"):
            return False
        try:
            with _others_told(context, order), _bounded(context):
                _compile(context, order, compilation)
        except sandbox.CallDiedError as error:
            context.lease.require()
            journal.died(session, job, context.settings, f"{job.state} it: {error}")
            return False
    return True


def _go_on_with(context: StageContext, compilation: Compilation) -> bool:
    """Take a job on that needs no compilation of its own; a simulator runs it at once."""
    context.job.compilation, context.job.target = compilation, compilation.target
    submitting = journal.Passed(State.SUBMITTING, f"compiled before, as record {compilation.id}")
    publish(CircuitLookedUp(found=True))
    if isinstance(context.backend, LocalBackend):
        return run_here(context, context.backend, by=submitting)
    journal.move(context.session, context.job, submitting.state, submitting.detail)
    return True


def compilation_of(context: StageContext, digest: str) -> Compilation | None:
    """Return the compilation of an order, though it may not be proven yet.

    Of a proven one, only the chosen candidate is read.
    """
    result = context.session.scalars(
        select(Compilation)
        .outerjoin(Compilation.candidates.and_(Candidate.chosen))
        .where(Compilation.order_digest == digest, Compilation.program_verified != "refuted")
        .order_by(Compilation.id.desc())
        .limit(1)
        .options(
            undefer(Compilation.expected),
            contains_eager(Compilation.candidates).joinedload(Candidate.native_circuit),
        )
    ).first()
    if result is not None and not result.candidates:
        context.session.expire(result, ["candidates"])
    return result


def _compile(context: StageContext, order: Order, recorded: Compilation | None) -> None:
    session, job = context.session, context.job
    each = context.each or sandbox.attended(
        sandbox.shared_sandbox(),
        sandbox.most_bytes(context.settings),
        monotonic() + context.settings.compile_seconds,
        attendant(context),
    )
    job.progress = "reading the program"
    if job.state == State.QUEUED:
        journal.move(session, job, State.COMPILING)

    def begun(compilation: Compilation) -> None:
        # A worker that was thought dead may have recorded another one since the job had its own.
        job.compilation, job.target = compilation, compilation.target
        job.progress = "proving the program"
        if job.state == State.COMPILING:
            journal.move(session, job, State.VERIFYING)

    if recorded is None:
        publish(CircuitLookedUp(found=False))
        ((_, (settled, plan)),) = each(plan_order, [stored_order(order)])
        recorded = compile_order(
            session, settled, plan, each, context.tell, order_digest=order.digest, begun=begun
        )
    else:
        begun(recorded)
        if not recorded.ready:
            prove_recorded(session, recorded, each, context.tell)
    journal.lived(session, job)
    suffix = from_zero_suffix(from_zero=recorded.chosen.from_zero)
    gates = f"{recorded.chosen.two_qubit_gates} two-qubit gates{suffix}"
    figures, job.progress = f"{gates}, verified {recorded.verified}", None
    journal.move(session, job, State.SUBMITTING, figures)


@contextmanager
def _bounded(context: StageContext) -> Iterator[None]:
    """Raise the error of an exceeded time limit."""
    try:
        yield
    except (SoftTimeLimitExceeded, sandbox.OverdueError) as error:
        raise TookTooLongError(context.settings.compile_seconds) from error


@contextmanager
def _others_told(context: StageContext, order: Order) -> Iterator[None]:
    """Keep why an order cannot be compiled, and wake the jobs that wait for it."""
    error: str | None = None
    try:
        yield
    except Exception as failure:
        context.session.rollback()
        ours = isinstance(failure, PASSING)
        if isinstance(failure, StichwerkError) and not ours:
            error = redacted(str(failure))
        raise
    finally:
        _tell_others(context, order.digest, error)


def _tell_others(context: StageContext, digest: str, error: str | None) -> None:
    connection = context.session.connection()
    if error is not None:
        connection.execute(update(Order).where(Order.digest == digest).values(error=error))
    connection.execute(
        update(Job)
        .where(
            Job.order_digest == digest,
            Job.state.in_(UNCOMPILED),
            Job.due_at.is_not(None),
            Job.id != context.job.id,
        )
        .values(due_at=database_now(context.session) - timedelta(seconds=1))
    )
    context.session.commit()
