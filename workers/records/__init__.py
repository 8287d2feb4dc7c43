"""What is kept, one table a class."""

from workers.records.accounts import LedgerEntry, Spending, Token
from workers.records.base import MICRO, Record, now
from workers.records.compilations import Candidate, Compilation
from workers.records.heartbeats import Heartbeat, ProviderHealth
from workers.records.jobs import Event, Job, Order
from workers.records.peers import PeerResult
from workers.records.scores import ObservableRow, ScoreRow

__all__ = [
    "MICRO",
    "Candidate",
    "Compilation",
    "Event",
    "Heartbeat",
    "Job",
    "LedgerEntry",
    "ObservableRow",
    "Order",
    "PeerResult",
    "ProviderHealth",
    "Record",
    "ScoreRow",
    "Spending",
    "Token",
    "now",
]
