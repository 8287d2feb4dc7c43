"""Scoring a backend in this process: parts that are done are not run again."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from decimal import Decimal

from attrs import evolve, frozen
from sqlalchemy import select
from sqlalchemy.orm import Session

from backends import BackendError, CircuitJob, LocalBackend, ProviderBackend, backend_from_spec
from compiler.dynamic.pieces import is_dynamic
from compiler.errors import LoweringError, VerificationError
from compiler.formats.circuit_files import read_qpy
from compiler.words.plurals import how_many
from workers.accounts.budgets import BudgetError, check_budgets, microusd
from workers.compilation.compiling import compile_order
from workers.compilation.orders import plan_order
from workers.jobs.control import retry
from workers.jobs.lookup import keyed_job
from workers.jobs.request import Submission, recorded_key
from workers.jobs.states import FINAL, State
from workers.jobs.without_queue import finish_job, run_job
from workers.records.tables import Compilation, Job
from workers.sandbox.sandbox import most_bytes
from workers.score.parts import ScoredPart, lost, played, unplayed
from workers.score.planning import PlannedPart
from workers.settings import Settings

Say = Callable[[str], None]


@frozen(eq=False)
class ReadyPart:
    """A part before it is run.

    Args:
        planned: what was asked.
        job: that runs it already, or has; None if there is none yet.
        compilation: of what is to be run; None if there is nothing to run.
        refused: why it cannot be; empty if it can.
        cost_usd: that a provider takes for what is still to be run.
        seconds: that it is expected to take here, or takes a provider's machine; None if nobody
            knows.
    """

    planned: PlannedPart
    job: Job | None
    compilation: Compilation | None
    refused: str = ""
    cost_usd: Decimal = Decimal(0)
    seconds: float | None = None

    @property
    def to_run(self) -> bool:
        """Whether it is still to be run."""
        return not self.refused and (self.job is None or self.job.state != State.DONE)


def make_ready(
    session: Session,
    planned: Sequence[PlannedPart],
    pool: Executor | None,
    say: Say,
    set_: Settings,
) -> list[ReadyPart]:
    """Compile and prove what is not there yet, and tell what running it will cost.

    Args:
        session: of the records.
        planned: the parts.
        pool: processes that make attempts; None for this one.
        say: hears of what is done.
        set_: how much memory simulators may take.
    """
    return [_ready(session, one, pool, say, set_) for one in planned]


def check_cost(
    session: Session, set_: Settings, ready: Sequence[ReadyPart], limit: Decimal | None
) -> Decimal:
    """Return what the parts cost that are still to be run.

    Raises:
        BudgetError: if that is more than is allowed; nothing has been submitted.
    """
    tags = {one.planned.asked.tag for one in ready if one.planned.asked is not None}
    cost = sum((one.cost_usd for one in ready if one.to_run), Decimal(0))
    if limit is not None and cost > limit:
        raise BudgetError(
            f"the score needs {cost:.2f} USD, more than {limit} USD; nothing was "
            "submitted: allow more with --max-cost"
        )
    for one in ready:
        if one.to_run:
            check_budgets(session, set_, microusd(one.cost_usd), tag=None, token_id=None)
    together = evolve(set_, job_budget_usd=None)
    for tag in tags:
        check_budgets(session, together, microusd(cost), tag=tag, token_id=None)
    return cost


def play(session: Session, ready: ReadyPart, say: Say) -> ScoredPart:
    """Run a part, or go on with it, and score it.

    What a simulator does not get through counts as not supported; what a provider has not
    brought back is lost, and can be run again.
    """
    part, asked = ready.planned.part, ready.planned.asked
    if asked is None or ready.refused:
        return unplayed(part, ready.refused)
    job = ready.job
    try:
        if job is None:
            assert ready.compilation is not None
            say(f"{part.name}: {how_many(part.shots, 'shot')} on {asked.backend}")
            job = run_job(
                session, ready.compilation, asked.backend, asked.shots, asked.seed, progress=say,
                tag=asked.tag, idempotency_key=recorded_key(asked.idempotency_key or "", None),
            )  # fmt: skip
        elif job.state != State.DONE:
            job = finish_job(session, job, progress=say)
    except BackendError as error:
        say(f"{part.name}: {error}")
        return unplayed(part, str(error), lost(asked.backend))
    return played(part, job)


def _ready(
    session: Session, planned: PlannedPart, pool: Executor | None, say: Say, set_: Settings
) -> ReadyPart:
    asked = planned.asked
    if asked is None:
        say(f"{planned.part.name}: not supported: {planned.refused}")
        return ReadyPart(planned, None, None, planned.refused)
    job = keyed_job(session, recorded_key(asked.idempotency_key or "", None))
    if job is not None:
        if job.state in FINAL and job.state != State.DONE:
            job = retry(session, job.id)
        say(f"{planned.part.name}: job {job.id} of this run is {job.state}")
        return ReadyPart(planned, job, job.compilation)
    try:
        compilation = compile_order(session, *plan_order(asked.order), pool, say)
    except (LoweringError, VerificationError) as error:
        say(f"{planned.part.name}: {error}")
        return ReadyPart(planned, None, None, str(error))
    circuit = read_qpy(compilation.chosen.native or b"", planned.part.name)
    to_run = CircuitJob(
        circuit,
        compilation.target,
        asked.shots,
        asked.seed,
        forgetful=compilation.chosen.verified == "sampled" and not is_dynamic(circuit),
    )
    machine = backend_from_spec(asked.backend)
    if isinstance(machine, ProviderBackend):
        cost, duration = machine.estimated_cost_usd(to_run), compilation.chosen.duration_ns
        seconds = None if duration is None else duration * asked.shots / 1e9
        return ReadyPart(planned, None, compilation, "", cost, seconds)
    assert isinstance(machine, LocalBackend)
    try:
        machine.check_memory(to_run, most_bytes(set_))
    except BackendError as error:
        say(f"{planned.part.name}: {error}")
        return ReadyPart(planned, None, compilation, str(error))
    seconds = _earlier_seconds(session, compilation, asked)
    return ReadyPart(planned, None, compilation, seconds=seconds)


def _earlier_seconds(session: Session, compilation: Compilation, asked: Submission) -> float | None:
    """Return how long as many shots of this circuit took last time; None if they never ran."""
    if compilation.native_digest is None:
        return None
    row = session.execute(
        select(Job.run_seconds, Job.shots)
        .join(Compilation, Compilation.id == Job.compilation_id)
        .where(
            Compilation.native_digest == compilation.native_digest,
            Job.backend == asked.backend,
            Job.run_seconds.is_not(None),
        )
        .order_by(Job.id.desc())
        .limit(1)
    ).first()
    return None if row is None else row.run_seconds * asked.shots / row.shots
