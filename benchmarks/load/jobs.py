"""Jobs: taken in from many clients, done, one after the other, and beside a flood."""

import statistics
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from time import perf_counter

from sqlalchemy import select
from sqlalchemy.orm import Session

from stichwerk.client import Client, ClientError
from tests.servers.process import wait_until
from workers.accounts.tokens import Scope, create_token
from workers.jobs.states import FINAL, State
from workers.jobs.submission import MAX_REPEATS
from workers.records.tables import Job

from .figures import Load, Measured, milliseconds, seconds_of
from .service import Service

OVERHEAD_BAR_MS = 50.0
FLOOD_BAR = 3.0
"""Limit of one tenant's times beside another's flood, as a multiple of its times alone."""


def submissions(service: Service, load: Load, result: Measured) -> None:
    """Submit from many clients at once, and look for the row of each that was accepted."""
    calls, seconds, refused = iter(range(load.submissions)), list[float](), list[str]()
    # The program is read once, before it is submitted by everybody.
    warm, ids = service.submit(service.client()), list[int]()

    def submit_some(client: Client) -> None:
        for _ in calls:
            try:
                seconds.append(seconds_of(lambda: ids.extend(service.submit(client))))
            except ClientError as error:
                refused.append(str(error))

    began = perf_counter()
    with ThreadPoolExecutor(load.clients) as crowd:
        list(crowd.map(submit_some, [service.client() for _ in range(load.clients)]))
    elapsed = perf_counter() - began
    with Session(service.engine) as session:
        lost = sorted({*warm, *ids} - {*session.scalars(select(Job.id))})
    result.figures.update(
        {
            "submissions": load.submissions,
            "clients": load.clients,
            "accepted": len(ids),
            "accepted without a row": len(lost),
            "submissions per second": len(ids) / elapsed,
            **milliseconds("submit call", seconds),
        }
    )
    result.problems.extend(refused[:10])
    if lost or len(set(ids)) != load.submissions:
        result.problems.append(f"lost: {lost[:10]}, {len(set(ids))} of {load.submissions} accepted")


def work(service: Service, load: Load, result: Measured) -> None:
    """Let a worker do all that was submitted."""
    service.worker.start()
    wait_until(lambda: not service.count(Job.state.not_in(FINAL)), load.limit_seconds, 0.5)
    if undone := service.count(Job.state != State.DONE):
        result.problems.append(f"{undone} jobs are not done after {load.limit_seconds:g} s")
    with Session(service.engine) as session:
        done = select(Job.finished_at).where(Job.state == State.DONE)
        ends = sorted(end for end in session.scalars(done) if end is not None)
    # The first took the compilation along.
    if len(ends) > 2:
        seconds = (ends[-1] - ends[0]).total_seconds()
        result.figures["jobs done per second"] = (len(ends) - 1) / seconds


def alone(service: Service, load: Load, result: Measured) -> None:
    """Submit job after job, and measure the time of each without its run."""
    client = service.client()
    overheads: list[float] = []
    runs: list[float] = []
    for _ in range(load.alone):
        began = datetime.now(UTC)
        job_id = _ended(service, client)
        with Session(service.engine) as session:
            job = session.get_one(Job, job_id)
            assert job.finished_at is not None
            assert job.run_seconds is not None
            overheads.append((job.finished_at - began).total_seconds() - job.run_seconds)
            runs.append(job.run_seconds)
    result.figures.update(
        {"jobs alone": load.alone, **milliseconds("overhead of a job", overheads)}
    )
    result.figures["median run ms"] = 1000 * statistics.median(runs)
    if statistics.median(overheads) * 1000 > OVERHEAD_BAR_MS:
        result.slow.append(f"median overhead above {OVERHEAD_BAR_MS:g} ms")


def beside(service: Service, load: Load, result: Measured) -> None:
    """Let one token submit very much, and measure the times of another one's jobs meanwhile."""
    with Session(service.engine) as session:
        other = service.client(create_token(session, "other", [Scope.SUBMIT, Scope.READ]))

    def times() -> list[float]:
        return [seconds_of(lambda: _ended(service, other)) for _ in range(load.beside)]

    alone, flooding = times(), service.client()
    for left in range(load.flood, 0, -MAX_REPEATS):
        service.submit(flooding, min(left, MAX_REPEATS))
    beside = times()
    if not service.count(Job.state.not_in(FINAL)):
        result.problems.append("the flood was over before the other's jobs were done")
    result.figures.update(
        {
            "flood": load.flood,
            **milliseconds("a job alone", alone),
            **milliseconds("a job beside the flood", beside),
        }
    )
    if statistics.median(beside) > FLOOD_BAR * statistics.median(alone):
        result.slow.append(f"beside a flood a job took more than {FLOOD_BAR:g} times as long")


def _ended(service: Service, client: Client) -> int:
    """Submit a job, wait for its end, and return its number.

    Raises:
        TimeoutError: if it has not ended after a minute.
    """
    (job_id,) = service.submit(client)
    if not wait_until(lambda: service.count(Job.id == job_id, Job.state.in_(FINAL)), 60, 0.005):
        raise TimeoutError(f"job {job_id} has not ended after a minute")
    return job_id
