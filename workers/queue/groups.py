"""Which states and backends jobs wait in: together they decide about the queue."""

from sqlalchemy import CTE, select

from workers.jobs.states import State
from workers.records.tables import Job


def waiting_groups(*states: State) -> CTE:
    """Return a table of the states and backends of jobs that the queue is to take on.

    Its columns are `state` and `backend`.

    Args:
        states: those that count.
    """
    waiting = select(Job.state, Job.backend).where(
        Job.due_at.is_not(None), Job.state.in_([state.value for state in states])
    )
    return waiting.distinct().cte("groups")
