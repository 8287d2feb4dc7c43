"""Requests that leave late meet a closed fence, and of twins that came through one is billed."""

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from backends import BackendError, UnavailableError
from tests.servers.fixtures import EACH_DATABASE
from tests.workers.accounts.test_budgets import spent
from workers.jobs.states import State
from workers.queue import worker
from workers.queue.worker import Worker
from workers.records.tables import Job
from workers.stages.running import run


@pytest.fixture
def engine(any_engine):
    """An empty database."""
    return any_engine


def test_who_has_lost_a_job_before_the_request_leaves_sends_nothing(context, monkeypatch):
    """The SDK asks this and that first; meanwhile the lease runs out and another one submits."""
    (job_id,) = context.submit()
    submit, stalled = context.provider.submit, []

    def stalls(job, key, *, fence, leave):
        if not stalled:
            stalled.append(key)
            context.taken_over(job_id)
            while context.job(job_id).provider_id is None:
                context.advance(job_id)
        return submit(job, key, fence=fence, leave=leave)

    monkeypatch.setattr(context.provider, "submit", stalls)
    job = context.until(job_id)
    assert job.state == "done"
    assert context.provider.accepted() == [job.key]


def stall_first_request(context, job_id, monkeypatch):
    """Let a job be taken over and submitted by another worker while its request is on its way."""
    take, stalled = context.provider.take, []

    def stalls(job, key, fence):
        if not stalled:
            stalled.append(key)
            context.taken_over(job_id)
            while context.job(job_id).provider_id is None:
                context.advance(job_id)
        return take(job, key, fence)

    monkeypatch.setattr(context.provider, "take", stalls)


@EACH_DATABASE
def test_a_request_that_leaves_late_meets_a_closed_fence(context, monkeypatch):
    """Its worker was suspended between the last check and the request itself."""
    (job_id,) = context.submit()
    stall_first_request(context, job_id, monkeypatch)
    job = context.until(job_id)
    assert (job.state, job.error, job.refusal) == ("done", None, None)
    assert context.provider.accepted() == [job.key]
    assert spent(context) == {"day": 550_000}


def test_of_twins_only_the_older_one_is_billed(context, monkeypatch):
    """The last resort, where a provider takes a late request in spite of the fence."""
    monkeypatch.setattr(context.provider, "close_fence", lambda _: None)
    context.provider.do_wrong("queue", 3)
    (job_id,) = context.submit()
    stall_first_request(context, job_id, monkeypatch)
    job = context.until(job_id)
    assert job.state == "done"
    assert context.provider.accepted() == [job.key] * 2
    assert context.provider.billed() == [job.key]


def test_a_twin_that_comes_to_light_late_gives_way_to_the_older_one(context, monkeypatch):
    """The first request was accepted after all, and nobody who sent it is left."""
    monkeypatch.setattr(context.provider, "close_fence", lambda _: None)
    context = context.with_settings(settle_seconds=0.01)
    context.provider.do_wrong("cut-after")
    context.provider.do_wrong("hidden", 1000)
    (job_id,) = context.submit()
    context.until_doubtful(job_id)
    while context.job(job_id).provider_id is None:
        context.sweep()
    younger = context.job(job_id).provider_id
    context.provider.do_wrong("hidden", 0)
    job = context.until(job_id)
    assert job.state == "done"
    assert job.provider_id != younger
    assert context.provider.accepted() == [job.key] * 2
    assert context.provider.billed() == [job.key]


def test_a_fence_that_cannot_be_opened_leaves_nothing_in_doubt(context):
    context.provider.do_wrong("no-fence", 2)
    (job_id,) = context.submit()
    job = context.until(job_id)
    assert (job.state, job.doubtful, job.asks) == ("done", False, 1)


def test_a_fence_is_closed_before_a_job_is_looked_for(context, monkeypatch):
    said = []
    close, find = context.provider.close_fence, context.provider.find
    monkeypatch.setattr(context.provider, "close_fence", lambda f: (said.append("close"), close(f)))
    monkeypatch.setattr(context.provider, "find", lambda *a: (said.append("find"), find(*a))[1])
    context.provider.do_wrong("cut-after")
    (job_id,) = context.submit()
    assert context.until(job_id).state == "done"
    assert said[:3] == ["find", "close", "find"], "first it is looked for as every job is"
    assert not list(context.provider.folder.glob("*.fence"))


@pytest.mark.parametrize("error", [UnavailableError("away"), BackendError("no such batch")])
def test_a_fence_that_cannot_be_closed(context, monkeypatch, error):
    """One that nobody knows is closed; while nobody can say, the job is not asked for again."""

    def fails(_):
        raise error

    context.provider.do_wrong("cut-before")
    (job_id,) = context.submit()
    with monkeypatch.context() as patch:
        patch.setattr(context.provider, "close_fence", fails)
        context.until_doubtful(job_id)
        for _ in range(20):
            context.sweep()
            context.advance(job_id)
        knows = isinstance(error, UnavailableError)
        assert (context.job(job_id).asks == 1) is knows
    assert context.until(job_id).state == "done"


def test_nothing_is_asked_while_the_database_cannot_say_who_has_the_job(context, monkeypatch):
    from workers.queue.leases import Lease, UnconfirmedError

    confirm, away = Lease.confirm, [1] * (context.settings.most_failures + 2)

    def unconfirmed(self):
        if away:
            away.pop()
            raise UnconfirmedError("the database cannot be asked who has the job")
        confirm(self)

    monkeypatch.setattr(Lease, "confirm", unconfirmed)
    (job_id,) = context.submit()
    job = context.until(job_id)
    assert (job.state, job.doubtful) == ("done", False)
    assert context.provider.accepted() == [job.key]
    assert spent(context) == {"day": 550_000}


@pytest.mark.parametrize("error", [UnavailableError("connection cut"), RuntimeError("a bug")])
def test_a_failure_is_not_recorded(context, monkeypatch, error):
    context = context.with_settings(lease_seconds=60)
    (job_id,) = context.submit()
    context.until(job_id, "at_provider")
    stages = [run]

    def overtaken(stage):
        # In a transaction, at whose end the row is read again, its version of then, too.
        stage.session.execute(select(1))
        with Session(context.engine) as session:
            # As if the database's clock had gone ahead.
            session.execute(update(Job).values(lease_until=None))
            session.commit()
        Worker(context.engine, context.settings).advance(job_id)
        raise error

    def following(stage):
        return stages.pop()(stage)

    stages.append(overtaken)
    monkeypatch.setitem(worker.STAGES, State.AT_PROVIDER, following)
    Worker(context.engine, context.settings).advance(job_id)
    assert stages == []
    job = context.job(job_id)
    assert (job.state, job.failures) == ("done", 0)
    assert [state for state, _ in context.events(job_id)][-3:] == [
        "at_provider", "scoring", "done",
    ]  # fmt: skip
    assert context.events(job_id)[-1] == ("done", "")


def test_failures_of_a_provider_are_no_deaths_of_workers(context):
    """A worker dies once over a job that has long waited for its provider."""
    context.provider.do_wrong("no-fence", 3 * context.settings.most_failures)
    (job_id,) = context.submit()
    while context.job(job_id).failures <= context.settings.most_failures:
        context.sweep()
    with Session(context.engine) as session:
        session.execute(update(Job).values(lease_owner="dead", lease_until=Job.created_at))
        session.commit()
    job = context.until(job_id)
    assert (job.state, job.quarantined) == ("done", None)
