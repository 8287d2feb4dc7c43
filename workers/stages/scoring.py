"""Scoring: the raw result is read, and compared with what the rules say."""

from backends import ProviderBackend
from compiler.targets.readout import readout_errors
from workers.journal import move, quarantine
from workers.scoring import scored
from workers.stages.desk import Desk
from workers.states import State


def score(desk: Desk) -> bool:
    """Read and score a result; what cannot be read is kept as it came."""
    session, job, backend = desk.session, desk.job, desk.backend
    if isinstance(backend, ProviderBackend) and job.raw_result is not None:
        asked = desk.circuit_job()
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
