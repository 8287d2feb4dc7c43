"""The command `rescore`."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from service.answers.jobs import job_answer
from service.cli.options import Json, ServiceDatabase
from service.cli.queue.changes import change_each
from service.cli.queue.existing_jobs import JobIds, existing_records, job_number
from workers.jobs.control import rescore
from workers.jobs.lookup import find_job
from workers.jobs.states import Queue
from workers.queue.worker import Worker
from workers.records.tables import Job
from workers.settings import settings


def rescore_command(*, job: JobIds, database: ServiceDatabase = "", as_json: Json = False) -> int:
    """Compute scores again from the stored raw results, here and now.

    Example: `stichwerk rescore 12`
    """
    engine = existing_records(database)

    def rescored(session: Session, job_id: int) -> tuple[Job, Mapping[str, Any]]:
        before = job_answer(session, find_job(session, job_id))["scores"]
        rescore(session, job_id)
        Worker(engine, settings(), {Queue.SCORE}).advance(job_id)
        found = find_job(session, job_id)
        return found, {"before": before, "scores": job_answer(session, found)["scores"]}

    jobs = [job_number(one, "rescore") for one in job]
    return change_each(jobs, rescored, database, as_json)
