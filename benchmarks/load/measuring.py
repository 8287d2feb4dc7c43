"""What is measured of a service, and the bars that it must pass."""

import statistics
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from time import perf_counter

from attrs import field, frozen
from prometheus_client import CollectorRegistry, generate_latest
from sqlalchemy import Engine, func, insert, select, update
from sqlalchemy.orm import Session

from service.answers.jobs import jobs_page
from tests.servers.process import wait_until
from workers.accounts.tokens import Scope, create_token
from workers.jobs.states import FINAL, Queue, State
from workers.jobs.submission import MOST_REPEATS
from workers.metrics.from_records.collector import RecordCollector
from workers.queue.sweeper import Sweeper
from workers.records.tables import Job, now
from workers.settings import Settings

from .clients import ACCEPTED, Client, submit_all
from .service import Service

OVERHEAD_BAR_MS = 50.0
LIST_BAR_MS = 200.0
METRICS_BAR_MS = 1000.0
FLOOD_BAR = 3.0
"""How much longer one tenant's job may take beside another's flood than alone."""
SWEEP_BAR_MS = 100.0
LOOKS = 7
AT_ONCE = 5_000
BACKENDS = ("sparse", "ibm:torino", "braket:garnet")
TAGS = ("night", "noon", None)


@frozen
class Load:
    """How much.

    Args:
        submissions: over HTTP.
        clients: that submit at the same time.
        alone: jobs that are submitted one after the other, each when the last is done.
        flood: jobs that one token submits before another one's.
        beside: jobs of the other token, one after the other.
        records: that a list is made from.
        limit_seconds: that the workers have for all submissions.
    """

    submissions: int = 5_000
    clients: int = 20
    alone: int = 200
    flood: int = 3_000
    beside: int = 20
    records: int = 100_000
    limit_seconds: float = 1800.0


@frozen
class Measured:
    """What was found.

    Args:
        database: its name and version.
        figures: by name.
        problems: what must not happen at all, in words.
        slow: what took longer than it may.
    """

    database: str
    figures: dict[str, float] = field(factory=dict)
    problems: list[str] = field(factory=list)
    slow: list[str] = field(factory=list)


def measured(service: Service, load: Load, say: Callable[[str], None]) -> Measured:
    """Measure a service whose worker has not been started."""
    found = Measured(service.database)
    for part in (_submissions, _work, _alone, _beside, _lists, _metrics, _sweeps):
        part(service, load, found)
        say(f"{service.database}: {part.__name__.strip('_')} done")
    return found


def _submissions(service: Service, load: Load, found: Measured) -> None:
    # The program is read once, before it is submitted by everybody.
    warm = submit_all(service.port, service.token, 1, 1)
    came = submit_all(service.port, service.token, load.submissions, load.clients)
    with Session(service.engine) as session:
        rows = set(session.scalars(select(Job.id)))
    lost = [job_id for job_id in (*warm.ids, *came.ids) if job_id not in rows]
    found.figures.update(
        {
            "submissions": load.submissions,
            "clients": load.clients,
            "accepted": len(came.ids),
            "accepted without a row": len(lost),
            "submissions per second": len(came.ids) / came.elapsed,
            **_milliseconds("submit call", came.seconds),
        }
    )
    found.problems.extend(came.refused[:10])
    if lost or len(set(came.ids)) != load.submissions:
        found.problems.append(
            f"lost: {lost[:10]}, {len(set(came.ids))} of {load.submissions} accepted"
        )


def _work(service: Service, load: Load, found: Measured) -> None:
    """Let a worker do all that was submitted."""
    service.worker.start()

    def open_jobs() -> int:
        with Session(service.engine) as session:
            left = select(func.count()).select_from(Job).where(Job.state.not_in(FINAL))
            return int(session.scalar(left) or 0)

    if not wait_until(lambda: open_jobs() == 0, load.limit_seconds, 0.5):
        found.problems.append(f"{open_jobs()} jobs have not ended after {load.limit_seconds:g} s")
    with Session(service.engine) as session:
        ends = sorted(
            end
            for end in session.scalars(select(Job.finished_at).where(Job.state == State.DONE))
            if end is not None
        )
        undone = session.scalar(
            select(func.count()).select_from(Job).where(Job.state != State.DONE)
        )
    if undone:
        found.problems.append(f"{undone} jobs are not done")
    # The first took the compilation along.
    if len(ends) > 2:
        found.figures["jobs done per second"] = (len(ends) - 1) / (
            ends[-1] - ends[0]
        ).total_seconds()


