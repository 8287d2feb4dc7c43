"""Workers that look at one job, as often as a test wants."""

from sqlalchemy import update

from workers.queue.worker import Worker
from workers.records.tables import Job


def advance(context, job_id, times=1):
    for _ in range(times):
        Worker(context.engine, context.settings).advance(job_id)


def until_doubtful(context, job_id):
    while not context.job(job_id).doubtful:
        context.sweep()


def taken_over(context, job_id):
    """Let another worker take a job over, as if its lease had run out."""
    with context.engine.begin() as connection:
        connection.execute(
            update(Job)
            .where(Job.id == job_id)
            .values(lease_owner=None, lease_until=None, version=Job.version + 1)
        )
    advance(context, job_id)
