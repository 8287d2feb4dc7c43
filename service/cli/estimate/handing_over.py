"""Handing an estimate to the workers."""

from sqlalchemy.orm import Session

from compiler.estimation import Estimate
from service.cli.output.printing import say
from service.cli.queue.sending import print_submitted, send_or_say, unattended_queues
from workers.jobs.request import Submission
from workers.jobs.states import Queue, State
from workers.jobs.submission import checked, least_cost_usd, submit
from workers.records.database import open_database
from workers.settings import settings


def hand_over(asked: Submission, rehearsed: Estimate, database: str, *, as_json: bool) -> None:
    """Record an estimate as a job, and tell workers and user of it.

    Args:
        asked: the job; what it may cost is for all of its rounds together.
        rehearsed: what the same comes to without noise, by which the cost is told.
        database: where the jobs are; by default the service's.
        as_json: whether to answer as JSON.
    """
    set_, ready = settings(), checked(asked)
    rounds = len(rehearsed.rounds)
    say(
        f"planned: about {rounds} rounds, circuits of up to about {rehearsed.deepest} iterates, "
        f"about {rehearsed.shots:,} shots"
    )
    with Session(open_database(database or set_.database)) as session:
        (job,) = submit(session, set_, ready)
        job_id, unattended = job.id, unattended_queues(session, [ready.backend])
    send_or_say([job_id], Queue.COMPILE, unattended)
    cost = least_cost_usd(ready.backend, ready.shots, rounds)
    print_submitted({job_id: State.QUEUED}, [job_id], cost, as_json=as_json)
