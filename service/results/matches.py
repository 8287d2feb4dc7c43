"""Results of `tournament` and `replay`."""

from collections.abc import Mapping, Sequence

from pydantic import Field

from service.results.model import ResultModel


class BotStrength(ResultModel):
    """Strength of a bot in Elo points, 0 on average."""

    bot: str
    strength: float
    low: float = Field(description="Lower end of the 95 % interval")
    high: float
    won: int = Field(description="Games")
    mean_points: float


class TournamentResult(ResultModel):
    """Bots by their strength."""

    game: str
    games: int
    seed: int
    bots: Sequence[BotStrength]


class ReplayedJob(ResultModel):
    """Job of a bundle that was checked."""

    job: int
    program: str
    backend: str
    circuit: bool = Field(description="Whether its circuit has the recorded digest")
    scores: Mapping[str, bool] = Field(description="By kind, whether they are as recorded")
    run_again: bool | None = Field(description="Whether another run had the same counts")
    same: bool


class ReplayResult(ResultModel):
    """Jobs of a bundle that were checked."""

    same: bool
    jobs: Sequence[ReplayedJob]
