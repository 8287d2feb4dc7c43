"""Backups of both databases, and that nothing is paid twice after one is restored."""

import os
import subprocess
import threading
from datetime import timedelta

import pytest
from attrs import evolve
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.errors import InputError
from tests.servers.fixtures import EACH_DATABASE
from tests.servers.process import wait_until
from tests.workers.conftest import GHZ
from tests.workers.stages.test_estimations import begun as begun_estimate
from tests.workers.stages.test_training import begun as begun_training
from workers.batches.batch import Batch
from workers.batches.submitting import submit_batch
from workers.compilation.orders import CompileOrder
from workers.jobs.control import cancel, retry
from workers.jobs.journal import fail, note
from workers.jobs.request import Submission
from workers.jobs.states import Queue
from workers.jobs.submission import checked
from workers.queue.heartbeats import Heart, Kind
from workers.records.backup import back_up, doubt_older_state, doubt_restored
from workers.records.database import open_database
from workers.records.tables import Event, Heartbeat, Job
from workers.stages.at_provider import doubt

PATIENT_SECONDS = 60.0


@pytest.fixture
def engine(any_engine):
    """An empty database."""
    return any_engine


@pytest.fixture
def restore(request, engine, tmp_path):
    """Return a function that takes a backup, and returns one that restores it elsewhere."""
    opened = []

    def backup():
        if engine.dialect.name == "sqlite":
            copy = tmp_path / "copy.sqlite"
            back_up(engine, copy)
            return lambda: opened.append(open_database(str(copy))) or opened[-1]
        server = request.getfixturevalue("postgres_server")
        dump, place = tmp_path / "dump", ["-h", "127.0.0.1", "-p", str(server.port)]
        _run(server.programs / "pg_dump", *place, "-U", "stichwerk", "-Fc", "-f", dump,
             engine.url.database)  # fmt: skip

        def restored():
            name = f"{engine.url.database}_restored"
            address = server.create(name)
            request.addfinalizer(lambda: server.drop(name))
            _run(server.programs / "pg_restore", *place, "-U", "stichwerk", "-d", name, dump)
            opened.append(open_database(address))
            return opened[-1]

        return restored

    yield backup
    for one in opened:
        one.dispose()


def _run(*words):
    done = subprocess.run(
        [str(word) for word in words], check=False, capture_output=True, text=True, env=os.environ
    )
    assert done.returncode == 0, done.stderr


def begun_batch(context, circuits=2):
    order = CompileOrder(GHZ, "", Options("fast", budget=5))
    jobs = tuple(
        checked(Submission(order, context.backend, 50, seed, idempotency_key=f"batch:{seed}"))
        for seed in range(circuits)
    )
    with Session(context.engine) as session:
        batch = Batch("two", jobs)
        return submit_batch(session, context.settings, batch, key="batch", tag=None).id


def begun_group(context):
    """A batch whose circuits are one provider job."""
    (context.provider.folder / "group").write_text("10")
    return begun_batch(context)


def marked(context):
    with Session(context.engine) as session:
        found = doubt_restored(session)
    return found.open, found.ended


@EACH_DATABASE
def test_what_was_submitted_since_the_backup_is_found_and_not_paid_twice(context, restore):
    (first,) = context.submit()
    (local,) = context.submit(backend="sparse")
    back = restore()
    assert context.until(first).state == "done"
    (paid,) = context.provider.accepted()
    later = evolve(context, engine=back())
    assert later.job(first).asked_at is None, "the backup knows nothing of it"
    assert marked(later) == (1, 0)
    assert not later.job(local).doubtful
    job = later.until(first)
    assert job.state == "done"
    assert job.provider_id is not None
    assert context.provider.accepted() == [paid]
    assert later.until(local).state == "done"


def test_a_job_that_was_retried_since_the_backup_is_looked_for_when_it_is_retried_again(
    context, restore
):
    (first,) = context.submit()
    with Session(context.engine) as session:
        fail(session, session.get_one(Job, first), "too dear")
    back = restore()
    context.control(retry, first)
    assert context.until(first).state == "done"
    later = evolve(context, engine=back())
    assert marked(later) == (0, 1)
    assert later.job(first).state == "failed"
    later.control(retry, first)
    assert later.until(first).state == "done"
    assert len(context.provider.accepted()) == 1


def test_what_is_cancelled_after_the_restoration_is_cancelled_at_its_provider(context, restore):
    context.provider.do_wrong("queue", 1000)
    (first,) = context.submit()
    back = restore()
    context.until(first, "at_provider")
    later = evolve(context, engine=back())
    assert marked(later) == (1, 0)
    later.control(cancel, first)
    assert later.until(first).state == "cancelled"
    assert len(list(context.provider.folder.glob("*.cancelled"))) == 1


WITH_ROUNDS = {
    "estimate": lambda context: begun_estimate(context, context.backend),
    "training": begun_training,
    "batch": begun_batch,
    "group": begun_group,
}


@pytest.mark.parametrize(
    "kind",
    [pytest.param(k, marks=pytest.mark.full if k == "estimate" else ()) for k in WITH_ROUNDS],
)
def test_rounds_that_began_since_the_backup_are_not_paid_twice(context, restore, monkeypatch, kind):
    # What was recorded anew is hours younger than what its provider has.
    monkeypatch.setattr(doubt, "CLOCKS_DIFFER", timedelta(0))
    parent = WITH_ROUNDS[kind](context)
    back = restore()
    before = context.until(parent)
    paid = context.provider.accepted()
    assert before.state == "done"
    assert len(paid) == len(set(paid)) > (kind != "group")
    later = evolve(context, engine=back())
    marked(later)
    after = later.until(parent)
    assert (after.state, after.result) == ("done", before.result)
    assert context.provider.accepted() == paid
    with Session(later.engine) as session:
        assert session.scalars(select(Job.doubtful).where(Job.id == parent)).one() is False


