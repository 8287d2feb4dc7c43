"""What a worker wants to record of a job that another has taken over and ended is void."""

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from backends import UnavailableError
from workers.jobs.states import State
from workers.queue import worker
from workers.queue.worker import Worker
from workers.records.tables import Job
from workers.stages.running import run


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
