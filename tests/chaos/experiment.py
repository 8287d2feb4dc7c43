"""The experiment: real servers, two workers, many jobs, and everything goes wrong at once."""

import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path
from threading import Lock

from attrs import field, frozen
from sqlalchemy import Engine, and_, func, or_, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, aliased

from workers.jobs.states import FINAL, JobKind, State
from workers.records.database import open_database
from workers.records.tables import Job

from ..servers.postgres import PostgresServer
from ..servers.process import wait_until
from ..servers.proxy import SilentProxy
from ..servers.redis import RedisServer
from .programs import PROGRAMS
from .providers import OTHER, providers
from .storm import Kind, Storm, World, strikes
from .submitting import Submitter
from .verdict import Verdict, verdict
from .workers import WorkerProcess

WORKERS = 2
"""Each with accounts of its own."""
PROCESSES = 2
"""Of each worker."""

DATABASE = "chaos"

SETTINGS = {
    "LEASE_SECONDS": "3",
    "RESEND_SECONDS": "3",
    "SWEEP_SECONDS": "0.25",
    "POLL_SECONDS": "0.2",
    "POLL_MOST_SECONDS": "2",
    "SETTLE_SECONDS": "4",
    "BACKOFF_SECONDS": "0.2",
    "BACKOFF_MOST_SECONDS": "2",
    "OUTAGE_MOST_SECONDS": "2",
}
"""What in production is minutes takes seconds; everything else is as delivered."""

LOOK_SECONDS = 0.1
TELL_SECONDS = 5.0
STILL_SECONDS = 120.0
"""After which jobs of which none has changed its state count as lost."""


TIMES = {
    Kind.KILL: 24,
    Kind.WIPE: 2,
    Kind.RESTART: 1,
    Kind.PARTITION: 4,
    Kind.SUSPENSION: 4,
    Kind.JUMP: 3,
    Kind.OUTAGE: 3,
    Kind.CALL_OUTAGE: 3,
    Kind.FAILOVER: 2,
    Kind.EXPIRY: 2,
    Kind.LEAVING: 1,
    Kind.PAUSE: 2,
    Kind.CANCEL: 30,
}
"""How often each kind of strike hits 1,000 jobs."""


