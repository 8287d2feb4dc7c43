"""Jobs of which nobody knows whether their provider has them: never paid twice, never given up."""

from datetime import timedelta

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from backends import BackendError, JobState, JobStatus, UnavailableError
from tests.workers.test_budgets import spent
from workers import clock
from workers.advance import Worker
from workers.control import RefusedError, cancel, retry
from workers.database import open_database
from workers.records import Job
from workers.stages import doubt


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request, tmp_path):
    """A database of either kind."""
    address = str(tmp_path / "records.sqlite")
    if request.param == "postgresql":
        address = request.getfixturevalue("postgres_url")
    engine = open_database(address)
    yield engine
    engine.dispose()


def advance(desk, job_id, times=1):
    for _ in range(times):
        Worker(desk.engine, desk.settings).advance(job_id)


def until_doubtful(desk, job_id):
    while not desk.job(job_id).doubtful:
        desk.sweep()


def taken_over(desk, job_id):
    """Let another worker take a job over, as if its lease had run out."""
    with desk.engine.begin() as connection:
        connection.execute(
            update(Job)
            .where(Job.id == job_id)
            .values(lease_owner=None, lease_until=None, version=Job.version + 1)
        )
    advance(desk, job_id)


def test_a_refusal_does_not_clear_what_is_in_doubt(desk):
    """Accepted, answer lost, not shown for long; then the second question is refused."""
    desk = desk.with_settings(settle_seconds=0.01)
    desk.provider.do_wrong("cut-after")
    desk.provider.do_wrong("hidden", 20)
    (job_id,) = desk.submit()
    until_doubtful(desk, job_id)
    desk.provider.do_wrong("refuse")
    while desk.job(job_id).refusal is None:
        desk.sweep()
    job = desk.job(job_id)
    assert (job.state, job.doubtful, job.refusal) == ("submitting", True, "no such gate")
    assert spent(desk) == {"day": 550_000}
    desk.provider.do_wrong("hidden", 0)
    job = desk.until(job_id)
    assert (job.state, job.refusal) == ("done", None)
    assert desk.provider.accepted() == [job.key]
    assert spent(desk) == {"day": 550_000}


def test_a_refused_job_in_doubt_fails_once_the_provider_knows_nothing(desk):
    desk.provider.do_wrong("cut-before")
    desk.provider.do_wrong("refuse")
    (job_id,) = desk.submit()
    job = desk.until(job_id)
    assert (job.state, job.error) == ("failed", "no such gate")
    assert spent(desk) == {"day": 0}
    assert job.asked_at is not None, "whoever retries it looks for it first"


def test_a_retry_finds_what_came_to_light_late_and_counts_it(desk):
    desk = desk.with_settings(settle_seconds=0.01)
    desk.provider.do_wrong("cut-after")
    desk.provider.do_wrong("hidden", 1000)
    (job_id,) = desk.submit()
    until_doubtful(desk, job_id)
    desk.provider.do_wrong("refuse")
    assert desk.until(job_id).state == "failed"
    assert spent(desk) == {"day": 0}
    desk.provider.do_wrong("hidden", 0)
    with Session(desk.engine) as session:
        retry(session, job_id)
    job = desk.until(job_id)
    assert job.state == "done"
    assert desk.provider.accepted() == [job.key]
    assert spent(desk) == {"day": 550_000}


@pytest.mark.parametrize("jumps", ["database", "steady", "both"])
def test_one_clock_that_jumps_decides_nothing(desk, monkeypatch, jumps):
    desk = desk.with_settings(settle_seconds=30.0)
    desk.provider.do_wrong("cut-before")
    (job_id,) = desk.submit()
    until_doubtful(desk, job_id)
    advance(desk, job_id)
    assert desk.job(job_id).asks == 1
    if jumps != "steady":
        later = timedelta(seconds=45)
        monkeypatch.setattr(doubt, "database_now", lambda s: clock.database_now(s) + later)
    if jumps != "database":
        monkeypatch.setattr(doubt, "steady", lambda: clock.steady() + 45)
    advance(desk, job_id)
    assert desk.job(job_id).asks == (2 if jumps == "both" else 1)


def test_another_machine_gives_the_provider_its_time_by_its_own_clock(desk, monkeypatch):
    desk = desk.with_settings(settle_seconds=30.0)
    desk.provider.do_wrong("cut-before")
    (job_id,) = desk.submit()
    until_doubtful(desk, job_id)
    advance(desk, job_id)
    later = timedelta(seconds=45)
    monkeypatch.setattr(doubt, "database_now", lambda s: clock.database_now(s) + later)
    monkeypatch.setattr(doubt, "steady_name", lambda: "another machine's")
    monkeypatch.setattr(doubt, "steady", lambda: 1e6)
    advance(desk, job_id)
    assert desk.job(job_id).asks == 1
    assert desk.job(job_id).doubted["another machine's"] == 1e6


