"""A player whose process may die while a match is measured; run by a process of its own."""

from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from play.hosted.queued_trials import QueuedTrials, keys_of
from play.oracle import BackendOracle
from play.playable import match_from_record
from tests.workers.folder_provider import FolderProvider
from workers.jobs.without_queue import finish_job
from workers.records.database import open_database
from workers.settings import settings


def measure(address: str, backend: str, record: dict[str, Any], nonce: str) -> None:
    """Measure what a match waits for, in this process."""
    assert FolderProvider
    run = QueuedTrials(
        partial(Session, open_database(address)),
        settings(),
        backend,
        7,
        keys_of(nonce, backend),
        str,
        finish=finish_job,
    )
    BackendOracle(backend, 7, run).measured(match_from_record(record))
