"""Who may submit jobs, and what may be spent."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from workers.records.tables.base import Record, now


class Spending(Record):
    """What has been reserved of one budget: the sum of its ledger entries.

    Kept beside the ledger, because a single statement can hold a limit on it.
    """

    __tablename__ = "spending"

    budget: Mapped[str] = mapped_column(String(120), primary_key=True)
    """`day:2026-01-31`, `tag:name`, `token:3:day:2026-01-31` or `token:3:tag:name`."""
    reserved_microusd: Mapped[int] = mapped_column(BigInteger, default=0)


class LedgerEntry(Record):
    """One change of what is reserved of one budget for one job; never edited, only compensated."""

    __tablename__ = "ledger"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now)
    job_id: Mapped[int] = mapped_column(ForeignKey("jobs.id"), index=True)
    budget: Mapped[str] = mapped_column(String(120), index=True)
    kind: Mapped[str] = mapped_column(String(20))
    """`reserved`, `released` (the provider never had it) or `charged` (what it really cost)."""
    microusd: Mapped[int] = mapped_column(BigInteger)
    """Millionths of US dollars, below zero if they are given back."""


class Token(Record):
    """Who may use the HTTP API, and for what."""

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
    """What its jobs of one day may cost together; no limit if None."""
    calls_a_minute: Mapped[int | None]
    """How often it may call; the service's own limit if None."""
