"""The root of all tables, and how times are kept."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, overload

from sqlalchemy import JSON, DateTime, Dialect, MetaData, TypeDecorator, text
from sqlalchemy.orm import DeclarativeBase

MICRO = 10**6


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC, also in databases that forget time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time with its zone."""
        return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)


class Record(DeclarativeBase):
    """Root of all tables."""

    metadata = MetaData(
        naming_convention={
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ix": "ix_%(table_name)s_%(column_0_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads this class attribute
        dict[str, Any]: JSON,
        list[int]: JSON,
        list[str]: JSON,
        list[list[int]]: JSON,
        list[dict[str, Any]]: JSON,
        datetime: UtcTime,
    }


@overload
def usd(microusd: int) -> Decimal: ...
@overload
def usd(microusd: int | None) -> Decimal | None: ...
def usd(microusd: int | None) -> Decimal | None:
    """Return a recorded amount in US dollars, exactly."""
    return None if microusd is None else Decimal(microusd) / MICRO


def now() -> datetime:
    """Return the time in UTC."""
    return datetime.now(UTC)


def only(condition: str, sqlite: str = "") -> dict[str, Any]:
    """Return the arguments of an index that holds only rows for which a condition is true.

    Args:
        condition: in SQL.
        sqlite: the same for SQLite, if it differs.
    """
    return {"postgresql_where": text(condition), "sqlite_where": text(sqlite or condition)}
