"""Handing an estimate to the workers."""

from service.cli.estimate.ready import ReadyEstimate
from service.cli.output.printing import say
from service.cli.queue.sending import hand_over_job, print_submitted
from workers.jobs.request import Submission
from workers.jobs.states import State
from workers.jobs.submission import least_cost_usd


def hand_over(ready: ReadyEstimate, asked: Submission, database: str) -> int:
    """Record an estimate as a job, tell workers of it, and return its number.

    What it takes, and costs, is said before.

    Args:
        ready: the estimate.
        asked: the same as a job that has been checked.
        database: where the jobs are; by default the service's.
    """
    expected = ready.expected_cost_usd
    costs = f"; that costs about {expected.normalize():f} USD, or more" if expected else ""
    say(f"{ready.planned.told()}{costs}")
    return hand_over_job(asked, database)


def hand_over_alone(
    ready: ReadyEstimate, asked: Submission, database: str, *, as_json: bool
) -> None:
    """Hand over an estimate, and answer with its job."""
    job = hand_over(ready, asked, database)
    # One round there always is; how many more is known when they have been counted.
    cost = least_cost_usd(ready.backend, ready.asked.shots, 1)
    print_submitted({job: State.QUEUED}, [job], cost, as_json=as_json)
