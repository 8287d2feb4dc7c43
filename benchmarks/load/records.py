"""Many records: lists of them, metrics of them, and sweeps over them."""

import statistics
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from sqlalchemy import Engine, insert, select, update
from sqlalchemy.orm import Session

from workers.accounts.tokens import Scope, create_token
from workers.jobs.states import Queue, State
from workers.metrics.from_records.collector import RecordCollector
from workers.queue.sweeper import Sweeper
from workers.records.queries.jobs import JobFilter, jobs_page
from workers.records.tables import Job, now
from workers.settings import Settings

from .figures import Load, Measured, milliseconds, seconds_of
from .service import Service

LIST_BAR_MS = 200.0
METRICS_BAR_MS = 1000.0
SWEEP_BAR_MS = 100.0
LOOKS = 7
AT_ONCE = 5_000
BACKENDS = ("sparse", "ibm:boston", "braket:garnet")
TAGS = ("night", "noon", None)


def lists(service: Service, load: Load, result: Measured) -> None:
    """Fill the database, and list jobs over HTTP and directly, also for a token without any."""
    service.worker.stop()
    _fill(service, load.records)
    with Session(service.engine) as session:
        idle = create_token(session, "idle", [Scope.READ])
    since = now().date().isoformat()
    rare: list[dict[str, Any]] = [
        {"state": State.VERIFYING},
        {"tag": "noon", "state": State.FAILED, "backend": "ibm:boston"},
    ]
    often: list[dict[str, Any]] = [
        {}, {"state": State.DONE}, {"tag": "noon"}, {"backend": "sparse"}, {"since": since},
        {"before": 500},
    ]  # fmt: skip
    client = service.client()
    over_http = [
        seconds_of(partial(connection.jobs, limit=50, **query))
        for connection, queries in ((client, often + rare), (service.client(idle), [{}]))
        for query in queries
        for _ in range(LOOKS)
    ]

    def page(query: dict[str, Any]) -> None:
        with Session(service.engine) as session:
            jobs_page(session, JobFilter(**query))

    directly = [
        seconds_of(partial(page, query))
        for query in (*often[:3], *rare, {"since": datetime.now(UTC)})
        for _ in range(LOOKS)
    ]
    result.figures.update(
        {
            "records": load.records,
            **milliseconds("list over HTTP", over_http),
            **milliseconds("list directly", directly),
        }
    )
    if max(*over_http, *directly) * 1000 > LIST_BAR_MS:
        result.slow.append(f"a list took more than {LIST_BAR_MS:g} ms")


def metrics(service: Service, load: Load, result: Measured) -> None:
    """Read all metrics of the records afresh, as the first of a number of scrapers does."""
    registries = [CollectorRegistry() for _ in range(LOOKS)]
    for registry in registries:
        registry.register(RecordCollector(service.engine, Settings(), lambda: None))
    seconds = [seconds_of(partial(generate_latest, registry)) for registry in registries]
    result.figures.update(milliseconds("metrics of the records", seconds))
    if max(seconds) * 1000 > METRICS_BAR_MS:
        result.slow.append(f"metrics took more than {METRICS_BAR_MS:g} ms")


def sweeps(service: Service, load: Load, result: Measured) -> None:
    """Let as many jobs as there are records wait, none of them due and then all, and sweep."""
    for name, seconds in sweep_seconds(service.engine).items():
        result.figures.update(milliseconds(name, seconds))
        if statistics.median(seconds) * 1000 > SWEEP_BAR_MS:
            result.slow.append(f"{name} took more than {SWEEP_BAR_MS:g} ms")
    # Metrics of a scrape, now that all jobs wait.
    metrics(service, load, result)


def sweep_seconds(engine: Engine) -> dict[str, list[float]]:
    """Return the seconds of sweeps, with all jobs waiting for their provider, and with all due.

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
    result: dict[str, list[float]] = {}
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
        result[name] = [seconds_of(sweeper.sweep) for _ in range(LOOKS)]
    return result


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
