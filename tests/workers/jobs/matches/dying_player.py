"""A player whose process may die while a match is measured; run by a process of its own."""

from typing import Any

from sqlalchemy.orm import Session

from games.playing.oracle import BackendOracle
from games.playing.playable import match_from_record
from tests.workers.folder_provider import FolderProvider
from workers.jobs.matches.here import HereTrials
from workers.jobs.matches.wanted import keys_of
from workers.records.database import open_database


def measure(address: str, backend: str, record: dict[str, Any], nonce: str) -> None:
    """Measure what a match waits for, in this process."""
    assert FolderProvider
    with Session(open_database(address)) as session:
        run = HereTrials(session, backend, 7, keys_of(nonce, backend), None, lambda _: None)
        BackendOracle(backend, 7, run).measured(match_from_record(record))
