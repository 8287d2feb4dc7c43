"""Results of amplitude estimation."""

from collections.abc import Sequence

from service.results.model import MeasuredResult, ResultModel


class EstimateRound(ResultModel):
    """Circuit that was run."""

    iterates: int
    shots: int
    hits: int | None = None
    """Shots with the event; null for quantum counting"""


class EstimatedValue(ResultModel):
    """Estimate with its interval, and its cost."""

    title: str
    encoding: str
    method: str
    estimate: float
    low: float
    high: float
    exact: float | None
    reached: bool
    """True if the interval has the requested width"""
    circuits: int
    shots: int
    calls: int
    """Calls of the program or its inverse"""
    deepest: int
    """Iterations in the deepest circuit"""
    rounds: Sequence[EstimateRound]
    least: float | None = None
    """Minimum of a number; null for an event"""
    width: float | None = None
    """Maximum minus minimum of a number"""


class JobEstimate(EstimatedValue):
    """Result of an estimate that workers have run."""

    sampling_calls: int | None
    """Shots of the program alone for the same width on an ideal device"""
    variant: str


class PlannedEstimate(ResultModel):
    """Cost in a simulation without noise."""

    circuits: int
    shots: int
    calls: int
    deepest: int
    rounds: int
    steps: int
    """Number of provider jobs; the rounds of one step are chosen together"""


class EstimateLimits(ResultModel):
    """Cost that an estimate never exceeds."""

    shots: int
    calls: int
    deepest: int


class EstimateResult(MeasuredResult, EstimatedValue, commands="estimate"):
    """Estimate, its cost, and the cost of sampling."""

    program: str
    observable: str
    estimator: str
    backend: str
    target: str
    error: float
    confidence: float
    seed: int
    exact: float
    planned: PlannedEstimate
    never_beyond: EstimateLimits
    classical_calls: int
    """Calls that sampling needs for the same error"""
    program_two_qubit_gates: int
    iterate_two_qubit_gates: int
    """Two-qubit gates that an iterate adds"""
    from_zero: bool
    iterate_in_programs: float | None
    verified: Sequence[str]
    seconds: float
