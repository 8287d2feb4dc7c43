"""Jobs of which nobody knows whether their provider has them: never paid twice, never given up."""

from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from backends import JobState, JobStatus
from tests.servers.fixtures import EACH_DATABASE
from tests.workers.accounts.test_budgets import spent
from workers import clock
from workers.jobs.control import cancel, retry
from workers.stages.at_provider import doubt


@pytest.fixture
def engine(any_engine):
    """An empty database."""
    return any_engine


@EACH_DATABASE
def test_a_refusal_does_not_clear_what_is_in_doubt(context):
    """Accepted, answer lost, not shown for long; then the second question is refused."""
    context = context.with_settings(settle_seconds=0.01)
    context.provider.do_wrong("cut-after")
    context.provider.do_wrong("hidden", 20)
    (job_id,) = context.submit()
    context.until_doubtful(job_id)
    context.provider.do_wrong("refuse")
    while context.job(job_id).refusal is None:
        context.sweep()
    job = context.job(job_id)
    assert (job.state, job.doubtful, job.refusal) == ("submitting", True, "no such gate")
    assert spent(context) == {"day": 550_000}
    context.provider.do_wrong("hidden", 0)
    job = context.until(job_id)
    assert (job.state, job.refusal) == ("done", None)
    assert context.provider.accepted() == [job.key]
    assert spent(context) == {"day": 550_000}


def test_a_refused_job_in_doubt_fails_once_the_provider_knows_nothing(context):
    context.provider.do_wrong("cut-before")
    context.provider.do_wrong("refuse")
    (job_id,) = context.submit()
    job = context.until(job_id)
    assert (job.state, job.error) == ("failed", "no such gate")
    assert spent(context) == {"day": 0}
    assert job.asked_at is not None, "whoever retries it looks for it first"


@EACH_DATABASE
def test_a_retry_finds_what_came_to_light_late_and_counts_it(context):
    context = context.with_settings(settle_seconds=0.01)
    context.provider.do_wrong("cut-after")
    context.provider.do_wrong("hidden", 1000)
    (job_id,) = context.submit()
    context.until_doubtful(job_id)
    context.provider.do_wrong("refuse")
    assert context.until(job_id).state == "failed"
    assert spent(context) == {"day": 0}
    context.provider.do_wrong("hidden", 0)
    context.control(retry, job_id)
    job = context.until(job_id)
    assert job.state == "done"
    assert context.provider.accepted() == [job.key]
    assert spent(context) == {"day": 550_000}


@pytest.mark.parametrize("jumps", ["database", "steady", "both"])
@EACH_DATABASE
def test_one_clock_that_jumps_decides_nothing(context, monkeypatch, jumps):
    context = context.with_settings(settle_seconds=30.0)
    context.provider.do_wrong("cut-before")
    (job_id,) = context.submit()
    context.until_doubtful(job_id)
    context.advance(job_id)
    assert context.job(job_id).asks == 1
    if jumps != "steady":
        later = timedelta(seconds=45)
        monkeypatch.setattr(doubt, "database_now", lambda s: clock.database_now(s) + later)
    if jumps != "database":
        monkeypatch.setattr(doubt, "steady", lambda: clock.steady() + 45)
    context.advance(job_id)
    assert context.job(job_id).asks == (2 if jumps == "both" else 1)


def test_an_outage_ends_no_accepted_job_and_is_forgotten_when_it_is_over(context):
    context.provider.do_wrong("queue", 100)
    (job_id,) = context.submit()
    context.until(job_id, "at_provider")
    most = context.settings.most_failures
    for _ in range(3):
        context.provider.do_wrong("outage", most - 1)
        context.advance(job_id, most)
        assert context.job(job_id).failures == 0, "a question that was answered"
    context.provider.do_wrong("outage", 5 * most)
    context.advance(job_id, 5 * most)
    assert (context.job(job_id).state, context.job(job_id).failures) == ("at_provider", 5 * most)
    told = [detail for _, detail in context.events(job_id) if "the fridge is away" in detail]
    assert len(told) <= 4, "an outage of days is not told at every question"
    context.provider.do_wrong("queue", 0)
    assert context.until(job_id).state == "done"


def test_cancelling_again_and_again_changes_nothing(context):
    context.provider.do_wrong("queue", 1000)
    context.provider.do_wrong("no-cancel", 1000)
    context = context.with_settings(backoff_seconds=1000.0, outage_most_seconds=1000.0)
    (job_id,) = context.submit()
    context.until(job_id, "at_provider")
    for _ in range(50):
        with Session(context.engine) as session:
            assert cancel(session, job_id).cancel_requested
        context.sweep()
    assert context.job(job_id).failures == 1
    assert (
        len([1 for _, detail in context.events(job_id) if detail == "cancellation requested"]) == 1
    )
    context.provider.do_wrong("no-cancel", 0)
    context.advance(job_id)
    assert context.job(job_id).state == "cancelled"


def test_a_job_that_its_provider_does_not_know_is_ended_by_a_person_only(context):
    (job_id,) = context.submit()
    context.until(job_id, "at_provider")
    context.provider.do_wrong("forgotten", 1000)
    context.advance(job_id, 3 * context.settings.most_failures)
    assert context.job(job_id).state == "at_provider"
    context.control(cancel, job_id)
    context.advance(job_id)
    assert context.job(job_id).state == "cancelled"
    assert spent(context) == {"day": 550_000}


@EACH_DATABASE
def test_an_id_belongs_to_one_job(context, monkeypatch):
    (first,) = context.submit()
    context.provider.do_wrong("queue", 1000)
    provider_id = context.until(first, "at_provider").provider_id
    submit = context.provider.submit

    def repeated(job, key, **given):
        submit(job, key, **given)
        return provider_id

    with monkeypatch.context() as patch:
        patch.setattr(context.provider, "submit", repeated)
        (second,) = context.submit()
        job = context.until(second)
    assert job.state == "failed"
    assert job.quarantined == job.error
    assert f"returned the id {provider_id} of another job" in job.error
    assert job.provider_id is None
    assert spent(context) == {"day": 1_100_000}, "it may have been accepted"
    context.provider.do_wrong("queue", 0)
    assert context.until(first).provider_id == provider_id
    context.control(retry, second)
    assert context.until(second).state == "done"
    assert sorted(context.provider.accepted()) == sorted(
        [context.job(n).key for n in (first, second)]
    )


@pytest.mark.parametrize("text", ["nul \0 byte", "lone \udc80 surrogate", "x" * 10**6])
@EACH_DATABASE
def test_whatever_a_provider_says_can_be_kept(context, monkeypatch, text):
    monkeypatch.setattr(
        context.provider, "status", lambda *_: JobStatus(JobState.FAILED, 10**40, detail=text)
    )
    (job_id,) = context.submit()
    job = context.until(job_id)
    assert job.state == "failed"
    assert job.queue_position is None
    assert len(job.error) <= 2000


@EACH_DATABASE
def test_what_the_database_cannot_keep_is_counted(context):
    """A worker that cannot store what it learnt does not try for ever without telling."""
    (context.provider.folder / "charge").write_text("1e30")
    (job_id,) = context.submit()
    context.until(job_id, "at_provider")
    while context.job(job_id).failures == 0:
        context.sweep()
    assert any("will try again: internal error" in detail for _, detail in context.events(job_id))
    (context.provider.folder / "charge").write_text("1")
    assert context.until(job_id).state == "done"