def test_who_has_lost_a_job_before_the_request_leaves_sends_nothing(desk, monkeypatch):
    """The SDK asks this and that first; meanwhile the lease runs out and another one submits."""
    (job_id,) = desk.submit()
    submit, stalled = desk.provider.submit, []

    def stalls(job, key, *, fence, leave):
        if not stalled:
            stalled.append(key)
            taken_over(desk, job_id)
            while desk.job(job_id).provider_id is None:
                advance(desk, job_id)
        return submit(job, key, fence=fence, leave=leave)

    monkeypatch.setattr(desk.provider, "submit", stalls)
    job = desk.until(job_id)
    assert job.state == "done"
    assert desk.provider.accepted() == [job.key]


def test_a_request_that_leaves_late_meets_a_closed_fence(desk, monkeypatch):
    """Its worker was suspended between the last check and the request itself."""
    (job_id,) = desk.submit()
    take, stalled = desk.provider.take, []

    def stalls(job, key, fence):
        if not stalled:
            stalled.append(key)
            taken_over(desk, job_id)
            while desk.job(job_id).provider_id is None:
                advance(desk, job_id)
        return take(job, key, fence)

    monkeypatch.setattr(desk.provider, "take", stalls)
    job = desk.until(job_id)
    assert (job.state, job.error, job.refusal) == ("done", None, None)
    assert desk.provider.accepted() == [job.key]
    assert spent(desk) == {"day": 550_000}


def test_of_twins_only_the_older_one_is_billed(desk, monkeypatch):
    """The last resort, where a provider takes a late request in spite of the fence."""
    monkeypatch.setattr(desk.provider, "close_fence", lambda _: None)
    desk.provider.do_wrong("queue", 3)
    (job_id,) = desk.submit()
    take, stalled = desk.provider.take, []

    def stalls(job, key, fence):
        if not stalled:
            stalled.append(key)
            taken_over(desk, job_id)
            while desk.job(job_id).provider_id is None:
                advance(desk, job_id)
        return take(job, key, fence)

    monkeypatch.setattr(desk.provider, "take", stalls)
    job = desk.until(job_id)
    assert job.state == "done"
    assert desk.provider.accepted() == [job.key] * 2
    assert desk.provider.billed() == [job.key]


def test_a_twin_that_comes_to_light_late_gives_way_to_the_older_one(desk, monkeypatch):
    """The first request was accepted after all, and nobody who sent it is left."""
    monkeypatch.setattr(desk.provider, "close_fence", lambda _: None)
    desk = desk.with_settings(settle_seconds=0.01)
    desk.provider.do_wrong("cut-after")
    desk.provider.do_wrong("hidden", 1000)
    (job_id,) = desk.submit()
    until_doubtful(desk, job_id)
    while desk.job(job_id).provider_id is None:
        desk.sweep()
    younger = desk.job(job_id).provider_id
    desk.provider.do_wrong("hidden", 0)
    job = desk.until(job_id)
    assert job.state == "done"
    assert job.provider_id != younger
    assert desk.provider.accepted() == [job.key] * 2
    assert desk.provider.billed() == [job.key]


def test_an_outage_ends_no_accepted_job_and_is_forgotten_when_it_is_over(desk):
    desk.provider.do_wrong("queue", 100)
    (job_id,) = desk.submit()
    desk.until(job_id, "at_provider")
    most = desk.settings.most_failures
    for _ in range(3):
        desk.provider.do_wrong("outage", most - 1)
        advance(desk, job_id, most)
        assert desk.job(job_id).failures == 0, "a question that was answered"
    desk.provider.do_wrong("outage", 5 * most)
    advance(desk, job_id, 5 * most)
    assert (desk.job(job_id).state, desk.job(job_id).failures) == ("at_provider", 5 * most)
    told = [detail for _, detail in desk.events(job_id) if "the fridge is away" in detail]
    assert len(told) <= 4, "an outage of days is not told at every question"
    desk.provider.do_wrong("queue", 0)
    assert desk.until(job_id).state == "done"


def test_cancelling_again_and_again_changes_nothing(desk):
    desk.provider.do_wrong("queue", 1000)
    desk.provider.do_wrong("no-cancel", 1000)
    desk = desk.with_settings(backoff_seconds=1000.0, outage_most_seconds=1000.0)
    (job_id,) = desk.submit()
    desk.until(job_id, "at_provider")
    for _ in range(50):
        with Session(desk.engine) as session:
            assert cancel(session, job_id).cancel_requested
        desk.sweep()
    assert desk.job(job_id).failures == 1
    assert len([1 for _, detail in desk.events(job_id) if detail == "asked to be cancelled"]) == 1
    desk.provider.do_wrong("no-cancel", 0)
    advance(desk, job_id)
    assert desk.job(job_id).state == "cancelled"


def test_a_job_that_its_provider_does_not_know_is_ended_by_a_person_only(desk):
    (job_id,) = desk.submit()
    desk.until(job_id, "at_provider")
    desk.provider.do_wrong("forgotten", 1000)
    advance(desk, job_id, 3 * desk.settings.most_failures)
    assert desk.job(job_id).state == "at_provider"
    with Session(desk.engine) as session:
        cancel(session, job_id)
    advance(desk, job_id)
    assert desk.job(job_id).state == "cancelled"
    assert spent(desk) == {"day": 550_000}


