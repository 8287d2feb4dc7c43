"""Who is at work, and what is known of providers."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from workers.records.tables.base import Record, now


class Heartbeat(Record):
    """A process that says now and then that it runs."""

    __tablename__ = "heartbeats"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    kind: Mapped[str] = mapped_column(String(20))
    """`worker`, `sweeper` or `api`."""
    host: Mapped[str] = mapped_column(String(200))
    pid: Mapped[int]
    queues: Mapped[list[str]] = mapped_column(default=list)
    processes: Mapped[int] = mapped_column(default=1)
    version: Mapped[str] = mapped_column(String(60))
    revision: Mapped[str | None] = mapped_column(String(60))
    started_at: Mapped[datetime] = mapped_column(default=now)
    seen_at: Mapped[datetime] = mapped_column(default=now)


class DatabaseOrigin(Record):
    """Identity of the copy of the database in use: one row; see `workers.records.origin`."""

    __tablename__ = "database_origin"

    id: Mapped[int] = mapped_column(primary_key=True)
    identity: Mapped[str] = mapped_column(String(200))
    """Empty while no worker has used the database."""
    since: Mapped[datetime | None]
    """When it was noticed to be another copy, or `stichwerk restored` said so."""


class ProviderHealth(Record):
    """How a provider has answered lately."""

    __tablename__ = "provider_health"

    backend: Mapped[str] = mapped_column(String(80), primary_key=True)
    answered_at: Mapped[datetime | None]
    failed_at: Mapped[datetime | None]
    """When it last failed to answer, or did not accept the credentials."""
    failing_since: Mapped[datetime | None]
    """The first failure since it last answered; None if it answers."""
    problem: Mapped[str | None] = mapped_column(String(20))
    """`unavailable` or `credentials`; None if it answers."""
    detail: Mapped[str | None]
