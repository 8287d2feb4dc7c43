"""The command `rescore`."""

from sqlalchemy.orm import Session

from service.cli.options import Json, ServiceDatabase
from service.cli.queue.changes import change_each
from service.cli.queue.existing_jobs import JobIds, existing_records, job_number
from service.results.jobs.scores import scores_of
from service.results.jobs.submission import RescoredJob, RescoredJobs
from workers.jobs.control import rescore
from workers.jobs.lookup import find_job
from workers.jobs.states import Queue
from workers.queue.worker import Worker
from workers.settings import settings


def rescore_command(*, job: JobIds, database: ServiceDatabase = "", as_json: Json = False) -> int:
    """Compute scores again from the stored raw results, here and now.

    Example: `stichwerk rescore 12`
    """
    engine = existing_records(database)

    def rescored(session: Session, job_id: int) -> RescoredJob:
        before = scores_of(find_job(session, job_id))
        rescore(session, job_id)
        Worker(engine, settings(), {Queue.SCORE}).advance(job_id)
        job = find_job(session, job_id)
        return RescoredJob.from_objects(job, before=before, scores=scores_of(job))

    jobs = [job_number(one, "rescore") for one in job]
    return change_each(jobs, rescored, database, as_json, RescoredJobs)
