"""The stages of a job after its circuit is compiled: submit, collect, score.

Each takes and returns rows, so that a queue can run them one by one.
"""

from collections.abc import Mapping
from time import perf_counter
from types import MappingProxyType
from uuid import uuid4

from attrs import asdict
from sqlalchemy.orm import Session

from backends import Backend, BackendError, CircuitJob, JobState, backend_from_spec
from compiler.circuit_files import read_qpy
from compiler.errors import InputError
from compiler.mitigation import mitigate
from compiler.scoring import score
from compiler.targets.readout import ReadoutError, readout_errors
from compiler.workload import workload
from workers.compiling import source_of
from workers.records import Compilation, Job, ScoreRow, now

MAX_SHOTS = 1_000_000


def create_job(
    session: Session, compilation: Compilation, backend: str, shots: int, seed: int
) -> Job:
    """Record that a compiled circuit is to be run, before anybody is asked to."""
    job = Job(compilation=compilation, key=uuid4().hex, backend=backend, shots=shots, seed=seed)
    session.add(job)
    session.commit()
    return job


def submit(session: Session, job: Job, backend: Backend) -> Job:
    """Hand a job to its backend, unless the backend already has one with its key.

    Raises:
        BackendError: if the backend refuses it.
    """
    order = CircuitJob(
        read_qpy(job.compilation.chosen.native or b"", job.compilation.program),
        job.compilation.target,
        job.shots,
        job.seed,
        forgetful=job.compilation.chosen.verified == "sampled",
    )
    job.estimated_cost_usd = str(backend.estimated_cost_usd(order))
    job.submitted_at, job.state = now(), "submitting"
    session.commit()
    started = perf_counter()
    try:
        job.provider_id = backend.find(job.key) or backend.submit(order, job.key)
    except BackendError as error:
        job.state, job.error, job.finished_at = "failed", str(error), now()
        session.commit()
        raise
    job.run_seconds = perf_counter() - started
    job.state = "submitted"
    session.commit()
    return job


def collect(session: Session, job: Job, backend: Backend) -> Job:
    """Fetch a job's counts if it is done; leave it as it is while it is queued or running.

    Raises:
        BackendError: if it failed, was cancelled, or brought back no shots.
    """
    provider_id = job.provider_id or ""
    state = backend.state(provider_id)
    if state in (JobState.QUEUED, JobState.RUNNING):
        return job
    counts = backend.counts(provider_id) if state is JobState.DONE else {}
    job.finished_at = now()
    if not sum(counts.values()):
        job.state, job.error = "failed", f"backend '{job.backend}': {state} without counts"
        session.commit()
        raise BackendError(job.error)
    job.counts = {str(outcome): n for outcome, n in counts.items() if n}
    job.state = "collected"
    session.commit()
    return job


def run_job(session: Session, compilation: Compilation, backend: str, shots: int, seed: int) -> Job:
    """Run a compiled circuit on a backend and wait for its scores.

    Raises:
        BackendError: if the backend refuses or fails it.
    """
    machine = backend_from_spec(backend)
    job = submit(session, create_job(session, compilation, backend, shots, seed), machine)
    errors = readout_errors(compilation.target) if machine.reads_with_errors() else {}
    return score_job(session, collect(session, job, machine), errors)


def score_job(
    session: Session, job: Job, errors: Mapping[int, ReadoutError] = MappingProxyType({})
) -> Job:
    """Score a job's counts, raw and post-selected; circuits without a game have no score.

    Args:
        session: where the job is recorded.
        job: one whose counts have been collected.
        errors: readout errors by physical qubit; if there are any, the counts are scored a
            second time with these undone.

    Raises:
        BackendError: if the job has brought back no counts yet.
    """
    if job.counts is None:
        raise BackendError(f"job {job.id} is not done yet on backend '{job.backend}'")
    work = workload(source_of(job.compilation), job.compilation.encoding)
    if work.game is not None:
        counts = counts_of(job)
        raw, selected = score(work, counts)
        kinds = {"raw": raw, "post_selected": selected}
        if errors:
            native = read_qpy(job.compilation.chosen.native or b"", job.compilation.program)
            raw, selected = score(work, mitigate(counts, native, errors))
            kinds |= {"mitigated": raw, "mitigated_post_selected": selected}
        job.scores = [
            ScoreRow(kind=kind, **asdict(one)) for kind, one in kinds.items() if one is not None
        ]
    job.state = "done"
    session.commit()
    return job


def counts_of(job: Job) -> dict[int, int]:
    """Return the shots by measured classical bits that a job brought back."""
    return {int(outcome): n for outcome, n in (job.counts or {}).items()}


def check_shots(shots: int) -> None:
    """Refuse a number of shots.

    Raises:
        InputError: if it is not from 1 to `MAX_SHOTS`.
    """
    if not 1 <= shots <= MAX_SHOTS:
        raise InputError(f"shots = {shots}: must be from 1 to {MAX_SHOTS}")
