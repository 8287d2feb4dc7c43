"""Scoring: the raw result is read, and compared with what the rules say."""

from backends import ProviderBackend
from compiler.targets.readout import readout_errors
from workers.jobs.journal import move, quarantine
from workers.jobs.states import State
from workers.scoring import scored
from workers.stages.context import StageContext
from workers.stages.expectation import expect


def score(context: StageContext) -> bool:
    """Read and score a result; what cannot be read is kept as it came."""
    expect(context)
    session, job, backend = context.session, context.job, context.backend
    if isinstance(backend, ProviderBackend) and job.raw_result is not None:
        asked = context.circuit_job()
        counts = backend.counts(job.raw_result, asked, job.key, job.provider_id or "")
        job.counts = {str(outcome): n for outcome, n in counts.items() if n}
    brought = sum((job.counts or {}).values())
    if brought != job.shots:
        quarantine(
            session, job, f"backend '{job.backend}' brought back {brought} of {job.shots} shots"
        )
        return False
    errors = readout_errors(job.target) if backend.reads_with_errors() else {}
    job.scores.clear()
    session.flush()
    job.scores.extend(scored(job, errors))
    job.error = None
    move(session, job, State.DONE)
    return False
