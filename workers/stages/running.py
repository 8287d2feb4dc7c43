"""Running a compiled circuit: here, or at a provider."""

from time import perf_counter

from attrs import asdict
from sqlalchemy.orm.attributes import set_committed_value

from backends import LocalBackend, ProviderBackend
from compiler.words.machine_names import calibration_digest
from workers.jobs.journal import Passed, in_quarantine, move
from workers.jobs.states import State
from workers.stages.at_provider.place import is_elsewhere
from workers.stages.at_provider.polling import follow, poll
from workers.stages.at_provider.provider import Provider
from workers.stages.at_provider.submitting import recompiled, submit
from workers.stages.context import StageContext, simulated


def run(context: StageContext) -> bool:
    """Run a job's circuit on this machine, or go on with it at its provider."""
    backend = context.backend
    if isinstance(backend, LocalBackend):
        return run_here(context, backend)
    assert isinstance(backend, ProviderBackend)
    provider = Provider(backend, context.job.backend, context.session.get_bind().engine)
    # No transaction stands still while a provider is asked.
    context.session.commit()
    if context.job.follows:
        return follow(context, provider)
    if is_elsewhere(context, provider):
        return False
    if context.job.state == State.SUBMITTING:
        return recompiled(context) or submit(context, provider)
    return poll(context, provider)


def run_here(context: StageContext, backend: LocalBackend, *, by: Passed | None = None) -> bool:
    """Run a job's circuit on this machine.

    Args:
        context: the job, which is running or begins to.
        backend: a simulator.
        by: a state that the job passes before it runs.
    """
    session, job = context.session, context.job
    again = job.state == State.RUNNING
    if in_quarantine(session, job):
        return False
    if not again:
        move(session, job, State.RUNNING, by=by)
    started = perf_counter()
    counts = simulated(context, backend, again=again)
    if counts is None:
        return False
    if job.counts is None:
        # A run without a result has no scores: they need not be searched for.
        set_committed_value(job, "scores", [])
    job.run_seconds = perf_counter() - started
    job.counts = {str(outcome): n for outcome, n in counts.items() if n}
    if calibration_digest(job.backend):
        calibration = backend.calibration(context.circuit_job())
        job.calibration = None if calibration is None else asdict(calibration)
    move(session, job, State.SCORING)
    return True
