"""Telling workers of new jobs, and whoever has submitted them."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

from redis.exceptions import RedisError
from sqlalchemy.orm import Session

from service.cli.output.printing import print_json, say
from service.results.jobs.submission import SubmittedJobs
from service.results.model import exact_usd
from workers.batches.batch import Batch
from workers.batches.submitting import least_cost_of, submit_batch
from workers.jobs.lookup import keyed_job
from workers.jobs.request import Submission, recorded_key
from workers.jobs.states import Queue, State, queue_of
from workers.jobs.submission import submit
from workers.queue.fairness import is_local
from workers.queue.heartbeats import listeners, nobody_listens, runners
from workers.records.database import open_database
from workers.settings import settings


def send_or_say(jobs: list[int], queue: Queue, unattended: Iterable[Queue]) -> None:
    """Tell the workers of jobs, or the user that nobody can be told."""
    if problem := _told(jobs, queue, settings().redis):
        say(f"{problem}; the jobs are recorded, and wait for a worker")
    for missing in unattended:
        say(nobody_listens(missing))


def hand_over_job(submission: Submission, database: str = "") -> int:
    """Record a checked submission as a job, send it to the workers, and return its number.

    Args:
        submission: of one job.
        database: of the records; as set, if empty.
    """
    set_ = settings()
    with Session(open_database(database or set_.database)) as session:
        (job,) = submit(session, set_, submission)
        number, unattended = job.id, unattended_queues(session, [submission.backend])
    send_or_say([number], Queue.COMPILE, unattended)
    return number


def hand_over(
    batch: Batch, *, key: str, tag: str | None, limit: Decimal | None, database: str, as_json: bool
) -> int:
    """Record a batch as a job, tell workers and user of it, and return its number.

    Args:
        batch: with jobs that have been checked.
        key: the same one again is the same job.
        tag: of all its jobs.
        limit: what all of them may cost together.
        database: of the records; as set, if empty.
        as_json: whether the result is printed as one JSON object.
    """
    set_ = settings()
    with Session(open_database(database or set_.database)) as session:
        is_new = keyed_job(session, recorded_key(key, None)) is None
        job = submit_batch(session, set_, batch, key=key, tag=tag, max_cost_usd=limit)
        states = {job.id: State(job.state)}
        unattended = unattended_queues(session, {one.backend for one in batch.all_jobs})
    send_or_say(list(states), Queue.COMPILE, unattended)
    cost = least_cost_of(batch)
    print_submitted(states, list(states) if is_new else [], cost, as_json=as_json)
    return next(iter(states))


def print_submitted(
    states: Mapping[int, State], new: list[int], cost: Decimal, *, as_json: bool
) -> None:
    """Tell the user what jobs there are, and what they cost at least."""
    if as_json:
        print_json(SubmittedJobs(jobs=list(states), new=new, least_cost_usd=cost))
        return
    for job, state in states.items():
        print(f"job {job}: {'new' if job in new else _known(job, state)}")
    if cost:
        it_costs = "it costs" if len(new) == 1 else "together they cost"
        say(f"{it_costs} at least {exact_usd(cost)} USD")


def _known(job: int, state: State) -> str:
    again = state in (State.FAILED, State.CANCELLED)
    return f"{state} already" + (f" (stichwerk retry {job})" if again else "")


def unattended_queues(session: Session, backends: Iterable[str]) -> list[Queue]:
    """Return the queues that jobs for these backends need, and that nobody listens to."""
    on_the_way = (State.QUEUED, State.SUBMITTING, State.AT_PROVIDER, State.SCORING)
    needed = {
        queue_of(state, local=is_local(backend)) for backend in backends for state in on_the_way
    }
    listening = listeners(runners(session))
    return [queue for queue, processes in listening.items() if not processes and queue in needed]


def _told(jobs: list[int], queue: Queue, redis: str) -> str | None:
    """Send messages, and return what is wrong with Redis if that is not possible."""
    from workers.queue.broker import send_if_possible
    from workers.queue.lengths import broker_problem, queue_lengths

    try:
        # Celery would try for some seconds to reach a Redis that is away.
        queue_lengths(redis)()
    except RedisError as error:
        return broker_problem(redis, error)
    # What has been submitted before is looked at once more, which does no harm.
    if all(send_if_possible(job, queue) for job in jobs):
        return None
    return "Redis did not take all messages"
