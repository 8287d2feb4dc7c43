"""Results of commands for operators: tokens, pruning, restored records."""

from typing import Self

from pydantic import Field

from service.results.model import ResultModel, Time, Usd
from workers.records.tables import Token, usd


class TokenRow(ResultModel):
    """Token of the HTTP API, without its secret."""

    token: str = Field(description="Its name")
    scopes: list[str]
    created_at: Time
    expires_at: Time | None
    revoked_at: Time | None
    day_budget_usd: Usd | None = Field(description="Limit of what its jobs of one day cost")
    calls_a_minute: int | None = Field(description="null for the service's own limit")

    @classmethod
    def of(cls, token: Token) -> Self:
        """Return the row of a recorded token."""
        return cls.from_objects(
            token, token=token.name, day_budget_usd=usd(token.day_budget_microusd)
        )


class TokenList(ResultModel):
    """Tokens, by name."""

    tokens: list[TokenRow]


class PrunedRecords(ResultModel):
    """Records that were removed, or would be."""

    dry_run: bool = Field(description="Whether nothing was removed")
    jobs: int
    compilations: int
    orders: int
    lost: int = Field(description="Candidates that were not chosen and lost their circuits")
    circuits: int
    freed_bytes: int


class RestoredRecords(ResultModel):
    """Jobs that workers look for at their providers before they submit them."""

    open: int = Field(description="Jobs that have not ended")
    ended: int = Field(description="Failed or cancelled jobs, if they are retried")
