"""Handing an estimate to the workers."""

from sqlalchemy.orm import Session

from service.cli.estimate.plan import Plan
from service.cli.output.printing import say
from service.cli.queue.sending import print_submitted, send_or_say, unattended_queues
from workers.jobs.request import Submission
from workers.jobs.states import Queue, State
from workers.jobs.submission import checked, least_cost_usd, submit
from workers.records.database import open_database
from workers.settings import settings


def hand_over(asked: Submission, planned: Plan, database: str, *, as_json: bool) -> None:
    """Record an estimate as a job, and tell workers and user of it.

    Args:
        asked: the job; what it may cost is for all of its rounds together.
        planned: what it is going to take, by which the cost is told.
        database: where the jobs are; by default the service's.
        as_json: whether to answer as JSON.
    """
    set_, ready = settings(), checked(asked)
    expected = least_cost_usd(ready.backend, ready.shots, planned.expected.rounds)
    costs = f"; that costs about {expected.normalize():f} USD, or more" if expected else ""
    say(f"{planned.told()}{costs}")
    with Session(open_database(database or set_.database)) as session:
        (job,) = submit(session, set_, ready)
        job_id, unattended = job.id, unattended_queues(session, [ready.backend])
    send_or_say([job_id], Queue.COMPILE, unattended)
    # One round there always is; how many more is known when they have been counted.
    cost = least_cost_usd(ready.backend, ready.shots, 1)
    print_submitted({job_id: State.QUEUED}, [job_id], cost, as_json=as_json)
