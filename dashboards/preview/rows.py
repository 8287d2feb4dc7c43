"""Runs a panel's SQL without a chance to change anything."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import psycopg

STATEMENT_SECONDS = 30


def read_rows(url: str, sql: str) -> dict[str, Any]:
    """Run one query in a read-only transaction.

    Args:
        url: of the database, as libpq takes it.
        sql: what a panel asks, its macros and variables filled in.

    Returns:
        `columns`, each with a `name` and Grafana's `type` of field (time, number, boolean or
        string), and `rows`; times are milliseconds since 1970.

    Raises:
        psycopg.Error: the database refused, or is not there.
    """
    options = f"-c statement_timeout={STATEMENT_SECONDS}s"
    with psycopg.connect(url, connect_timeout=5, options=options) as connection:
        connection.read_only = True
        with connection.cursor() as cursor:
            cursor.execute(sql.encode())
            names = [column.name for column in cursor.description or ()]
            rows = [[_plain(cell) for cell in row] for row in cursor.fetchall()]
            kinds = [_kind(column.type_code) for column in cursor.description or ()]
    columns = [{"name": name, "type": kind} for name, kind in zip(names, kinds, strict=True)]
    return {"columns": columns, "rows": rows}


def _kind(oid: int) -> str:
    types = psycopg.adapters.types
    info = types.get(oid)
    name = info.name if info else ""
    if name in {"timestamptz", "timestamp", "date"}:
        return "time"
    if name in {"int2", "int4", "int8", "float4", "float8", "numeric", "interval"}:
        return "number"
    return "boolean" if name == "bool" else "string"


def _plain(cell: object) -> object:
    if isinstance(cell, date):
        return _milliseconds(cell)
    if isinstance(cell, timedelta):
        return cell.total_seconds()
    if isinstance(cell, Decimal):
        return float(cell)
    return cell if cell is None or isinstance(cell, bool | int | float | str) else str(cell)


def _milliseconds(moment: date) -> int:
    """Return milliseconds since 1970; what has no time zone is in UTC, as Grafana reads it."""
    whole = moment if isinstance(moment, datetime) else datetime.combine(moment, time())
    return round((whole if whole.tzinfo else whole.replace(tzinfo=UTC)).timestamp() * 1000)
