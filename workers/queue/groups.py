"""Which states and backends jobs wait in, found without a look at every job.

A state and a backend decide together about the queue. There are few of these groups, however many
jobs there are: each is looked up in an index, as the next after the one before.
"""

from sqlalchemy import CTE, func, literal, select, union_all

from workers.jobs.states import State
from workers.records.tables import Job


def waiting_groups(*states: State) -> CTE:
    """Return a table of the states and backends of jobs that the queue is to take on.

    Its columns are `state` and `backend`; a row of each state ends with no backend.

    Args:
        states: those that count.
    """
    first = select(func.min(Job.backend)).where(Job.due_at.is_not(None))
    firsts = union_all(
        *(
            select(
                literal(state.value).label("state"),
                first.where(Job.state == state).scalar_subquery().label("backend"),
            )
            for state in states
        )
    ).subquery()
    groups = select(firsts).cte("groups", recursive=True)
    following = first.where(Job.state == groups.c.state, Job.backend > groups.c.backend)
    return groups.union_all(
        select(groups.c.state, following.scalar_subquery()).where(groups.c.backend.is_not(None))
    )