def test_an_id_belongs_to_one_job(desk, monkeypatch):
    (first,) = desk.submit()
    desk.provider.do_wrong("queue", 1000)
    provider_id = desk.until(first, "at_provider").provider_id
    submit = desk.provider.submit

    def repeated(job, key, **given):
        submit(job, key, **given)
        return provider_id

    with monkeypatch.context() as patch:
        patch.setattr(desk.provider, "submit", repeated)
        (second,) = desk.submit()
        job = desk.until(second)
    assert job.state == "failed"
    assert job.quarantined == job.error
    assert f"gave it the id {provider_id}, which is another job's" in job.error
    assert job.provider_id is None
    assert spent(desk) == {"day": 1_100_000}, "it may have been accepted"
    desk.provider.do_wrong("queue", 0)
    assert desk.until(first).provider_id == provider_id
    with Session(desk.engine) as session:
        retry(session, second)
    assert desk.until(second).state == "done"
    assert sorted(desk.provider.accepted()) == sorted([desk.job(n).key for n in (first, second)])


@pytest.mark.parametrize("text", ["nul \0 byte", "lone \udc80 surrogate", "x" * 10**6])
def test_whatever_a_provider_says_can_be_kept(desk, monkeypatch, text):
    monkeypatch.setattr(
        desk.provider, "status", lambda *_: JobStatus(JobState.FAILED, 10**40, detail=text)
    )
    (job_id,) = desk.submit()
    job = desk.until(job_id)
    assert job.state == "failed"
    assert job.queue_position is None
    assert len(job.error) <= 2000


def test_what_the_database_cannot_keep_is_counted(desk):
    """A worker that cannot store what it learnt does not try for ever without telling."""
    (desk.provider.folder / "charge").write_text("1e30")
    (job_id,) = desk.submit()
    desk.until(job_id, "at_provider")
    while desk.job(job_id).failures == 0:
        desk.sweep()
    assert any("will try again: internal error" in detail for _, detail in desk.events(job_id))
    (desk.provider.folder / "charge").write_text("1")
    assert desk.until(job_id).state == "done"


def test_nothing_is_asked_while_the_database_cannot_say_who_has_the_job(desk, monkeypatch):
    from workers.leases import Lease, UnconfirmedError

    confirm, away = Lease.confirm, [1, 1]

    def unconfirmed(self):
        if away:
            away.pop()
            raise UnconfirmedError("the database cannot be asked who has the job")
        confirm(self)

    monkeypatch.setattr(Lease, "confirm", unconfirmed)
    (job_id,) = desk.submit()
    job = desk.until(job_id)
    assert (job.state, job.doubtful) == ("done", False)
    assert desk.provider.accepted() == [job.key]
    assert spent(desk) == {"day": 550_000}


def test_a_fence_that_cannot_be_opened_leaves_nothing_in_doubt(desk):
    desk.provider.do_wrong("no-fence", 2)
    (job_id,) = desk.submit()
    job = desk.until(job_id)
    assert (job.state, job.doubtful, job.asks) == ("done", False, 1)


def test_a_fence_is_closed_before_a_job_is_looked_for(desk, monkeypatch):
    said = []
    close, find = desk.provider.close_fence, desk.provider.find
    monkeypatch.setattr(desk.provider, "close_fence", lambda f: (said.append("close"), close(f)))
    monkeypatch.setattr(desk.provider, "find", lambda *a: (said.append("find"), find(*a))[1])
    desk.provider.do_wrong("cut-after")
    (job_id,) = desk.submit()
    assert desk.until(job_id).state == "done"
    assert said[:2] == ["close", "find"]
    assert not list(desk.provider.folder.glob("*.fence"))


@pytest.mark.parametrize("error", [UnavailableError("away"), BackendError("no such batch")])
def test_a_fence_that_cannot_be_closed(desk, monkeypatch, error):
    """One that nobody knows is closed; while nobody can say, the job is not asked for again."""

    def fails(_):
        raise error

    desk.provider.do_wrong("cut-before")
    (job_id,) = desk.submit()
    with monkeypatch.context() as patch:
        patch.setattr(desk.provider, "close_fence", fails)
        until_doubtful(desk, job_id)
        for _ in range(20):
            desk.sweep()
            advance(desk, job_id)
        knows = isinstance(error, UnavailableError)
        assert (desk.job(job_id).asks == 1) is knows
    assert desk.until(job_id).state == "done"


def test_what_was_cancelled_while_it_was_verified_can_be_retried(desk, monkeypatch):
    from workers.stages import circuits

    verify = circuits.verify_compilation
    (job_id,) = desk.submit()

    def cancelled_meanwhile(*arguments):
        with Session(desk.engine) as session:
            cancel(session, job_id)
        return verify(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(circuits, "verify_compilation", cancelled_meanwhile)
        assert desk.until(job_id).state == "cancelled"
    with Session(desk.engine) as session:
        session.get_one(Job, job_id).compilation = None
        session.commit()
        retry(session, job_id)
    assert desk.until(job_id).state == "done"
    with Session(desk.engine) as session, pytest.raises(RefusedError):
        cancel(session, job_id)
