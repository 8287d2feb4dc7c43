"""Jobs: taken in from many clients, done, one after the other, and beside a flood."""

import statistics
from datetime import UTC, datetime
from functools import partial
from time import perf_counter

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tests.servers.process import wait_until
from workers.accounts.tokens import Scope, create_token
from workers.jobs.states import FINAL, State
from workers.jobs.submission import MAX_REPEATS
from workers.records.tables import Job

from .clients import ACCEPTED, Client, submit_all
from .figures import Load, Measured, milliseconds
from .service import Service

OVERHEAD_BAR_MS = 50.0
FLOOD_BAR = 3.0
"""Limit of one tenant's times beside another's flood, as a multiple of its times alone."""


def submissions(service: Service, load: Load, result: Measured) -> None:
    """Submit from many clients at once, and look for the row of each that was accepted."""
    # The program is read once, before it is submitted by everybody.
    warm = submit_all(service.port, service.token, 1, 1)
    came = submit_all(service.port, service.token, load.submissions, load.clients)
    with Session(service.engine) as session:
        rows = set(session.scalars(select(Job.id)))
    lost = [job_id for job_id in (*warm.ids, *came.ids) if job_id not in rows]
    result.figures.update(
        {
            "submissions": load.submissions,
            "clients": load.clients,
            "accepted": len(came.ids),
            "accepted without a row": len(lost),
            "submissions per second": len(came.ids) / came.elapsed,
            **milliseconds("submit call", came.seconds),
        }
    )
    result.problems.extend(came.refused[:10])
    if lost or len(set(came.ids)) != load.submissions:
        result.problems.append(
            f"lost: {lost[:10]}, {len(set(came.ids))} of {load.submissions} accepted"
        )


def work(service: Service, load: Load, result: Measured) -> None:
    """Let a worker do all that was submitted."""
    service.worker.start()

    def open_jobs() -> int:
        with Session(service.engine) as session:
            left = select(func.count()).select_from(Job).where(Job.state.not_in(FINAL))
            return int(session.scalar(left) or 0)

    if not wait_until(lambda: open_jobs() == 0, load.limit_seconds, 0.5):
        result.problems.append(f"{open_jobs()} jobs have not ended after {load.limit_seconds:g} s")
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
        result.problems.append(f"{undone} jobs are not done")
    # The first took the compilation along.
    if len(ends) > 2:
        result.figures["jobs done per second"] = (len(ends) - 1) / (
            ends[-1] - ends[0]
        ).total_seconds()


def alone(service: Service, load: Load, result: Measured) -> None:
    """Submit job after job, and measure the time of each without its run."""
    client = Client(service.port, service.token)
    overheads: list[float] = []
    runs: list[float] = []
    for _ in range(load.alone):
        began = datetime.now(UTC)
        status, answer = client.submit(10)
        if status != ACCEPTED:
            result.problems.append(f"{status}: {answer}")
            continue
        job_id = answer["jobs"][0]["id"]
        if not wait_until(partial(_finished, service, job_id), 60, 0.01):
            result.problems.append(f"job {job_id} has not ended after a minute")
            continue
        with Session(service.engine) as session:
            job = session.get_one(Job, job_id)
            assert job.finished_at is not None
            assert job.run_seconds is not None
            took = (job.finished_at - began).total_seconds()
            overheads.append(took - job.run_seconds)
            runs.append(job.run_seconds)
    client.close()
    result.figures.update(
        {"jobs alone": load.alone, **milliseconds("overhead of a job", overheads)}
    )
    result.figures["median run ms"] = 1000 * statistics.median(runs)
    if statistics.median(overheads) * 1000 > OVERHEAD_BAR_MS:
        result.slow.append(f"median overhead above {OVERHEAD_BAR_MS:g} ms")


def beside(service: Service, load: Load, result: Measured) -> None:
    """Let one token submit very much, and measure the times of another one's jobs meanwhile."""
    with Session(service.engine) as session:
        other = Client(service.port, create_token(session, "other", [Scope.SUBMIT, Scope.READ]))
    flooding = Client(service.port, service.token)
    alone = [_waited(service, other, result) for _ in range(load.beside)]
    left = load.flood
    while left > 0:
        status, answer = flooding.submit(10, min(left, MAX_REPEATS))
        left -= MAX_REPEATS
        if status != ACCEPTED:
            result.problems.append(f"{status}: {answer}")
    # The server has cut its idle connection meanwhile.
    other.close()
    beside = [_waited(service, other, result) for _ in range(load.beside)]
    with service.engine.connect() as connection:
        left = connection.scalar(
            select(func.count()).select_from(Job).where(Job.state.not_in(FINAL))
        ) or 0  # fmt: skip
    if not left:
        result.problems.append("the flood was over before the other's jobs were done")
    for client in (other, flooding):
        client.close()
    result.figures.update(
        {
            "flood": load.flood,
            **milliseconds("a job alone", alone),
            **milliseconds("a job beside the flood", beside),
        }
    )
    if statistics.median(beside) > FLOOD_BAR * statistics.median(alone):
        result.slow.append(f"beside a flood a job took more than {FLOOD_BAR:g} times as long")


def _waited(service: Service, client: Client, result: Measured) -> float:
    """Return the seconds from a call to the end of the job that it submitted."""
    began = perf_counter()
    status, answer = client.submit(10)
    if status != ACCEPTED:
        result.problems.append(f"{status}: {answer}")
    elif not wait_until(partial(_finished, service, answer["jobs"][0]["id"]), 60, 0.005):
        result.problems.append("a job beside the flood has not ended after a minute")
    return perf_counter() - began


def _finished(service: Service, job_id: int) -> bool:
    with service.engine.connect() as connection:
        return connection.scalar(select(Job.state).where(Job.id == job_id)) in FINAL
