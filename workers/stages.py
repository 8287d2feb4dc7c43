"""The stages of a job: compile, verify, submit, collect, score.

Each takes and returns rows, so that a queue can run them one by one. The commands `compile`,
`run` and `bench` call the same functions one after the other.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from time import perf_counter
from types import MappingProxyType
from uuid import uuid4

from attrs import asdict, fields, frozen
from qiskit import transpile
from qiskit.exceptions import QiskitError
from qiskit.transpiler import Target
from sqlalchemy.orm import Session

from backends import Backend, BackendError, CircuitJob, JobState, backend_from_spec
from compiler.circuit_files import read_qpy
from compiler.errors import (
    GameTooLargeError,
    InputError,
    LoweringError,
    StateTooLargeError,
    TargetError,
    VerificationError,
)
from compiler.lowering.figures import Figures, calibrated
from compiler.lowering.methods import lower_operators, syntheses
from compiler.lowering.pipeline import check_optional
from compiler.lowering.portfolio import (
    BUDGET,
    REFINED,
    SEEDS,
    SMALL,
    Attempt,
    attempts,
    best,
    ranked,
)
from compiler.measurement import final_measurements
from compiler.mitigation import mitigate
from compiler.scoring import score
from compiler.targets import sized_spec, target_from_spec
from compiler.targets.readout import ReadoutError, readout_errors
from compiler.verification.program import program_state, require_small, verify_program
from compiler.workload import Source, Workload, workload
from workers.attempts import Claim, Native, Refinable, Request, lower, refine, verify
from workers.parallel import each
from workers.provenance import revision, versions
from workers.records import Candidate, Compilation, Job, ScoreRow, now

Progress = Callable[[str], None]

MAX_SHOTS = 1_000_000
NOT_BEGUN = Native(b"", b"", (), (), (), None, 0.0, "not begun: the time limit had passed")


@frozen
class CompileOrder:
    """What is to be compiled.

    Args:
        source: a game or a circuit.
        target: spec of the target, complete or without its size.
        method: `best`, `fast` or a synthesis method.
        encoding: `best` or an encoding's name.
        objective: what the portfolio minimises.
        seed: the first seed.
        pipelines: names of the pipelines to use; none for those that the method stands for.
        seeds: how many seeds each seeded pipeline tries.
        budget: candidates that a searching pass may look at.
        without: optimisations that are left out.
        time_limit: seconds after which no further attempt is begun; None for no limit.
        batch: a tag that groups records.
    """

    source: Source
    target: str
    method: str
    encoding: str = "best"
    objective: str = "two_qubit_gates"
    seed: int = 0
    pipelines: tuple[str, ...] = ()
    seeds: int = SEEDS
    budget: int = BUDGET
    without: tuple[str, ...] = ()
    time_limit: float | None = None
    batch: str | None = None


@frozen(eq=False)
class Plan:
    """An order that has been checked: it names things that exist, and the program fits."""

    order: CompileOrder
    target: str
    work: Workload
    attempts: list[Attempt]


def plan(order: CompileOrder) -> Plan:
    """Check an order before anything is computed or written.

    Raises:
        InputError: saying what is wrong with it.
    """
    work = workload(order.source, order.encoding)
    qubits = work.program.num_qubits
    spec = sized_spec(order.target, max(2, qubits))
    target = target_from_spec(spec)
    if qubits > target.num_qubits:
        raise TargetError(
            f"{order.source.name} needs {qubits} qubits, target '{spec}' has {target.num_qubits}; "
            f"try '{order.target.partition(':')[0]}:{qubits}' or another encoding"
        )
    try:
        gates, _ = final_measurements(work.program)
    except (StateTooLargeError, QiskitError) as error:
        raise InputError(
            f"{order.source.name}: {error}; only gates and final measurements can be compiled"
        ) from error
    if order.objective == "expected_fidelity" and not calibrated(target):
        raise InputError(
            f"objective 'expected_fidelity' needs calibration data, which target '{spec}' lacks; "
            "try two_qubit_gates or two_qubit_depth"
        )
    check_optional(order.without)
    cheap = syntheses(gates, target)
    tries = _attempts(order, 0, target, cheap)
    try:
        plain = transpile(
            lower_operators(gates, tries[0].synthesis),
            basis_gates=["cx", "rz", "sx", "x"],
            optimization_level=0,
        )
    except QiskitError as error:
        raise InputError(f"{order.source.name}: cannot be lowered: {error}") from error
    return Plan(order, spec, work, _attempts(order, plain.size(), target, cheap))


def _attempts(
    order: CompileOrder, gates: int, target: Target, cheap: Sequence[str]
) -> list[Attempt]:
    return attempts(
        order.method,
        order.seed,
        gates,
        target,
        cheap=cheap,
        names=order.pipelines,
        seeds=order.seeds,
    )


def compile_program(
    session: Session, checked: Plan, pool: Executor | None, progress: Progress
) -> Compilation:
    """Make every attempt of the portfolio and record it."""
    order = checked.order
    compilation = Compilation(
        batch=order.batch,
        program=order.source.name,
        source=order.source.content,
        source_digest=order.source.digest,
        target=checked.target,
        method=order.method,
        encoding=checked.work.encoding,
        objective=order.objective,
        seed=order.seed,
        budget=order.budget,
        without=list(order.without),
        program_verified="pending",
        versions=versions(),
        revision=revision(),
    )
    started = perf_counter()
    requests = _requests(compilation, checked.attempts)
    natives: dict[int, Native] = {}

    def late() -> bool:
        return order.time_limit is not None and perf_counter() - started > order.time_limit

    for place, native in each(pool, lower, requests, late):
        natives[place] = native
        attempt = checked.attempts[place]
        found = (
            f"{native.figures.two_qubit_gates} two-qubit gates"
            if native.figures
            else f"failed: {native.error}"
        )
        progress(
            f"{order.source.name} on {checked.target}: {attempt.pipeline} seed {attempt.seed}: "
            f"{found} ({native.seconds:.1f} s, {len(natives)} of {len(requests)})"
        )
    if not late():
        chosen = _worth_refining(natives, order.objective)
        jobs = [Refinable(requests[place], natives[place]) for place in chosen]
        for done, (place, native) in enumerate(each(pool, refine, jobs, late), start=1):
            natives[chosen[place]] = native
            gates = native.figures.two_qubit_gates if native.figures else 0
            progress(
                f"{order.source.name} on {checked.target}: "
                f"{checked.attempts[chosen[place]].pipeline} seed "
                f"{checked.attempts[chosen[place]].seed}: refined to {gates} two-qubit gates "
                f"({done} of {len(jobs)})"
            )
    compilation.candidates = [
        Candidate(
            synthesis=attempt.synthesis,
            pipeline=attempt.pipeline,
            seed=attempt.seed,
            lower_seconds=native.seconds,
            initial_layout=list(native.initial_layout),
            final_layout=list(native.final_layout),
            steps=[asdict(step) for step in native.steps],
            native=native.native or None,
            logical=native.logical or None,
            verified="pending" if native.native else "failed",
            detail=native.error,
            **(asdict(figures) if (figures := native.figures) else {}),
        )
        for place, attempt in enumerate(checked.attempts)
        if (native := natives.get(place, NOT_BEGUN))
    ]
    compilation.compile_seconds = perf_counter() - started
    session.add(compilation)
    session.commit()
    return compilation


def _worth_refining(natives: Mapping[int, Native], objective: str) -> list[int]:
    """Return the places of the best results, each circuit once."""
    different: dict[bytes, tuple[int, Figures]] = {}
    for place, native in sorted(natives.items()):
        if native.figures is not None:
            different.setdefault(native.native, (place, native.figures))
    order = ranked(different.values(), objective)
    small = [place for place, figures in different.values() if figures.two_qubit_gates <= SMALL]
    return order[: REFINED if small else 2]


def verify_compilation(
    session: Session, compilation: Compilation, pool: Executor | None, progress: Progress
) -> Compilation:
    """Prove the program against the rules and every candidate against the program; choose one.

    Candidates of games that are too large for a state play single games, and the rules judge.

    Raises:
        LoweringError: if no pipeline got through.
        VerificationError: if the program or every candidate is proven wrong.
    """
    started = perf_counter()
    source = source_of(compilation)
    try:
        compilation.program_verified = _verify_program(workload(source, compilation.encoding))
    except VerificationError:
        compilation.program_verified = "refuted"
        session.commit()
        raise
    pending = [candidate for candidate in compilation.candidates if candidate.native]
    claims = [
        Claim(
            request,
            candidate.native or b"",
            candidate.logical or b"",
            tuple(candidate.final_layout),
        )
        for candidate, request in zip(
            pending,
            _requests(compilation, [Attempt(c.synthesis, c.pipeline, c.seed) for c in pending]),
            strict=True,
        )
    ]
    for done, (place, (verdict, seconds)) in enumerate(each(pool, verify, claims), start=1):
        candidate = pending[place]
        candidate.verified, candidate.detail = verdict.verified, verdict.detail
        candidate.verify_seconds = seconds
        progress(
            f"{compilation.program} on {compilation.target}: {candidate.pipeline} seed "
            f"{candidate.seed}: verified {verdict.verified} "
            f"({seconds:.1f} s, {done} of {len(claims)})"
        )
    survivors: list[Candidate] = []
    for kind in ("exact", "sampled", "unverified"):
        survivors = survivors or [c for c in pending if c.verified == kind]
    if survivors:
        chosen = best([(c, _figures(c)) for c in survivors], compilation.objective)
        chosen.chosen = True
        for candidate in compilation.candidates:
            candidate.native = candidate.native if candidate.chosen else None
            candidate.logical = candidate.logical if candidate.chosen else None
    compilation.compile_seconds = (compilation.compile_seconds or 0) + perf_counter() - started
    session.commit()
    if not pending:
        failures = {candidate.detail for candidate in compilation.candidates}
        raise LoweringError(f"no pipeline could lower {compilation.program}: {'; '.join(failures)}")
    if not survivors:
        raise VerificationError(f"every candidate is proven wrong; the first: {pending[0].detail}")
    return compilation


def _verify_program(work: Workload) -> str:
    if work.game is None:
        return "given"
    try:
        require_small(work)
        verify_program(work, program_state(work.program))
    except (StateTooLargeError, GameTooLargeError):
        return "unverified"
    return "exact"


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


def source_of(compilation: Compilation) -> Source:
    """Return what was compiled."""
    return Source(compilation.program, compilation.source)


def check_shots(shots: int) -> None:
    """Refuse a number of shots.

    Raises:
        InputError: if it is not from 1 to `MAX_SHOTS`.
    """
    if not 1 <= shots <= MAX_SHOTS:
        raise InputError(f"shots = {shots}: must be from 1 to {MAX_SHOTS}")


def _requests(compilation: Compilation, tries: list[Attempt]) -> list[Request]:
    return [
        Request(
            source_of(compilation),
            compilation.encoding,
            compilation.target,
            attempt,
            compilation.objective,
            compilation.budget,
            tuple(compilation.without),
        )
        for attempt in tries
    ]


def _figures(candidate: Candidate) -> Figures:
    return Figures(**{field.name: getattr(candidate, field.name) for field in fields(Figures)})
