"""Status of all parts together: problems, worst first, and notes."""

import os
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from alembic.runtime.migration import MigrationContext
from attrs import frozen
from redis.exceptions import RedisError
from sqlalchemy import Connection, Engine, delete, insert, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from compiler.words.plurals import how_many
from workers.clock import database_time
from workers.jobs.states import Queue
from workers.queue.heartbeats import Kind, Runner
from workers.queue.lengths import broker_problem, queue_lengths, redis_client
from workers.records.database import NEWEST, address_of, reason_of
from workers.records.tables import Heartbeat
from workers.settings import Settings
from workers.stages.at_provider.provider import Answering, Problem
from workers.status.budgets import Budget, Problems, budgets, spoken
from workers.status.waiting import Calibrated, Reason, ServiceWork, Stuck, Waiting, service_work

MIN_FREE_BYTES = 64 * 10**6
"""With less room on its disk, a database is as good as full."""

PROBE = "probe"


@frozen
class DatabaseState:
    """Status of the database.

    Args:
        address: without its password.
        kind: its name and version; None if it does not answer.
        tables: version of its tables; None if there are none.
        tables_wanted: version of the tables of this program.
        bytes: of its data.
        free_bytes: left on its disk, where that is this machine's.
    """

    address: str
    kind: str | None = None
    tables: str | None = None
    tables_wanted: str | None = None
    bytes: int | None = None
    free_bytes: int | None = None

    @property
    def readable(self) -> bool:
        """Return whether this program can read its tables."""
        return self.tables is not None and self.tables == self.tables_wanted


def database_state(engine: Engine, problems: Problems) -> DatabaseState:
    """Test a database with a write that is undone before anybody sees it."""
    address = address_of(engine)
    try:
        with engine.connect() as connection:
            state = _looked_at(connection, address)
    except SQLAlchemyError as error:
        problems.problems.append(f"the database does not answer: {reason_of(error)}")
        return DatabaseState(address)
    if not state.readable:
        problems.problems.append(_other_tables(state))
    elif (refused := _refused(engine)) is not None:
        problems.problems.append(f"the database cannot be written: {refused}")
    elif state.free_bytes is not None and state.free_bytes < MIN_FREE_BYTES:
        problems.problems.append(
            f"the database's disk is almost full, {state.free_bytes / 10**6:.0f} MB left: free "
            "some space"
        )
    return state


def too_full(engine: Engine) -> bool:
    """Return whether the disk of a database on this machine is nearly full."""
    file = engine.url.database if engine.dialect.name == "sqlite" else None
    return file is not None and _free_bytes(file) < MIN_FREE_BYTES


def _looked_at(connection: Connection, address: str) -> DatabaseState:
    tables = MigrationContext.configure(connection).get_current_revision()
    if connection.dialect.name == "sqlite":
        kind = f"SQLite {connection.scalar(text('SELECT sqlite_version()'))}"
        return DatabaseState(address, kind, tables, NEWEST, *_file_and_disk(connection))
    parts = str(connection.scalar(text("SELECT version()"))).split()
    size = connection.scalar(text("SELECT pg_database_size(current_database())"))
    return DatabaseState(address, " ".join(parts[:2]), tables, NEWEST, size)


def _file_and_disk(connection: Connection) -> tuple[int | None, int | None]:
    """Return the bytes of the database's files, and those left beside them."""
    file = connection.engine.url.database
    if not file:
        return None, None
    # Pages that are not in the file yet are in the write-ahead log beside it.
    files = [Path(file), Path(f"{file}-wal")]
    size = sum(path.stat().st_size for path in files if path.exists())
    return size, _free_bytes(file)


def _free_bytes(file: str) -> int:
    return shutil.disk_usage(Path(file).resolve().parent).free


def _refused(engine: Engine) -> str | None:
    """Return why the database does not accept a write, None if it does."""
    row = {
        "id": f"{PROBE}-{os.getpid()}", "kind": PROBE, "host": "", "pid": os.getpid(),
        "version": "", "started_at": database_time(), "seen_at": database_time(),
    }  # fmt: skip
    try:
        # Only a commit reaches a disk that may be full.
        with engine.begin() as connection:
            connection.execute(insert(Heartbeat).values(row))
            connection.execute(delete(Heartbeat).where(Heartbeat.id == row["id"]))
    except SQLAlchemyError as error:
        return reason_of(error)
    return None


