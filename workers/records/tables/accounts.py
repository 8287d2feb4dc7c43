"""Tables of tokens, budgets, providers, notices and matches."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from workers.records.tables.base import Record, now, only


class Spending(Record):
    """Reservations of one budget: the sum of its ledger entries.

    Stored beside the ledger, because a single statement can hold a limit on it.
    """

    __tablename__ = "spending"

    budget: Mapped[str] = mapped_column(String(120), primary_key=True)
    """`day:2026-01-31`, `tag:name`, `token:3:day:2026-01-31` or `token:3:tag:name`."""
    reserved_microusd: Mapped[int] = mapped_column(BigInteger, default=0)


class LedgerEntry(Record):
    """One change of a job's reservation in one budget; never edited, only compensated."""

    __tablename__ = "ledger"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now)
    job_id: Mapped[int] = mapped_column(ForeignKey("jobs.id"), index=True)
    budget: Mapped[str] = mapped_column(String(120), index=True)
    kind: Mapped[str] = mapped_column(String(20))
    """`reserved`, `released` (the provider never had it) or `charged` (the real cost)."""
    microusd: Mapped[int] = mapped_column(BigInteger)
    """Millionths of US dollars, below zero if they are given back."""


class Token(Record):
    """A token of the HTTP API, with its scopes and limits."""

    __tablename__ = "tokens"
    __table_args__ = (UniqueConstraint("digest"), UniqueConstraint("name"))

    id: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(default=now)
    name: Mapped[str] = mapped_column(String(80))
    digest: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the token, which itself is kept nowhere: 256 random bits need no salt."""
    scopes: Mapped[list[str]]
    revoked_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    day_budget_microusd: Mapped[int | None] = mapped_column(BigInteger)
    """Limit of the cost of its jobs of one day; None for no limit."""
    calls_a_minute: Mapped[int | None]
    """Limit of its calls; None for the service's own limit."""


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
    """Identity of the copy of the database in use: one row; see `workers.records.backup`."""

    __tablename__ = "database_origin"

    id: Mapped[int] = mapped_column(primary_key=True)
    identity: Mapped[str] = mapped_column(String(200))
    """Empty while no worker has used the database."""
    since: Mapped[datetime | None]
    """Time at which it was noticed to be another copy, or `stichwerk restored` said so."""


class ProviderHealth(Record):
    """The last answers and failures of a provider."""

    __tablename__ = "provider_health"

    backend: Mapped[str] = mapped_column(String(80), primary_key=True)
    answered_at: Mapped[datetime | None]
    failed_at: Mapped[datetime | None]
    """Time at which it last failed to answer, or did not accept the credentials."""
    failing_since: Mapped[datetime | None]
    """The first failure since it last answered; None if it answers."""
    problem: Mapped[str | None] = mapped_column(String(20))
    """`unavailable` or `credentials`; None if it answers."""
    detail: Mapped[str | None]


class Notice(Record):
    """A notice to people, by one channel; see `workers.notices.sending`."""

    __tablename__ = "notices"
    __table_args__ = (
        UniqueConstraint("key"),
        Index("ix_notices_due_at", "due_at", **only("due_at IS NOT NULL")),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(200))
    """Of its channel and cause: a notice of the same key is sent once."""
    created_at: Mapped[datetime] = mapped_column(default=now)
    channel: Mapped[str] = mapped_column(String(20))
    kind: Mapped[str] = mapped_column(String(20))
    text: Mapped[str]
    job_id: Mapped[int | None]
    due_at: Mapped[datetime | None]
    """Time of the next try; None once it was sent or given up."""
    attempts: Mapped[int] = mapped_column(default=0)
    sent_at: Mapped[datetime | None]
    error: Mapped[str | None]
    """Class of the error of the last attempt, None if it was sent."""


class MatchRow(Record):
    """A match: its set-up, and its moves since."""

    __tablename__ = "matches"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    """Random: with it anybody may watch."""
    created_at: Mapped[datetime] = mapped_column(default=now)
    moved_at: Mapped[datetime] = mapped_column(default=now, index=True)
    version: Mapped[int] = mapped_column(default=0)
    """Number of changes of the row; a write names the version that was read."""
    game: Mapped[str] = mapped_column(String(80))
    setup: Mapped[dict[str, Any]]
    """With the seed, which tells all cards: it leaves the server never."""
    log: Mapped[list[dict[str, Any]]]
    seats: Mapped[list[dict[str, Any]]]
    """For each the name of its `bot`, or the SHA-256 `digest` of the secret in its link."""
    chances: Mapped[bool]
    """True if probabilities are shown."""
    backend: Mapped[str] = mapped_column(String(80), default="", server_default="")
    """Backend of measurements; empty for the exact simulator."""
    begun: Mapped[bool] = mapped_column(default=False)
    """True if a person has moved."""
