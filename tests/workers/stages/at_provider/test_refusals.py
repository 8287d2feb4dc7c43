"""Providers that refuse: for now, for good, to cancel, or to show a result."""

import pytest
from sqlalchemy.orm import Session

from backends import (
    BackendError,
    CredentialsError,
    GoneError,
    JobState,
    JobStatus,
    NotAcceptedError,
    UnavailableError,
)
from tests.workers.accounts.test_budgets import spent
from workers.jobs.control import cancel, retry
from workers.jobs.journal import back_off
from workers.records.tables import Job


def refusing(error, times=None):
    """Return a call that raises an error, so often at most, and how often it was made."""
    calls = []

    def refuse(*_, **__):
        calls.append(1)
        if times is None or len(calls) <= times:
            raise error

    return refuse, calls


def test_a_device_that_is_offline_is_waited_for_without_doubt(context, monkeypatch):
    take, times = context.provider.take, context.settings.most_failures + 3
    refuse, calls = refusing(NotAcceptedError("the device is offline"), times)

    def taken(job, key, fence):
        refuse()
        return take(job, key, fence)

    monkeypatch.setattr(context.provider, "take", taken)
    (job_id,) = context.submit()
    job = context.until(job_id)
    assert (job.state, job.doubtful, len(calls)) == ("done", False, times + 1)
    assert ("submitting", "will try again: the device is offline") in context.events(job_id)
    assert not any("in doubt" in detail for _, detail in context.events(job_id))
    assert context.provider.accepted() == [job.key]
    assert spent(context) == {"day": 550_000}


def test_a_job_that_waits_for_a_device_is_cancelled_at_once(context, monkeypatch):
    refuse, calls = refusing(NotAcceptedError("the device is offline"))
    monkeypatch.setattr(context.provider, "take", refuse)
    (job_id,) = context.submit()
    while not calls:
        context.sweep()
    context.control(cancel, job_id)
    job = context.job(job_id)
    assert (job.state, job.asked_at) == ("cancelled", None)
    assert spent(context) == {"day": 0}


def test_a_device_that_is_offline_does_not_settle_an_earlier_doubt(context, monkeypatch):
    context.provider.do_wrong("cut-after")
    context.provider.do_wrong("hidden", 1)
    (job_id,) = context.submit()
    context.until_doubtful(job_id)
    refuse, _ = refusing(NotAcceptedError("the device is offline"), 1)
    with monkeypatch.context() as patch:
        patch.setattr(context.provider, "take", refuse)
        job = context.until(job_id)
    assert job.state == "done"
    assert context.provider.accepted() == [job.key]


@pytest.mark.parametrize("error", [BackendError("bad request"), GoneError("not found")])
@pytest.mark.parametrize("end", [JobState.DONE, JobState.CANCELLED, JobState.FAILED])
def test_a_job_that_is_not_cancelled_keeps_its_state_until_it_ends(
    context, monkeypatch, error, end
):
    context.provider.do_wrong("run", 10**6)
    (job_id,) = context.submit()
    context.until(job_id, "running")
    refuse, calls = refusing(error)
    monkeypatch.setattr(context.provider, "cancel", refuse)
    context.control(cancel, job_id)
    while len(calls) < 5:
        context.sweep()
    job = context.job(job_id)
    assert (job.state, job.cancel_requested) == ("running", True)
    refusals = [detail for _, detail in context.events(job_id) if "refuses to cancel" in detail]
    assert refusals == [f"its provider refuses to cancel it: {error}"]
    context.provider.do_wrong("run", 0)
    monkeypatch.setattr(context.provider, "status", lambda *_: JobStatus(end))
    job = context.until(job_id)
    assert job.state == end
    if end is JobState.DONE:
        late = ("scoring", "it was done before it could be cancelled")
        assert late in context.events(job_id)
        assert sum(job.counts.values()) == 50


@pytest.mark.parametrize(
    "error",
    [GoneError("deleted"), UnavailableError("not there yet"), CredentialsError("not allowed")],
)
def test_a_result_that_cannot_be_had_is_given_up_by_a_user_only(context, monkeypatch, error):
    (job_id,) = context.submit(tag="t")
    refuse, calls = refusing(error)
    monkeypatch.setattr(context.provider, "cancel", lambda _: None)
    with monkeypatch.context() as patch:
        patch.setattr(context.provider, "raw_result", refuse)
        while len(calls) < 2 * context.settings.most_failures:
            context.sweep()
        assert context.job(job_id).state == "at_provider"
        context.control(cancel, job_id)
        job = context.until(job_id)
    assert job.state == "cancelled"
    assert str(error) in context.events(job_id)[-1][1]
    assert spent(context) == {"day": 550_000, "tag": 550_000}
    assert context.control(retry, job_id) == job_id
    assert context.until(job_id).state == "done", "should it come after all, it is fetched"
    assert context.provider.accepted() == [job.key]
    assert spent(context) == {"day": 550_000, "tag": 550_000}


def test_a_job_cancelled_while_its_result_is_late_is_scored(context, monkeypatch):
    refuse, calls = refusing(GoneError("not there yet"), 1)
    real = context.provider.raw_result
    monkeypatch.setattr(
        context.provider, "raw_result", lambda provider_id: refuse() or real(provider_id)
    )
    monkeypatch.setattr(context.provider, "cancel", lambda _: None)
    (job_id,) = context.submit()
    while not calls:
        context.sweep()
    context.control(cancel, job_id)
    assert context.until(job_id).state == "done"


def test_no_provider_lets_a_job_wait_longer_than_an_outage(context):
    (job_id,) = context.submit()
    set_ = context.with_settings(outage_most_seconds=900.0).settings
    with Session(context.engine) as session:
        job = session.get_one(Job, job_id)
        back_off(session, job, set_, "away", least=9e8)
        session.refresh(job)
        wait = job.due_at - job.created_at
    assert 899 < wait.total_seconds() < 1000


def test_a_twin_that_cannot_be_cancelled_does_not_hold_up_the_older_one(context, monkeypatch):
    monkeypatch.setattr(context.provider, "cancel", refusing(BackendError("bad request"))[0])
    context.provider.do_wrong("cut-after")
    (job_id,) = context.submit()
    context.until_doubtful(job_id)
    older = context.provider.find(context.job(job_id).key)
    content = (context.provider.folder / f"{older[0]}.job").read_text()
    (context.provider.folder / "younger.job").write_text(
        content.replace('"accepted": 1', '"accepted": 2', 1)
    )
    job = context.until(job_id)
    assert (job.state, job.provider_id) == ("done", older[0])
