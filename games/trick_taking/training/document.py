"""Document of a training, as JSON has it and records keep it."""

from collections.abc import Sequence

from pydantic import BaseModel, Field


class InformationSet(BaseModel):
    """Weights of the cards that a seat may play."""

    hand: Sequence[str]
    seen: Sequence[str] = Field(description="Cards played so far")
    probability: float
    cards: dict[str, float] = Field(description="Weights by card")
    p_win: dict[str, float | None] = Field(description="By card; null if it is never seen")


class TrainingStep(BaseModel):
    """State of a training after a number of steps."""

    step: int
    p_win: float = Field(description="Exact")
    gains: Sequence[float] = Field(description="That each seat alone could still gain")


class MeasuredStep(TrainingStep):
    """A training step with its measured P(win) and the 95 % interval."""

    measured: float
    low: float
    high: float


class BackendResult(BaseModel):
    """Result of training by the measurements of one backend."""

    backend: str = Field(description="exact for no backend")
    angles: int
    circuits: int
    jobs: Sequence[int] | None = Field(description="The first and the last")
    two_qubit_gates: int | None = Field(description="Of the last circuit")
    legal_fraction: float
    p_win: float
    training: Sequence[MeasuredStep]


class TrainingDocument(BaseModel):
    """Result of a training; probabilities are the party's."""

    game: str
    objective: str
    seat: int
    party: Sequence[int]
    steps: int
    seed: int
    deals: int
    information_sets: int
    weights_trained: int
    p_win: float
    p_win_equal_weights: str
    p_win_start: float | None
    p_win_best_response: str
    gains: Sequence[float] = Field(description="That each seat alone could still gain")
    weights: Sequence[InformationSet]
    training: Sequence[TrainingStep]
    shots: int | None = Field(description="Of each circuit; null if all is computed")
    backends: Sequence[BackendResult] = Field(description="Without a backend, then on each")
    measured: float | None = Field(description="P(win) among the last legal shots")
    low: float | None = Field(description="Of its 95 % interval")
    high: float | None = Field(description="Of its 95 % interval")
    trained: str | None = Field(description="Game file with the weights")