def test_a_group_whose_first_circuit_was_cancelled_since_the_backup_is_not_paid_twice(
    context, restore, monkeypatch
):
    monkeypatch.setattr(doubt, "CLOCKS_DIFFER", timedelta(0))
    (context.provider.folder / "group").write_text("10")
    parent = begun_batch(context, 3)
    back = restore()
    while len(context.rounds(parent)) < 3:
        context.advance(parent)
    first = context.rounds(parent)[0].id
    context.control(cancel, first)
    assert context.until(parent).state == "failed"
    (paid,) = context.provider.accepted()
    later = evolve(context, engine=back())
    marked(later)
    assert later.until(parent).state == "done"
    first, *others = later.rounds(parent)
    assert [job.leader_id for job in others] == [others[0].id] * 2
    assert context.provider.accepted() == [paid, first.key]


def test_a_new_job_of_a_retry_since_the_backup_is_not_paid_twice(context, restore, monkeypatch):
    monkeypatch.setattr(doubt, "CLOCKS_DIFFER", timedelta(0))
    context.provider.do_wrong("fail")
    (first,) = context.submit()
    assert context.until(first).state == "failed"
    back = restore()
    again = context.control(retry, first)
    assert context.until(again).state == "done"
    paid = context.provider.accepted()
    assert paid == [context.job(first).key, context.job(again).key]
    later = evolve(context, engine=back())
    marked(later)
    again = later.control(retry, first)
    assert later.until(again).state == "done"
    assert context.provider.accepted() == paid


def test_what_is_recorded_anew_soon_after_is_given_time_to_show(context, restore):
    """Its provider does not show yet what it accepted just before the records were lost."""
    parent = begun_batch(context)
    back = restore()
    context.until(parent)
    paid = context.provider.accepted()
    later = evolve(context, engine=back()).with_settings(settle_seconds=30.0)
    marked(later)
    context.provider.do_wrong("hidden", 10**6)
    with Session(later.engine) as session:
        rounds = select(Job.id).where(Job.parent_id == parent, Job.doubtful)
        while len(session.scalars(rounds).all()) < len(paid):
            later.sweep()
            session.commit()
    for _ in range(20):
        later.sweep()
    assert context.provider.accepted() == paid
    context.provider.do_wrong("hidden", 0)
    assert later.until(parent).state == "done"
    assert context.provider.accepted() == paid


@EACH_DATABASE
def test_a_copy_is_noticed_without_being_told(context, restore):
    """Workers are started without a word, and the provider shows late what it has accepted."""
    (other,) = context.submit()
    assert context.until(other).state == "done"
    (asked,) = context.submit()
    back = restore()
    assert context.until(asked).state == "done"
    paid = context.provider.accepted()
    later = evolve(context, engine=back()).with_settings(settle_seconds=30.0)
    context.provider.do_wrong("hidden", 10**6)
    for _ in range(20):
        later.sweep()
    job = later.job(asked)
    assert (job.state, job.doubtful) == ("submitting", True)
    context.provider.do_wrong("hidden", 0)
    assert later.until(asked).state == "done"
    assert context.provider.accepted() == paid
    with Session(later.engine) as session:
        assert not doubt_older_state(session), "it is the one in use now"


def test_nothing_is_marked_while_workers_run(context):
    context.submit()
    Heart(context.engine, Kind.WORKER, pid=77, queues=list(Queue)).beat()
    with pytest.raises(InputError, match=r"worker 77 on .* stop all workers"):
        marked(context)
    with Session(context.engine) as session:
        assert not session.scalars(select(Job.doubtful)).one()
        session.query(Heartbeat).delete()
        session.commit()
    assert marked(context) == (1, 0)


def test_a_copy_of_sqlite_is_of_one_moment_while_others_write(tmp_path):
    address = str(tmp_path / "records.sqlite")
    engine, stop = open_database(address), threading.Event()

    def write():
        writer = open_database(address)
        while not stop.is_set():
            with Session(writer) as session:
                job = Job(program="p" * 100, target="all", backend="aer", shots=1, seed=0)
                session.add(job)
                session.flush()
                note(session, job, "x" * 1000)
                session.commit()
        writer.dispose()

    def jobs():
        with Session(engine) as session:
            return session.scalar(select(func.count()).select_from(Job))

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        assert wait_until(lambda: jobs() > 0, PATIENT_SECONDS)
        for n in range(5):
            least = jobs()
            back_up(engine, tmp_path / f"copy{n}.sqlite")
            most = jobs()
            copy = open_database(str(tmp_path / f"copy{n}.sqlite"))
            with Session(copy) as session:
                number = session.scalar(select(func.count()).select_from(Job))
                assert number == session.scalar(select(func.count()).select_from(Event))
            copy.dispose()
            assert 0 < least <= number <= most
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    engine.dispose()
    assert not list(tmp_path.glob(".*.part"))


def test_a_copy_that_cannot_be(tmp_path, postgres_url):
    engine = open_database(str(tmp_path / "records.sqlite"))
    there = tmp_path / "there"
    there.write_text("precious")
    with pytest.raises(InputError, match="is there already"):
        back_up(engine, there)
    assert there.read_text() == "precious"
    engine.dispose()
    other = open_database(postgres_url)
    with pytest.raises(InputError, match="take pg_dump for PostgreSQL"):
        back_up(other, tmp_path / "no")
    other.dispose()
