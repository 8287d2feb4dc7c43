"""Results of `costs` and `scaling`: gates by method, encoding, target and size."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from attrs import frozen

from games.cost_table import OperatorCost, ProgramCost
from service.results.model import MeasuredResult, ResultModel, Value


class CostsResult(ResultModel, commands="costs"):
    """Costs of operators by method, and of games by encoding."""

    schema_version: ClassVar[int] = 2
    operators: Sequence[Annotated[OperatorCost, Value()]]
    programs: Sequence[Annotated[ProgramCost, Value()]]


@frozen
class Point:
    """One size.

    Args:
        size: cards, or qubits of the target.
        two_qubit_gates: counted.
        seconds: from operators or gates to the counted circuit.
        predicted: by the formula of the method that was used, where there is one.
        literal: by the formula of the papers' construction, where there is one.
    """

    size: int
    two_qubit_gates: int
    seconds: float
    predicted: int | None = None
    literal: int | None = None


@frozen
class Fit:
    """A power law, figure = factor · size^exponent, by least squares on logarithms.

    Args:
        exponent: the slope.
        factor: the figure at size 1.
        r_squared: share of the logarithms' variance that the law explains.
    """

    exponent: float
    factor: float
    r_squared: float


class CurveResult(ResultModel):
    """Family of programs by size."""

    name: str
    axis: str
    """Unit of the size: cards or qubits"""
    points: Sequence[Annotated[Point, Value()]]
    gates_fit: Annotated[Fit, Value()] | None
    seconds_fit: Annotated[Fit, Value()] | None


class ScalingResult(MeasuredResult, commands="scaling"):
    """Growth of gates and seconds with size."""

    curves: Sequence[CurveResult]
    seconds: float
