"""Which states and backends jobs wait in, found without a look at every job.

A state and a backend decide together about the queue. There are few of these groups, however many
jobs there are: each is looked up in an index, as the next after the one before.
"""

from sqlalchemy import CTE, ColumnElement, ScalarSelect, Select, literal, select, tuple_, union_all

from workers.jobs.states import State
from workers.records.tables import Job


def waiting_groups(*states: State) -> CTE:
    """Return a table of the states and backends of jobs that the queue is to take on.

    Its columns are `state` and `backend`; a row of each state ends with no backend.

    Args:
        states: those that count.
    """
    firsts = union_all(*map(_first, states)).subquery()
    groups = select(firsts).cte("groups", recursive=True)
    here = groups.c.state, groups.c.backend
    following = _backend(
        select(Job.backend).where(tuple_(Job.state, Job.backend) > tuple_(*here)), groups.c.state
    )
    return groups.union_all(select(here[0], following).where(here[1].is_not(None)))


def _first(state: State) -> Select[str, str | None]:
    name = literal(state.value)
    return select(
        name.label("state"),
        _backend(select(Job.backend).where(Job.state >= name), name).label("backend"),
    )


def _backend(after: Select[str], state: ColumnElement[str]) -> ScalarSelect[str]:
    """Return the first backend in a state, by the one index that is in this order.

    Were the state asked to be equal, PostgreSQL might as well go through all jobs by an index of
    their backends, when it does not know yet how many have ended.
    """
    waiting = after.where(Job.state <= state, Job.due_at.is_not(None))
    return waiting.order_by(Job.state, Job.backend).limit(1).scalar_subquery()
