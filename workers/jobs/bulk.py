"""Many jobs at once: which they are, and doing the same to each of them."""

from collections.abc import Callable, Sequence

from attrs import frozen
from sqlalchemy import Select, and_, func, select
from sqlalchemy.orm import Session, aliased
from sqlalchemy.orm.exc import StaleDataError

from compiler.errors import StichwerkError
from workers.jobs.states import FINAL, State
from workers.records.tables import Job

CANCELLABLE = tuple(state for state in State if state not in FINAL)
RETRIABLE = (State.FAILED, State.CANCELLED)


@frozen
class Chosen:
    """Which jobs.

    Args:
        states: that they are in.
        tag: that they have; None for any.
        token_id: whose they are; None for everybody's.
    """

    states: Sequence[State]
    tag: str | None = None
    token_id: int | None = None


@frozen
class Done:
    """What has become of many jobs.

    Args:
        changed: those that were changed, or what took their places.
        refused: why each of the others was not, by its number.
    """

    changed: Sequence[Job]
    refused: dict[int, str]


def to_cancel(session: Session, chosen: Chosen, limit: int | None = None) -> tuple[int, list[int]]:
    """Return how many jobs are to be cancelled, and the numbers of the oldest of them.

    Those that are to be cancelled at their provider already are left out.
    """
    return _found(session, chosen, select(Job.id).where(~Job.cancel_requested), limit)


def to_retry(session: Session, chosen: Chosen, limit: int | None = None) -> tuple[int, list[int]]:
    """Return how many jobs are to be retried, and the numbers of the oldest of them.

    Those that go on as another job already are left out, and so are those in quarantine, each of
    which a person must look at.
    """
    later = aliased(Job)
    goes_on = select(later.id).where(later.retry_of == Job.id).exists()
    asked = select(Job.id).where(and_(~goes_on, Job.quarantined.is_(None)))
    return _found(session, chosen, asked, limit)


def to_each(session: Session, jobs: Sequence[int], change: Callable[[Session, int], Job]) -> Done:
    """Change jobs one after the other; one that refuses does not hold up the others."""
    changed, refused = [], {}
    for job_id in jobs:
        try:
            changed.append(change(session, job_id))
        except (StichwerkError, StaleDataError) as error:
            session.rollback()
            overtaken = isinstance(error, StaleDataError)
            refused[job_id] = f"job {job_id} has changed just now" if overtaken else str(error)
    return Done(changed, refused)


def _found(
    session: Session, chosen: Chosen, asked: Select[int], limit: int | None
) -> tuple[int, list[int]]:
    asked = asked.where(Job.state.in_(chosen.states))
    if chosen.tag is not None:
        asked = asked.where(Job.tag == chosen.tag)
    if chosen.token_id is not None:
        asked = asked.where(Job.token_id == chosen.token_id)
    number = session.scalar(select(func.count()).select_from(asked.subquery())) or 0
    return number, list(session.scalars(asked.order_by(Job.id).limit(limit)))
