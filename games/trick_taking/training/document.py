"""Document of a training, as JSON has it and records keep it."""

from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel, Field

from games.trick_taking.training.backend_learning import BackendTraining
from games.trick_taking.training.result import Training, Weighted
from games.trick_taking.training.tree import Tree, value


class InformationSet(BaseModel):
    """Weights of the cards that a seat may play."""

    hand: Sequence[str]
    seen: Sequence[str] = Field(description="Cards played so far")
    probability: float
    cards: dict[str, float] = Field(description="Weights by card")
    p_win: dict[str, float | None] = Field(description="By card; null if it is never seen")

    @classmethod
    def of(cls, tree: Tree, one: Weighted) -> Self:
        """Return the weights of an information set."""
        deck, information = tree.game.deck, one.information
        names = [str(deck[card]) for card in information.cards]
        return cls(
            hand=[str(deck[card]) for card in information.hand],
            seen=[str(deck[card]) for card in information.seen],
            probability=one.reach,
            cards=dict(zip(names, one.weights, strict=True)),
            p_win=dict(zip(names, one.won, strict=True)),
        )


class TrainingStep(BaseModel):
    """State of a training after a number of steps."""

    step: int
    p_win: float = Field(description="Exact")
    gains: Sequence[float] = Field(description="That each seat alone could still gain")


class MeasuredStep(TrainingStep):
    """The same with what was measured, and its 95 % interval."""

    measured: float
    low: float
    high: float


class BackendResult(BaseModel):
    """Training by what one backend has measured."""

    backend: str = Field(description="exact for no backend")
    angles: int
    circuits: int
    jobs: Sequence[int] | None = Field(description="The first and the last")
    two_qubit_gates: int | None = Field(description="Of the last circuit")
    legal_fraction: float
    p_win: float
    training: Sequence[MeasuredStep]

    @classmethod
    def of(cls, one: BackendTraining) -> Self:
        """Return the training on one backend."""
        intervals = [one.interval(look) for look in one.looks]
        return cls(
            backend=one.backend,
            angles=one.angles,
            circuits=one.circuits,
            jobs=one.jobs,
            two_qubit_gates=one.two_qubit_gates,
            legal_fraction=one.legal,
            p_win=one.last.won,
            training=[
                MeasuredStep(
                    step=look.step, p_win=look.won, gains=look.gains, measured=look.measured,
                    low=low, high=high,
                )
                for look, (low, high) in zip(one.looks, intervals, strict=True)
            ],
        )  # fmt: skip


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
    measured: float | None = Field(description="P(win) among the last legal shots of workers")
    low: float | None = Field(description="Of its 95 % interval")
    high: float | None = Field(description="Of its 95 % interval")
    trained: str | None = Field(description="Game file with the weights, if workers trained them")

    @classmethod
    def of(cls, training: Training, *, by_workers: bool = False) -> Self:
        """Return the result of a training.

        Args:
            training: the training.
            by_workers: whether it keeps the last measurement and the game file.
        """
        tree, task, last = training.tree, training.task, training.last
        measured = low = high = None
        if by_workers:
            measured, (low, high) = last.measured, training.backends[-1].interval(last)
        return cls(
            game=tree.game.name,
            objective=task.objective,
            seat=task.seat,
            party=tree.game.party,
            steps=task.steps,
            seed=training.seed,
            deals=tree.deals,
            information_sets=len(tree.information),
            weights_trained=tree.choices,
            p_win=last.won,
            p_win_equal_weights=str(training.equal),
            p_win_start=None if task.start is None else value(tree, task.start),
            p_win_best_response=str(training.best),
            gains=last.gains,
            weights=[InformationSet.of(tree, one) for one in training.weighted],
            training=[
                TrainingStep(step=look.step, p_win=look.won, gains=look.gains)
                for look in training.looks
            ],
            shots=task.shots or None,
            backends=[BackendResult.of(one) for one in training.backends],
            measured=measured,
            low=low,
            high=high,
            trained=training.game_file if by_workers else None,
        )
