"""How long a provider is given to show what it may have accepted."""

from datetime import timedelta

from workers.advance import Worker
from workers.records import now


def test_a_provider_is_given_its_time_from_the_end_of_a_slow_submission(desk, monkeypatch):
    """A submission that breaks off after a minute may have been accepted in its last second."""
    clock = {"ahead": timedelta(0)}
    monkeypatch.setattr("workers.stages.running.now", lambda: now() + clock["ahead"])
    desk = desk.with_settings(settle_seconds=30.0)
    submit = type(desk.provider).submit

    def slow_submit(provider, job, key):
        clock["ahead"] += timedelta(minutes=1)
        return submit(provider, job, key)

    monkeypatch.setattr(type(desk.provider), "submit", slow_submit)
    desk.provider.do_wrong("cut-before", 100)
    (job_id,) = desk.submit()
    worker = Worker(desk.engine, desk.settings)
    while desk.job(job_id).failures == 0:
        worker.advance(job_id)
    asked = desk.job(job_id).asked_at
    worker.advance(job_id)
    assert desk.job(job_id).asked_at == asked
    clock["ahead"] += timedelta(seconds=31)
    worker.advance(job_id)
    assert desk.job(job_id).asked_at - asked >= timedelta(minutes=1)
    assert desk.provider.accepted() == []
