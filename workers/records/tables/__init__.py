"""What is kept, one table a class."""

from workers.records.tables.accounts import LedgerEntry, Spending, Token
from workers.records.tables.base import MICRO, Record, now, usd
from workers.records.tables.compilations import (
    Candidate,
    CircuitRow,
    Compilation,
    DeviceRow,
    PeerResult,
)
from workers.records.tables.heartbeats import DatabaseOrigin, Heartbeat, ProviderHealth
from workers.records.tables.jobs import Event, Job, Order
from workers.records.tables.matches import MatchRow
from workers.records.tables.scores import ObservableRow, ScoreRow

__all__ = [
    "MICRO",
    "Candidate",
    "CircuitRow",
    "Compilation",
    "DatabaseOrigin",
    "DeviceRow",
    "Event",
    "Heartbeat",
    "Job",
    "LedgerEntry",
    "MatchRow",
    "ObservableRow",
    "Order",
    "PeerResult",
    "ProviderHealth",
    "Record",
    "ScoreRow",
    "Spending",
    "Token",
    "now",
    "usd",
]
