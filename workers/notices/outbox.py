"""Outbox of notices: rows that the sweeper's process sends.

A notice is recorded in the transaction of the change that it tells, and sent later by a thread that
no job waits for. Each channel is a row of its own, so that one that fails holds no other up. A
notice of the same key is recorded once.
"""

from collections.abc import Iterator
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from workers.clock import database_time
from workers.jobs.journal import storable
from workers.records.tables import Job, Notice
from workers.settings import Settings


class Channel(StrEnum):
    """Way in which a notice reaches people."""

    WEBHOOK = "webhook"
    MAIL = "mail"


class Kind(StrEnum):
    """Reason for a notice."""

    DRIFT = "drift"
    FAILED = "failed"
    BUDGET = "budget"


def channels(set_: Settings) -> Iterator[Channel]:
    """Yield the channels that are set up."""
    if set_.notify_webhook:
        yield Channel.WEBHOOK
    if set_.notify_mail and set_.notify_smtp:
        yield Channel.MAIL


def add_notice(
    session: Session, set_: Settings, kind: Kind, job: Job, text: str, *, key: str
) -> None:
    """Record a notice for each channel, unless one of its key is there; the caller commits.

    Args:
        session: of the records.
        set_: with the channels.
        kind: of the notice.
        job: that it is about.
        text: one line.
        key: of its cause, such as a job and what happened to it.
    """
    for channel in channels(set_):
        full_key = f"{channel}:{kind}:{key}"[:200]
        if session.scalar(select(Notice.id).where(Notice.key == full_key)) is not None:
            continue
        try:
            with session.begin_nested():
                session.add(
                    Notice(
                        key=full_key,
                        channel=channel,
                        kind=kind,
                        text=storable(text),
                        job_id=job.id,
                        due_at=database_time(),
                    )
                )
        except IntegrityError:
            continue
