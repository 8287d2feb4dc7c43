"""Result of the command `crossover`: quantum machines against classical playouts."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from attrs import frozen

from compiler.fault_tolerant import Estimation, LogicalResources
from compiler.fault_tolerant.machines import Frontier, Machine
from service.results.model import MeasuredResult, ResultModel
from service.results.values import Value


@frozen
class Crossing:
    """The largest error at which the quantum machine is as fast.

    Args:
        error: at which both take the same time.
        hours: that they take.
        machine: the fastest one of the model.
    """

    error: float
    hours: float
    machine: Machine


@frozen
class SecondOpinion(Frontier):
    """Frontier by the second model, compared with that of the first.

    Args:
        hours_ratio: of the fastest machine to the fastest one of the first model; None if one of
            the two models has no machine.
        qubits_ratio: the same of physical qubits.
        reasons: why the two differ, if they differ by much.
    """

    hours_ratio: float | None = None
    qubits_ratio: float | None = None
    reasons: Sequence[str] = ()


class ClassicalPlayouts(ResultModel):
    """Playouts that have an error, and the time that they take on all cores."""

    playouts: float
    hours: float


class CrossoverEstimate(ResultModel):
    """Costs of one error: classically, on logical qubits, and on machines by qubit model."""

    error: float
    classical: ClassicalPlayouts
    logical: Annotated[Estimation, Value()]
    physical: Mapping[str, Annotated[Frontier, Value()]]
    second_opinion: Mapping[str, Annotated[SecondOpinion, Value()]]


Crossings = Mapping[str, Annotated[Crossing, Value()] | None]


class CrossoverResult(MeasuredResult):
    """When quantum machines estimate P(win) of a game sooner than classical playouts.

    Args:
        program: the game.
        encoding: of the game.
        objective: the one of `syntheses` that is estimated.
        program_error: operator norm by which the rotations in `syntheses` are off together.
        syntheses: resources of the program, by what there is to be little of.
        confidence: of all estimates.
        error_budget: probability that a quantum computation fails.
        probability: P(win) that is assumed.
        playouts_per_second_per_core: of the classical side.
        playouts_measured: whether that was measured on this machine.
        cores: that play side by side.
        models: titles of the qubit models.
        estimates: by error.
        year_of_playouts_error: error of a year of playouts.
        crossings: by qubit model; None if later than a year.
        second_opinion_crossings: the same by the second model of machines.
        exact: P(win) of a game that can be enumerated; None of others.
        assumptions: as sentences.
    """

    schema_version: ClassVar[int] = 2
    program: str
    encoding: str
    objective: str
    program_error: float
    syntheses: Mapping[str, Annotated[LogicalResources, Value("program_t_count")]]
    confidence: float
    error_budget: float
    probability: float
    playouts_per_second_per_core: float
    playouts_measured: bool
    cores: int
    models: Mapping[str, str]
    estimates: Sequence[CrossoverEstimate]
    year_of_playouts_error: float
    crossings: Crossings
    second_opinion_crossings: Crossings
    exact: float | None
    assumptions: Sequence[str]
