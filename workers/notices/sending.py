"""Notices: recorded with the change that causes them, and sent by a thread beside the sweeper.

A notice is recorded in the transaction of its cause, and sent later by a thread that no job waits
for. Each channel is a row of its own, so that a failing channel delays no other. A notice of the
same key is recorded once.
"""

import json
import logging
import smtplib
import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from email.message import EmailMessage
from enum import StrEnum
from urllib.parse import unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from sqlalchemy import Engine, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from workers.clock import database_now, database_time, pause_seconds
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
        job: of the notice.
        text: one line.
        key: of its cause, such as a job and its event.
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


LOG = logging.getLogger("stichwerk.notices")

LOOK_SECONDS = 2.0
"""Between two looks for notices that are due."""

CALL_SECONDS = 10.0
"""Seconds of one attempt, after which it counts as failed."""

LEASE = timedelta(seconds=60)
"""After which another process may try a notice that this one has taken."""

MAX_ATTEMPTS = 8
FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 5.0, 3600.0
MAX_NOTICES = 20
"""Notices of one look."""


class Notifier:
    """Sends notices that are due, each at least once, until `MAX_ATTEMPTS` have failed.

    Args:
        engine: of the database.
        settings: with the channels.
    """

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self._engine = engine
        self._settings = settings

    def run(self, stop: threading.Event) -> None:
        """Send until `stop` is set; a database that is away is waited for."""
        if not list(channels(self._settings)):
            return
        while not stop.wait(LOOK_SECONDS):
            try:
                self.send_due()
            except SQLAlchemyError as error:
                LOG.warning("notices wait for the database: %s", type(error).__name__)

    def send_due(self) -> int:
        """Send the notices that are due now; return how many were sent."""
        sent = 0
        with Session(self._engine, expire_on_commit=False) as session:
            at = database_now(session)
            due = select(Notice).where(Notice.due_at <= at).order_by(Notice.due_at)
            for notice in session.scalars(due.limit(MAX_NOTICES)).all():
                if self._claimed(session, notice, at):
                    sent += self._try(session, notice)
        return sent

    def _claimed(self, session: Session, notice: Notice, at: datetime) -> bool:
        mine = update(Notice).where(Notice.id == notice.id, Notice.due_at == notice.due_at)
        taken = session.connection().execute(mine.values(due_at=at + LEASE))
        session.commit()
        return bool(taken.rowcount)

    def _try(self, session: Session, notice: Notice) -> bool:
        """Try to send a notice, outside of any transaction."""
        error = ""
        try:
            SEND[Channel(notice.channel)](notice, self._settings)
        except (OSError, smtplib.SMTPException, ValueError) as failure:
            # Its text may hold the address, and with it a secret.
            error = type(failure).__name__
        at, attempts = database_now(session), notice.attempts + 1
        pause = pause_seconds(attempts, FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS)
        again = bool(error) and attempts < MAX_ATTEMPTS
        notice.attempts, notice.error = attempts, error or None
        notice.due_at = at + timedelta(seconds=pause) if again else None
        notice.sent_at = None if error else at
        session.commit()
        if error:
            left = "will try again" if again else "given up"
            LOG.warning("notice %s by %s: %s, %s", notice.id, notice.channel, error, left)
        return not error


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follow nothing: a redirected POST would become a GET."""
        return


def send_webhook(notice: Notice, set_: Settings) -> None:
    """Post a notice as JSON; an answer that is not 2xx is a failure.

    Raises:
        OSError: if it did not arrive.
    """
    request = Request(
        set_.notify_webhook,
        json.dumps(_document(notice)).encode(),
        {"Content-Type": "application/json", "User-Agent": "stichwerk"},
    )
    with build_opener(_NoRedirect).open(request, timeout=CALL_SECONDS):
        pass


def send_mail(notice: Notice, set_: Settings) -> None:
    """Send a notice by mail. Credentials leave over TLS only.

    Raises:
        OSError: if the server cannot be reached.
        SMTPException: if it refuses.
    """
    server = urlsplit(set_.notify_smtp)
    message = EmailMessage()
    message["Subject"] = f"Stichwerk: {notice.kind}" + (
        f" of job {notice.job_id}" if notice.job_id else ""
    )
    recipients = [address.strip() for address in set_.notify_mail.split(",")]
    message["From"], message["To"] = set_.notify_from or recipients[0], ", ".join(recipients)
    message.set_content(notice.text)
    secure = server.scheme == "smtps"
    kind = smtplib.SMTP_SSL if secure else smtplib.SMTP
    with kind(server.hostname or "", server.port or 0, timeout=CALL_SECONDS) as connection:
        if not secure and (server.username or connection.has_extn("starttls")):
            connection.starttls()
        if server.username:
            connection.login(unquote(server.username), unquote(server.password or ""))
        connection.send_message(message)


SEND: Mapping[Channel, Callable[[Notice, Settings], None]] = {
    Channel.WEBHOOK: send_webhook,
    Channel.MAIL: send_mail,
}


def _document(notice: Notice) -> Mapping[str, object]:
    return {
        "id": notice.id,
        "kind": notice.kind,
        "job": notice.job_id,
        "at": notice.created_at.isoformat(),
        "text": notice.text,
    }
