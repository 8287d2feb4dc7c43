"""Result of the command `crossover`: quantum machines against classical playouts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, ClassVar

from attrs import frozen

from compiler.fault_tolerant import Estimation, LogicalResources
from service.results.model import MeasuredResult, ResultModel, Value


@frozen
class Machine:
    """One way to run a computation.

    Args:
        physical_qubits: all of them, factories included.
        hours: of the computation.
        code_distance: of the logical qubits.
        factories: of magic states, side by side.
    """

    physical_qubits: int
    hours: float
    code_distance: int
    factories: int


@frozen
class Frontier:
    """The ways to run a computation of which none is better in both qubits and hours.

    Args:
        machines: the fastest first.
        infeasible: why there is none; empty if there is one.
    """

    machines: Sequence[Machine]
    infeasible: str = ""

    @classmethod
    def of(cls, machines: Iterable[Machine]) -> "Frontier":
        """Return the frontier of some machines, at least one."""
        best: list[Machine] = []
        for machine in sorted(machines, key=lambda m: (m.hours, m.physical_qubits)):
            if not best or machine.physical_qubits < best[-1].physical_qubits:
                best.append(machine)
        return cls(tuple(best))


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


Crossings = Mapping[str, Annotated[Crossing, Value()] | None]


class CrossoverResult(MeasuredResult, commands="crossover"):
    """Errors from which quantum machines estimate P(win) of a game sooner than playouts.

    Args:
        program: the game.
        encoding: of the game.
        objective: the one of `syntheses` that is estimated.
        program_error: operator norm by which the rotations in `syntheses` are off together.
        syntheses: resources of the program, by the resource that is minimised.
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
        exact: P(win) of a game that can be enumerated; None of others.
        assumptions: as sentences.
    """

    schema_version: ClassVar[int] = 3
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
    exact: float | None
    assumptions: Sequence[str]
