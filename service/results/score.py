"""Result of the command `score` with --merge: scores of machines, and their changes."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from service.results.model import ResultModel
from workers.score.document import ScoreFile


class MachineChange(ResultModel):
    """Newest complete score of a machine against the one before."""

    machine: str
    suite: str
    run: str
    before: str = Field(description="Run before")
    verdict: Literal["better", "worse", "unclear"]
    difference: float
    low: float = Field(description="Lower end of the 95 % interval of all machines together")
    high: float
    circuits: int = Field(description="Parts that both runs have played")
    other_circuits: int = Field(description="Parts with another circuit than before")
    played_once: int = Field(description="Parts that only one of the runs has played")
    told: str


class MergedScores(ResultModel):
    """Scores of files, of which a page was written."""

    schema_version: ClassVar[int] = 2
    output: str
    duplicates: Sequence[str]
    scores: Sequence[ScoreFile]
    changes: Sequence[MachineChange]