@frozen
class Plan:
    """What is to happen.

    Args:
        seed: of everything that is left to chance here.
        jobs: how many are submitted.
        times: how often each kind of strike hits.
        limit_seconds: after which jobs that have not ended count as lost.
    """

    seed: int
    jobs: int = 1000
    times: Mapping[Kind, int] = field(factory=TIMES.copy)
    limit_seconds: float = 3600.0

    @property
    def tag_budget_usd(self) -> Decimal:
        """What jobs with a tag may cost together: about half of what they do."""
        return Decimal(self.jobs) / 10

    @property
    def window(self) -> int:
        """How many jobs are under way at once at most."""
        return max(10, self.jobs // 5)

    @property
    def programs(self) -> int:
        """How many different programs are compiled, each for every backend."""
        return min(len(PROGRAMS), max(1, self.jobs // 15))


@frozen
class Report:
    """What has happened."""

    plan: Plan
    verdict: Verdict
    strikes: Mapping[str, int]
    kills: Mapping[str, int]
    faults: Mapping[str, int]
    missing: tuple[str, ...]
    """What was to happen and did not."""
    seconds: float
    logs: Path | None
    """What the workers said, kept if anything is wrong."""

    @property
    def good(self) -> bool:
        """Return whether everything held."""
        return not self.verdict.problems and not self.missing


def chaos(plan: Plan, say: Callable[[str], None]) -> Report:
    """Run the experiment.

    Args:
        plan: what is to happen.
        say: hears a line now and then.
    """
    started = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="stichwerk-chaos-"))
    with ExitStack() as stack:
        redis = stack.enter_context(RedisServer(append_only=True))
        postgres = stack.enter_context(PostgresServer())
        there = stack.enter_context(providers(plan.seed))
        address = postgres.create(DATABASE)
        postgres.let_clock_jump(DATABASE)
        engine = open_database(address)
        stack.callback(engine.dispose)
        proxies = [stack.enter_context(SilentProxy(postgres.port)) for _ in range(WORKERS)]
        environment = {
            **there.environment,
            "STICHWERK_REDIS": redis.url,
            "STICHWERK_TAG_BUDGET_USD": str(plan.tag_budget_usd),
            **{f"STICHWERK_{name}": value for name, value in SETTINGS.items()},
        }
        workers = [
            WorkerProcess(
                folder,
                {
                    **environment,
                    **led,
                    "STICHWERK_DATABASE": address.replace(f":{postgres.port}/", f":{proxy.port}/"),
                },
                f"worker{number}",
                PROCESSES,
            )
            for number, (proxy, led) in enumerate(zip(proxies, ({}, OTHER), strict=True))
        ]
        for worker in workers:
            stack.callback(worker.stop)
            worker.start()
        world = World(workers, proxies, redis, postgres, DATABASE, there, engine, Lock())
        storm = Storm(strikes(plan.seed, plan.times), plan.seed, world, say)
        submitter = _weather(plan, storm, engine, started, say)
        for worker in workers:
            worker.stop()
        with Session(engine) as session:
            found = verdict(
                session,
                submitter.submitted,
                submitter.batches,
                there.audit(),
                there.put_aside(),
                storm.cancelled,
                plan.tag_budget_usd,
            )
        faults = there.faults()
    missing = _missing(plan, storm, submitter)
    kept = folder if found.problems or missing else None
    if kept is None:
        shutil.rmtree(folder)
    return Report(
        plan,
        found,
        {kind.value: sum(s.kind == kind for s in storm.done) for kind in Kind},
        Counter(strike.victim.value for strike in storm.done if strike.victim),
        faults,
        missing,
        time.monotonic() - started,
        kept,
    )


def _weather(
    plan: Plan, storm: Storm, engine: Engine, started: float, say: Callable[[str], None]
) -> Submitter:
    """Let users submit and things go wrong until all jobs have ended or the time is up."""
    states: Counter[str] = Counter()

    def ended() -> int:
        return sum(n for state, n in states.items() if state in FINAL)

    def allowed() -> int:
        # Whatever is to go wrong must do so before the last job has ended.
        share = storm.left[0].share if storm.left else 1.0
        return min(ended(), int(share * plan.jobs)) + plan.window

    programs = PROGRAMS[-plan.programs :]
    submitter = Submitter(engine, plan.jobs, programs, plan.seed, allowed, storm.world.submitting)
    submitter.start()
    told = changed = started

    def over() -> bool:
        """Blow once more, and tell whether all jobs have ended, or nothing moves any longer."""
        nonlocal told, changed, states
        if submitter.error is not None:
            return True
        before, states = states, _states(engine, submitter.batches) or states
        # A failover that is under way brings back jobs that have ended.
        settled = not storm.world.submitting.locked()
        if ended() >= plan.jobs and settled and _still_open(engine) == 0:
            return True
        now = time.monotonic()
        if now - started > plan.limit_seconds or now - changed > STILL_SECONDS:
            say(f"giving up after {now - started:.0f} s, {now - changed:.0f} s without change")
            return True
        changed = changed if states == before else now
        storm.blow(ended() / plan.jobs)
        if now - told > TELL_SECONDS:
            told = now
            storm.cancel_without_result()
            listed = ", ".join(f"{n} {state}" for state, n in sorted(states.items()))
            say(f"{now - started:4.0f} s, {len(storm.done)} strikes: {listed}")
        return False

    wait_until(over, plan.limit_seconds + STILL_SECONDS, LOOK_SECONDS)
    storm.calm()
    submitter.stop()
    return submitter


def _states(engine: Engine, batches: Mapping[int, int]) -> Counter[str] | None:
    """Return how many circuits are in each state, None if the database is away.

    Those of a batch that was cancelled before a worker created them count as cancelled.
    """
    circuit = aliased(Job)
    opened = select(circuit.id).where(circuit.parent_id == Job.id).exists()
    try:
        with engine.connect() as connection:
            circuits = select(Job.state, func.count()).where(Job.kind == JobKind.CIRCUIT)
            rows = connection.execute(circuits.group_by(Job.state)).all()
            unopened = connection.scalars(
                select(Job.id).where(
                    Job.kind == JobKind.BATCH, Job.state == State.CANCELLED, ~opened
                )
            ).all()
    except SQLAlchemyError:
        return None
    states = Counter(dict(rows))
    states[State.CANCELLED] += sum(batches.get(batch, 0) for batch in unopened)
    return states


def _still_open(engine: Engine) -> int | None:
    """Return how many charges are not known yet and batches have not ended, None if that fails."""
    batch = and_(Job.kind != JobKind.CIRCUIT, Job.state.not_in(FINAL))
    wanted = select(func.count()).where(or_(Job.charge_due_at.is_not(None), batch))
    try:
        with engine.connect() as connection:
            return connection.scalar(wanted)
    except SQLAlchemyError:
        return None


def _missing(plan: Plan, storm: Storm, submitter: Submitter) -> tuple[str, ...]:
    missing = [f"{strike.kind} at {strike.share:.0%} of the jobs" for strike in storm.left]
    if submitter.error is not None:
        missing.append(f"submission stopped: {submitter.error!r}")
    if submitter.count < plan.jobs:
        missing.append(f"only {submitter.count} of {plan.jobs} jobs were submitted")
    return tuple(missing)
