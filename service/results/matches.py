"""Results of `tournament` and `replay`."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from service.results.model import ResultModel
from workers.score.document import ScoreFile


class BotStrength(ResultModel):
    """Strength of a bot in Elo points, 0 on average."""

    bot: str
    strength: float
    low: float
    """Lower end of the 95 % interval"""
    high: float
    won: int
    """Games"""
    mean_points: float


class TournamentResult(ResultModel, commands="tournament"):
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
    circuit: bool
    """True if its circuit has the recorded digest"""
    scores: Mapping[str, bool]
    """By kind, whether they are as recorded"""
    run_again: bool | None
    """True if another run had the same counts"""
    same: bool


class ReplayResult(ResultModel, commands="replay"):
    """Jobs of a bundle that were checked."""

    same: bool
    jobs: Sequence[ReplayedJob]


class MachineChange(ResultModel):
    """Newest complete score of a machine against the one before."""

    machine: str
    suite: str
    run: str
    before: str
    """Run before"""
    verdict: Literal["better", "worse", "unclear"]
    difference: float
    low: float
    """Lower end of the 95 % interval of all machines together"""
    high: float
    circuits: int
    """Parts that both runs have played"""
    other_circuits: int
    """Parts with another circuit than before"""
    played_once: int
    """Parts that only one of the runs has played"""
    told: str


class MergedScores(ResultModel, commands="score"):
    """Scores of files, of which a page was written."""

    schema_version: ClassVar[int] = 2
    output: str
    duplicates: Sequence[str]
    scores: Sequence[ScoreFile]
    changes: Sequence[MachineChange]