def _other_tables(state: DatabaseState) -> str:
    if state.tables is None:
        return "the database has no tables: create them with 'stichwerk migrate'"
    if state.tables < (state.tables_wanted or ""):
        return (
            f"the database has tables of version {state.tables}, but this program needs "
            f"{state.tables_wanted}: run 'stichwerk migrate'"
        )
    return (
        f"the database has tables of version {state.tables}, but this program supports "
        f"{state.tables_wanted} at most: use a newer version of stichwerk"
    )


AWAY_SECONDS = 120.0
"""A provider that has not answered for so long is away. Limits of requests last a minute at most,
and jobs have failed to reach it seven times by then."""

OLD_CALIBRATION_SECONDS = 86_400.0
"""Predictions from a calibration lose most of their value within three days."""

DOUBT_SECONDS = 600.0
"""Age of a job in doubt, after which a user should search for it at its provider."""


@frozen
class BrokerState:
    """State of Redis.

    Args:
        address: without its password.
        version: of the server; None if it tells nothing.
        role: `master`, or `slave` of one that only reads.
        messages: that wait in each queue; None if it does not answer, or takes none.
    """

    address: str
    version: str | None = None
    role: str | None = None
    messages: Mapping[Queue, int] | None = None


@frozen
class QueueState:
    """One queue.

    Args:
        queue: its name.
        jobs: whose next work is this queue's, also those that wait for their provider.
        oldest_seconds: since the first of them entered its state; 0 if there is none.
        messages: in Redis; None if it does not answer.
        processes: of workers that listen.
    """

    queue: Queue
    jobs: int
    oldest_seconds: float
    messages: int | None
    processes: int