def _alone(service: Service, load: Load, found: Measured) -> None:
    """Submit job after job, and measure what each takes besides its run."""
    client = Client(service.port, service.token)
    overheads: list[float] = []
    runs: list[float] = []
    for _ in range(load.alone):
        began = datetime.now(UTC)
        status, answer = client.submit(10)
        if status != ACCEPTED:
            found.problems.append(f"{status}: {answer}")
            continue
        job_id = answer["jobs"][0]["id"]
        if not wait_until(partial(_finished, service, job_id), 60, 0.01):
            found.problems.append(f"job {job_id} has not ended after a minute")
            continue
        with Session(service.engine) as session:
            job = session.get_one(Job, job_id)
            assert job.finished_at is not None
            assert job.run_seconds is not None
            took = (job.finished_at - began).total_seconds()
            overheads.append(took - job.run_seconds)
            runs.append(job.run_seconds)
    client.close()
    found.figures.update(
        {"jobs alone": load.alone, **_milliseconds("overhead of a job", overheads)}
    )
    found.figures["median run ms"] = 1000 * statistics.median(runs)
    if statistics.median(overheads) * 1000 > OVERHEAD_BAR_MS:
        found.slow.append(f"median overhead above {OVERHEAD_BAR_MS:g} ms")


def _beside(service: Service, load: Load, found: Measured) -> None:
    """Let one token submit very much, and measure what another one's jobs take meanwhile."""
    with Session(service.engine) as session:
        other = Client(service.port, create_token(session, "other", [Scope.SUBMIT, Scope.READ]))
    flooding = Client(service.port, service.token)
    alone = [_waited(service, other, found) for _ in range(load.beside)]
    left = load.flood
    while left > 0:
        status, answer = flooding.submit(10, min(left, MOST_REPEATS))
        left -= MOST_REPEATS
        if status != ACCEPTED:
            found.problems.append(f"{status}: {answer}")
    # The server has cut its idle connection meanwhile.
    other.close()
    beside = [_waited(service, other, found) for _ in range(load.beside)]
    with service.engine.connect() as connection:
        left = connection.scalar(
            select(func.count()).select_from(Job).where(Job.state.not_in(FINAL))
        ) or 0  # fmt: skip
    if not left:
        found.problems.append("the flood was over before the other's jobs were done")
    for client in (other, flooding):
        client.close()
    found.figures.update(
        {
            "flood": load.flood,
            **_milliseconds("a job alone", alone),
            **_milliseconds("a job beside the flood", beside),
        }
    )
    if statistics.median(beside) > FLOOD_BAR * statistics.median(alone):
        found.slow.append(f"beside a flood a job took more than {FLOOD_BAR:g} times as long")


def _waited(service: Service, client: Client, found: Measured) -> float:
    """Return the seconds from a call to the end of the job that it submitted."""
    began = perf_counter()
    status, answer = client.submit(10)
    if status != ACCEPTED:
        found.problems.append(f"{status}: {answer}")
    elif not wait_until(partial(_finished, service, answer["jobs"][0]["id"]), 60, 0.005):
        found.problems.append("a job beside the flood has not ended after a minute")
    return perf_counter() - began


def _finished(service: Service, job_id: int) -> bool:
    with service.engine.connect() as connection:
        return connection.scalar(select(Job.state).where(Job.id == job_id)) in FINAL


def _lists(service: Service, load: Load, found: Measured) -> None:
    """Fill the database, and list jobs over HTTP and directly, also for a token without any."""
    service.worker.stop()
    _fill(service, load.records)
    with Session(service.engine) as session:
        idle = create_token(session, "idle", [Scope.READ])
    since = now().date().isoformat()
    queries = ("", "&status=done", "&tag=noon", "&backend=sparse", f"&since={since}", "&before=500")
    rare = ("&status=verifying", "&tag=noon&status=failed&backend=ibm:torino")
    over_http: list[float] = []
    for token, query in (*((service.token, query) for query in (*queries, *rare)), (idle, "")):
        client = Client(service.port, token)
        for _ in range(LOOKS):
            began = perf_counter()
            status, answer = client.get(f"/jobs?limit=50{query}")
            over_http.append(perf_counter() - began)
            if status != 200:
                found.problems.append(f"GET /jobs{query}: {status} {answer}")
        client.close()
    directly: list[float] = []
    for given in (
        {},
        {"status": State.DONE},
        {"tag": "noon"},
        {"status": State.VERIFYING},
        {"since": datetime.now(UTC)},
        {"tag": "noon", "status": State.FAILED, "backend": "ibm:torino"},
    ):
        for _ in range(LOOKS):
            with Session(service.engine) as session:
                began = perf_counter()
                jobs_page(session, **given)
                directly.append(perf_counter() - began)
    found.figures.update(
        {
            "records": load.records,
            **_milliseconds("list over HTTP", over_http),
            **_milliseconds("list directly", directly),
        }
    )
    if max(*over_http, *directly) * 1000 > LIST_BAR_MS:
        found.slow.append(f"a list took more than {LIST_BAR_MS:g} ms")


