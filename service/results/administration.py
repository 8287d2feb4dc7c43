"""Results of commands for operators: tokens, pruning, restored records."""

from typing import TYPE_CHECKING, Self

from service.results.model import ResultModel, Time, Usd
from workers.records.tables import Token, usd

if TYPE_CHECKING:
    from workers.bundles.metriq import MetriqRecord


class TokenRow(ResultModel):
    """Token of the HTTP API, without its secret."""

    token: str
    """Its name"""
    scopes: list[str]
    created_at: Time
    expires_at: Time | None
    revoked_at: Time | None
    day_budget_usd: Usd | None
    """Limit of the cost of its jobs of one day"""
    calls_a_minute: int | None
    """null for the service's own limit"""

    @classmethod
    def of(cls, token: Token) -> Self:
        """Return the row of a recorded token."""
        return cls.from_objects(
            token, token=token.name, day_budget_usd=usd(token.day_budget_microusd)
        )


class TokenList(ResultModel, commands="token list"):
    """Tokens, by name."""

    tokens: list[TokenRow]


class PrunedRecords(ResultModel, commands="records prune"):
    """Records that were removed, or would be."""

    dry_run: bool
    """True if nothing was removed"""
    jobs: int
    compilations: int
    orders: int
    lost: int
    """Candidates that were not chosen and lost their circuits"""
    circuits: int
    freed_bytes: int


class PublishedRow(ResultModel):
    """Record of others, in the public form of Metriq."""

    timestamp: Time
    provider: str
    device: str
    benchmark: str
    score: float | None
    uncertainty: float | None
    two_qubit_gates: int | None
    """Of its largest compiled circuit"""

    @classmethod
    def of(cls, record: "MetriqRecord") -> Self:
        """Return the row of a record."""
        score, circuits = record.score, record.circuit_metadata
        gates = circuits.transpiled_two_qubit_gate_counts if circuits else None
        return cls(
            timestamp=record.timestamp,
            provider=record.platform.provider,
            device=record.platform.device,
            benchmark=str(record.params.get("benchmark_name", record.job_type)),
            score=None if score is None else score.value,
            uncertainty=None if score is None else score.uncertainty,
            two_qubit_gates=max(gates) if gates else None,
        )


class PublishedRecords(ResultModel, commands="records import"):
    """Records of others, the newest first."""

    imported: int
    """Records that are new"""
    records: list[PublishedRow]


class RestoredRecords(ResultModel, commands="restored"):
    """Jobs that workers look for at their providers before they submit them."""

    open: int
    """Jobs that have not ended"""
    ended: int
    """Failed or cancelled jobs, if they are retried"""
