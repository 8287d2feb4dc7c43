"""Tables of the records, one class each."""

from workers.records.tables.accounts import (
    DatabaseOrigin,
    Heartbeat,
    LedgerEntry,
    MatchRow,
    Notice,
    ProviderHealth,
    Spending,
    Token,
)
from workers.records.tables.base import MICRO, Record, now, usd
from workers.records.tables.compilations import (
    Candidate,
    CircuitRow,
    Compilation,
    DeviceRow,
    PeerResult,
    PublishedRecord,
)
from workers.records.tables.jobs import Event, Job, ObservableRow, Order, ScoreRow