def _metrics(service: Service, load: Load, found: Measured) -> None:
    """Read all metrics of the records afresh, as the first of a number of scrapers does."""
    seconds: list[float] = []
    for _ in range(LOOKS):
        registry = CollectorRegistry()
        registry.register(RecordCollector(service.engine, Settings(), lambda: None))
        began = perf_counter()
        generate_latest(registry)
        seconds.append(perf_counter() - began)
    found.figures.update(_milliseconds("metrics of the records", seconds))
    if max(seconds) * 1000 > METRICS_BAR_MS:
        found.slow.append(f"metrics took more than {METRICS_BAR_MS:g} ms")


def _sweeps(service: Service, load: Load, found: Measured) -> None:
    """Let as many jobs as there are records wait, none of them due and then all, and sweep."""
    for name, seconds in sweep_seconds(service.engine).items():
        found.figures.update(_milliseconds(name, seconds))
        if statistics.median(seconds) * 1000 > SWEEP_BAR_MS:
            found.slow.append(f"{name} took more than {SWEEP_BAR_MS:g} ms")
    # What is read by everybody who scrapes, now that all of them wait.
    _metrics(service, load, found)


def sweep_seconds(engine: Engine) -> dict[str, list[float]]:
    """Return what sweeps took, with all jobs waiting for their provider, and with all due.

    Args:
        engine: of a database whose jobs may be changed.
    """
    sweeper = Sweeper(
        engine,
        Settings(resend_seconds=3600.0),
        send=lambda *_: None,
        waiting=lambda: dict.fromkeys(Queue, 0),
        is_local=lambda spec: spec == "sparse",
    )
    states = (State.QUEUED, State.SUBMITTING, State.AT_PROVIDER, State.SCORING)
    found: dict[str, list[float]] = {}
    for name, due in (
        ("sweep of jobs that are not due", now() + timedelta(hours=1)),
        ("sweep of jobs that are due", now() - timedelta(hours=1)),
    ):
        with Session(engine) as session:
            for place, state in enumerate(states):
                mine = Job.id % len(states) == place
                session.execute(
                    update(Job).where(mine).values(state=state, due_at=due, finished_at=None)
                )
            session.commit()
        seconds: list[float] = []
        for _ in range(LOOKS):
            began = perf_counter()
            sweeper.sweep()
            seconds.append(perf_counter() - began)
        found[name] = seconds
    return found


def _fill(service: Service, records: int) -> None:
    """Record finished jobs of the token's, so that it sees all of them."""
    with Session(service.engine) as session:
        like = session.scalars(select(Job).order_by(Job.id).limit(1)).one()
        states = (State.DONE, State.DONE, State.DONE, State.FAILED, State.CANCELLED)
        for start in range(0, records, AT_ONCE):
            rows = [
                {
                    "order_digest": like.order_digest,
                    "compilation_id": like.compilation_id,
                    "program": like.program,
                    "target": like.target,
                    "backend": BACKENDS[n % len(BACKENDS)],
                    "shots": 10,
                    "seed": n,
                    "tag": TAGS[n // 7 % len(TAGS)],
                    "token_id": like.token_id,
                    "state": states[n % len(states)],
                    "finished_at": now(),
                }
                for n in range(start, min(records, start + AT_ONCE))
            ]
            session.execute(insert(Job), rows)
        session.commit()


def _milliseconds(name: str, seconds: Sequence[float]) -> dict[str, float]:
    """Return the median, the 90th and the 99th percentile, and the largest."""
    ordered = sorted(seconds)
    if not ordered:
        return {}
    at = {
        f"p{part}": ordered[min(len(ordered) - 1, len(ordered) * part // 100)]
        for part in (50, 90, 99)
    }
    return {
        f"{name} {which} ms": 1000 * value for which, value in (*at.items(), ("max", ordered[-1]))
    }