@frozen
class Status:
    """Status of the service.

    Args:
        at: time of the database's clock; None if it does not answer.
        problems: worst first; empty if there are none.
        notes: facts worth knowing that are no problems.
        runners: processes with a recent heartbeat.
        stuck: jobs that do not go on, by reason.
        versions: processes of each version of this program.
    """

    at: datetime | None
    problems: Sequence[str]
    notes: Sequence[str]
    database: DatabaseState
    broker: BrokerState
    queues: Sequence[QueueState] = ()
    runners: Sequence[Runner] = ()
    providers: Sequence[Answering] = ()
    budgets: Sequence[Budget] = ()
    stuck: Mapping[Reason, Stuck] = {}
    versions: Mapping[str, Sequence[str]] = {}

    @property
    def well(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.problems


def service_status(engine: Engine, set_: Settings) -> Status:
    """Look at everything, once.

    Args:
        engine: of the database, whose tables may be of any version.
        set_: with the address of Redis and the budgets' limits.
    """
    problems = Problems()
    database = database_state(engine, problems)
    broker = broker_state(set_.redis, problems)
    if database.readable:
        try:
            with Session(engine) as session:
                return _of_records(session, set_, problems, database, broker)
        except SQLAlchemyError as error:
            problems.problems.append(f"the database has failed: {reason_of(error)}")
    return Status(None, problems.problems, problems.notes, database, broker)


def _of_records(
    session: Session,
    set_: Settings,
    problems: Problems,
    database: DatabaseState,
    broker: BrokerState,
) -> Status:
    work = service_work(session, set_)
    queues = _queues(work, broker)
    _judge_queues(
        [queue for queue in queues if queue.jobs and queue.queue in work.unattended], problems
    )
    _judge_runners(work.runners, work.waiting, problems)
    _judge_providers(work.providers, work.waiting, problems)
    _judge_stuck(work.stuck, problems)
    _judge_calibrations(work.calibrated, problems)
    spent = budgets(session, set_, problems)
    versions = _versions(work.runners)
    if len(versions) > 1:
        problems.notes.append(
            f"{len(versions)} different versions are running: {', '.join(versions)}"
        )
    return Status(
        work.at, problems.problems, problems.notes, database, broker, queues, work.runners,
        work.providers, spent, work.stuck, versions,
    )  # fmt: skip


def _queues(work: ServiceWork, broker: BrokerState) -> list[QueueState]:
    return [
        QueueState(
            queue,
            *work.waiting_in(queue),
            None if broker.messages is None else broker.messages[queue],
            work.processes[queue],
        )
        for queue in Queue
    ]


def _judge_queues(unattended: Sequence[QueueState], problems: Problems) -> None:
    if unattended:
        jobs = sum(each.jobs for each in unattended)
        names = ",".join(each.queue for each in unattended)
        problems.problems.append(
            f"{how_many(jobs, 'job')} waiting, but no worker serves {names.replace(',', ', ')}: "
            f"start one with 'stichwerk up', or 'stichwerk worker --queues {names}'"
        )


def _judge_calibrations(calibrated: Sequence[Calibrated], problems: Problems) -> None:
    for calibration in calibrated:
        if calibration.oldest_seconds > OLD_CALIBRATION_SECONDS:
            problems.notes.append(
                f"{how_many(calibration.jobs, 'job')} on {calibration.backend}: compiled for a "
                f"calibration that is {spoken(calibration.oldest_seconds)} old; "
                "submit with --recompile-after 24"
            )


def _judge_runners(
    runners_: Sequence[Runner], waiting: Sequence[Waiting], problems: Problems
) -> None:
    workers = [each for each in runners_ if each.kind == Kind.WORKER and each.alive]
    if workers and not any(each.kind == Kind.SWEEPER and each.alive for each in runners_):
        problems.problems.append(
            "workers run, but no sweeper: jobs at providers are not polled; restart the workers"
        )
    if not workers and not waiting:
        problems.notes.append("no worker runs, but no job waits")
    for runner in runners_:
        if not runner.alive:
            problems.notes.append(
                f"{runner.kind} {runner.pid} on {runner.host} has sent no heartbeat for "
                f"{spoken(runner.silent_seconds)}: it was killed, or cannot reach the database"
            )


def _judge_providers(
    providers: Sequence[Answering], waiting: Sequence[Waiting], problems: Problems
) -> None:
    for provider in providers:
        jobs = sum(
            group.jobs
            for group in waiting
            if group.backend == provider.backend and group.queue in (Queue.SUBMIT, Queue.POLL)
        )
        if provider.problem is None:
            continue
        what = (
            "has refused the workers' credentials"
            if provider.problem is Problem.CREDENTIALS
            else "has not answered"
        )
        note = (
            f"{provider.backend} {what} for {spoken(provider.failing_seconds)} ({provider.detail})"
        )
        urgent = provider.problem is Problem.CREDENTIALS or provider.failing_seconds > AWAY_SECONDS
        if jobs and urgent:
            problems.problems.append(f"{note}; {how_many(jobs, 'job')} waiting")
        else:
            problems.notes.append(note)


def _judge_stuck(stuck: Mapping[Reason, Stuck], problems: Problems) -> None:
    if (jobs := stuck[Reason.QUARANTINED].jobs) > 0:
        problems.problems.append(
            f"{how_many(jobs, 'job')} in quarantine: see 'stichwerk jobs --quarantined', then "
            "run 'stichwerk retry'"
        )
    doubt = stuck[Reason.DOUBT]
    if doubt.jobs:
        note = (
            f"{how_many(doubt.jobs, 'job')} in doubt, such as job {doubt.first}: the provider may "
            "have accepted it"
        )
        late = doubt.oldest_seconds > DOUBT_SECONDS
        (problems.problems if late else problems.notes).append(
            note
            + ("; search for them at the provider" if late else "; workers search the provider")
        )
    overdue = stuck[Reason.OVERDUE]
    if overdue.jobs:
        problems.problems.append(
            f"{how_many(overdue.jobs, 'job')} overdue, such as job {overdue.first}: no worker "
            "continues it; see the workers' logs"
        )


def _versions(runners_: Sequence[Runner]) -> dict[str, list[str]]:
    by_version: defaultdict[str, list[str]] = defaultdict(list)
    for runner in runners_:
        if runner.alive:
            revision, _, changes = (runner.revision or "").partition("+")
            version = f"{runner.version} {revision[:10]}{'+' if changes else ''}".strip()
            by_version[version].append(f"{runner.kind} {runner.pid} on {runner.host}")
    return dict(by_version)


def broker_state(address: str, problems: Problems) -> BrokerState:
    """Look at Redis."""
    shown = address.rpartition("@")[2]
    client = redis_client(address)
    try:
        messages = queue_lengths(address)()
    except (RedisError, OSError) as error:
        problems.problems.append(broker_problem(address, error))
        messages = None
    try:
        info = client.info()
    except (RedisError, OSError):
        # Who may not ask for that may still send messages.
        return BrokerState(shown, messages=messages)
    finally:
        client.close()
    return BrokerState(shown, info.get("redis_version"), info.get("role"), messages)
