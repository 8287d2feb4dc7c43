"""Circuits that kill the process they are computed in."""

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from tests.workers.poison_backend import Poison
from workers.jobs.control import retry
from workers.jobs.journal import release
from workers.records.tables import Job, Order, now
from workers.sandbox.sandbox import Sandbox
from workers.stages.context import shared_backend


@pytest.fixture(autouse=True)
def simulating(monkeypatch):
    """Let a process that takes the place of a dead one import no more than it needs."""
    sandbox = Sandbox("")
    monkeypatch.setattr("workers.sandbox.sandbox.shared_sandbox", lambda: sandbox)
    yield
    sandbox.end()


def order_of(context, job_id):
    with Session(context.engine, expire_on_commit=False) as session:
        return session.get_one(Job, job_id).order


def released(context, job_id):
    """Let a job and its order go on, as a person does who has looked at it."""
    with Session(context.engine) as session:
        job = session.get_one(Job, job_id)
        release(session, job.order)
        job.quarantined = None
        retry(session, job_id)


@pytest.mark.parametrize(
    ("what", "how"),
    [("crash", "crashed (SIGSEGV)"), pytest.param("abort", "(SIGABRT)", marks=pytest.mark.full)],
)
def test_two_deaths_put_a_circuit_aside_for_all_its_jobs(context, what, how):
    backend = f"poison:{what}"
    ids = context.submit(backend=backend, repeat=5)
    jobs = [context.until(job_id) for job_id in ids]
    assert {job.state for job in jobs} == {"failed"}
    (reason,) = {job.error for job in jobs}
    assert reason.startswith("in quarantine, because it has ended 2 processes, the last one while")
    assert how in reason
    assert {job.quarantined for job in jobs} == {reason}
    order = order_of(context, ids[0])
    assert (order.deaths, order.error) == (2, reason)
    assert order.quarantined_at is not None
    tried = [
        detail for job_id in ids for state, detail in context.events(job_id) if "will try" in detail
    ]
    assert len(tried) == 1
    (later,) = context.submit(backend=backend)
    assert context.until(later).quarantined == reason
    assert order_of(context, later).deaths == 2, "nobody has tried it"
    released(context, later)
    assert order_of(context, later).deaths == 0
    assert context.job(later).state != "failed"


def test_one_death_is_forgotten_when_it_goes_well(context, tmp_path, monkeypatch):
    poison = shared_backend("poison:once")
    assert isinstance(poison, Poison)
    monkeypatch.setattr(poison, "file", str(tmp_path / "died"))
    (job_id,) = context.submit(backend="poison:once")
    assert context.until(job_id).state == "done"
    assert [detail for _, detail in context.events(job_id) if "will try again" in detail] == [
        "will try again: simulating it on 'poison:once': the process that computed it gave up "
        "(SIGABRT), most often for want of memory"
    ]
    assert order_of(context, job_id).deaths == 0


def test_too_much_memory_fails_once(context):
    (job_id,) = context.with_settings(simulation_bytes=2 << 30).submit(backend="poison:eat")
    job = context.with_settings(simulation_bytes=2 << 30).until(job_id)
    assert job.error == (
        "backend 'poison:eat': it takes more than the 2 GiB of memory that it may "
        "(STICHWERK_SIMULATION_BYTES); use fewer qubits or another backend, or allow more"
    )
    assert (job.quarantined, order_of(context, job_id).deaths) == (None, 0)
    assert not [detail for _, detail in context.events(job_id) if "will try again" in detail]


def test_too_much_time_fails_once(context):
    hasty = context.with_settings(simulation_seconds=1)
    (job_id,) = hasty.submit(backend="poison:hang")
    assert hasty.until(job_id).error == (
        "backend 'poison:hang': the simulation exceeds 1 s; use fewer shots, or "
        "increase STICHWERK_SIMULATION_SECONDS"
    )


def abandon_order(context, job_id):
    """Leave an order as a worker does that is killed while it compiles."""
    with Session(context.engine) as session:
        job = session.get_one(Job, job_id)
        job.order.lease_owner, job.order.lease_until = "dead", now()
        session.commit()


def test_many_workers_that_died_over_a_circuit_prove_enough(context):
    (job_id,) = context.submit(repeat=1)
    abandon_order(context, job_id)
    with Session(context.engine) as session:
        session.execute(update(Order).values(deaths=context.settings.most_failures - 1))
        session.commit()
    job = context.until(job_id)
    assert job.state == "failed"
    assert job.quarantined.startswith("in quarantine, because it has ended 4 processes, the last")
    assert "compiling it: its workers have died" in job.quarantined
