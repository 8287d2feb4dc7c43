"""A worker that is killed at one moment of its work; run by a process of its own."""

import os
import signal

from sqlalchemy import event, inspect
from sqlalchemy.orm import Session

from tests.workers.folder_provider import FolderProvider
from workers.queue.worker import Worker
from workers.records.database import open_database
from workers.records.tables import Job
from workers.sandbox.sandbox import Sandbox
from workers.settings import Settings


def work(address: str, job_id: int, set_: Settings, when: str, column: str, value: object) -> None:
    """Advance a job, and die when a column of its row is about to change or has changed.

    A key is never changed: for `idempotency_key` it is a new row that is looked out for.

    Args:
        address: of the database.
        job_id: which job.
        set_: settings of the queue.
        when: `before` or `after` the change is committed.
        column: of the job's row.
        value: that it takes; None for any but none.
    """
    assert FolderProvider

    def hit(session: Session) -> bool:
        for row in session.new if column == "idempotency_key" else session.dirty:
            if isinstance(row, Job):
                added = inspect(row).attrs[column].history.added
                if added and (added[0] == value if value is not None else added[0] is not None):
                    return True
        return False

    @event.listens_for(Session, "before_flush")
    def before(session: Session, *_: object) -> None:
        if hit(session):
            session.info["hit"] = True
            if when == "before":
                os.kill(os.getpid(), signal.SIGKILL)

    @event.listens_for(Session, "after_commit")
    def after(session: Session) -> None:
        if session.info.get("hit"):
            os.kill(os.getpid(), signal.SIGKILL)

    # Its sandbox would import everything anew.
    Sandbox.call = lambda _, function, *arguments, **__: function(*arguments)  # type: ignore[method-assign]
    worker = Worker(open_database(address), set_)
    while worker.advance(job_id) is not None:
        pass
