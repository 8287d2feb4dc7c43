"""Jobs by words: looked for among so many at a time, because no index knows parts of names."""

from typing import Any

from attrs import frozen
from sqlalchemy import ColumnElement, Subquery, and_, or_, select
from sqlalchemy.orm import Session

from service.answers.jobs import jobs_page, listed_alone
from workers.records.tables import Job

LOOKED_THROUGH = 5000
"""Jobs that one search reads; whoever wants more goes on where it ended."""
LARGEST = 2**31 - 1


@frozen
class Searched:
    """What is looked for.

    Args:
        program: whole name of a job's program; None for any.
        text: stands in the program, target, backend, tag or error, whatever the case of ASCII
            letters, or is the job's number; None for any.
    """

    program: str | None = None
    text: str | None = None


def found_page(
    session: Session, searched: Searched, *, limit: int, before: int | None, **filters: Any
) -> tuple[list[dict[str, Any]], int | None]:
    """Return jobs, the newest first, and where the next page begins; None on the last one.

    Args:
        session: of the database that holds them.
        searched: what is looked for.
        limit: how many at most.
        before: only those whose ids are below this one.
        filters: the others of `service.answers.jobs.jobs_page`, which have indexes.
    """
    among, end = None, None
    if searched != Searched():
        among, end = _window(session, searched, before, filters)
    # One more than asked for tells whether there is another page.
    jobs = jobs_page(session, limit=limit + 1, before=before, among=among, **filters)
    if len(jobs) > limit:
        return jobs[:limit], int(jobs[limit - 1]["id"])
    return jobs, end


def _window(
    session: Session, searched: Searched, before: int | None, filters: dict[str, Any]
) -> tuple[Subquery, int | None]:
    """Return the jobs to be looked through that fit, and the last one if there are more."""
    columns = {"state": Job.state, "tag": Job.tag, "backend": Job.backend,
               "token_id": Job.token_id}  # fmt: skip
    some = [columns[name] == filters[name] for name in columns if filters.get(name) is not None]
    alone = listed_alone(quarantined=bool(filters.get("quarantined")), parent=filters.get("parent"))
    some.append(alone)
    if filters.get("since") is not None:
        some.append(Job.created_at >= filters["since"])
    if before is not None:
        some.append(Job.id < before)
    newest = select(Job.id).where(and_(*some)).order_by(Job.id.desc())
    end = session.scalar(newest.offset(LOOKED_THROUGH - 1).limit(1))
    window = newest.limit(LOOKED_THROUGH).subquery()
    fitting = select(Job.id).join(window, window.c.id == Job.id).where(and_(*_words(searched)))
    return fitting.subquery(), end


def _words(searched: Searched) -> list[ColumnElement[bool]]:
    words: list[ColumnElement[bool]] = []
    if searched.program is not None:
        words.append(Job.program == searched.program)
    text = searched.text
    if text is not None:
        places = (Job.program, Job.target, Job.backend, Job.tag, Job.error)
        anywhere = [place.icontains(text, autoescape=True) for place in places]
        number = text.removeprefix("#")
        if number.isascii() and number.isdigit() and len(number) < 11 and int(number) <= LARGEST:
            anywhere.append(Job.id == int(number))
        words.append(or_(*anywhere))
    return words
