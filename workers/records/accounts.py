"""Who may submit jobs, and what may be spent."""

from datetime import datetime

from sqlalchemy import BigInteger, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from workers.records.base import Record, now


class Spending(Record):
    """What has been reserved of one budget."""

    __tablename__ = "spending"

    budget: Mapped[str] = mapped_column(String(100), primary_key=True)
    """`day:2026-01-31` or `tag:name`."""
    reserved_microusd: Mapped[int] = mapped_column(BigInteger, default=0)


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
