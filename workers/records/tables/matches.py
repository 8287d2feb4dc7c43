"""Games that people play move by move."""

from datetime import datetime
from typing import Any

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from workers.records.tables.base import Record, now


class MatchRow(Record):
    """A match: how it was set up, and what has happened since."""

    __tablename__ = "matches"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    """Random: whoever knows it may watch."""
    created_at: Mapped[datetime] = mapped_column(default=now)
    moved_at: Mapped[datetime] = mapped_column(default=now, index=True)
    version: Mapped[int] = mapped_column(default=0)
    """Changes of the row; whoever writes names the one that was read."""
    game: Mapped[str] = mapped_column(String(80))
    setup: Mapped[dict[str, Any]]
    """With the seed, which tells all cards: it leaves the server never."""
    log: Mapped[list[dict[str, Any]]]
    seats: Mapped[list[dict[str, Any]]]
    """For each the name of its `bot`, or the SHA-256 `digest` of the secret in its link."""
    chances: Mapped[bool]
    """Whether probabilities are shown."""
    backend: Mapped[str] = mapped_column(String(80), default="", server_default="")
    """On which it is measured; empty for the exact simulator."""
    begun: Mapped[bool] = mapped_column(default=False)
    """Whether a person has moved."""
