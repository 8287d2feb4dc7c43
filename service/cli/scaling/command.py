"""The command `scaling`: how gates and compile time grow."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit

from compiler.lowering import Setting, pipelines
from compiler.lowering.methods import lower_operators
from compiler.lowering.pipeline import fast_pipelines, passes_from_zero
from compiler.measurement import final_measurements
from compiler.public_circuits import circuit_from_spec
from compiler.synthesis.method import chosen_method, params_of, predictions
from compiler.synthesis.resources import resources
from compiler.targets import target_from_spec
from games import Game, encoded
from games.series import Series, series
from service.cli.options import Details, Json
from service.cli.output.plots import Plot, write_figure
from service.cli.output.printing import print_result, print_rows, progress
from service.results.costs import CurveResult, Fit, Point, ScalingResult


@frozen
class Curve:
    """A family of programs.

    Args:
        name: of the family.
        axis: unit of its size: `cards` or `qubits`.
        sizes: in ascending order.
        point: builds the program of a size and counts its gates.
    """

    name: str
    axis: str
    sizes: Sequence[int]
    point: Callable[[int], Point]


def fit(sizes: Sequence[float], figures: Sequence[float]) -> Fit | None:
    """Fit a power law to positive figures; None for fewer than two sizes, or a figure of 0.

    Args:
        sizes: positive numbers, at least two different ones.
        figures: as many positive numbers.
    """
    if len(sizes) < 2 or min(figures) <= 0:
        return None
    x, y = np.log(sizes), np.log(figures)
    slope, offset = np.polyfit(x, y, 1)
    scatter = float(((y - y.mean()) ** 2).sum())
    missed = float(((y - slope * x - offset) ** 2).sum())
    return Fit(float(slope), float(np.exp(offset)), 1 - missed / scatter if scatter else 1.0)


def _counted(size: int, of: Series) -> Point:
    grown = of.grown(size)
    started = perf_counter()
    if isinstance(grown, Game):
        gates, _ = final_measurements(encoded(grown, of.encoding).circuit)
        counted = resources(lower_operators(gates, "cheapest")).two_qubit_gates
        return Point(size, counted, perf_counter() - started)
    circuit = QuantumCircuit(grown.num_qubits)
    circuit.compose(chosen_method(grown).build(*params_of(grown)), inplace=True)
    counted = resources(circuit).two_qubit_gates
    seconds = perf_counter() - started
    prices, literal = predictions(grown), of.literal and of.literal(size)
    return Point(size, counted, seconds, min(prices.values()), prices.get("literal", literal))


def _routed(qubits: int, family: str, circuit: str) -> Point:
    """Return the result of one attempt on a circuit as wide as the target."""
    program = circuit_from_spec(f"{circuit}:{qubits}", 0)
    target = target_from_spec(f"{family}:{qubits}")
    routed, *_ = fast_pipelines(
        pipeline for pipeline in pipelines.values() if pipeline.suits(target)
    )
    started = perf_counter()
    lowered = routed.lower(program, Setting(target, without=passes_from_zero()))
    gates = sum(len(item.qubits) == 2 for item in lowered.circuit.data)
    return Point(qubits, gates, perf_counter() - started)


WIDTHS = (5, 8, 12, 18, 24, 30)

CURVES = (
    *(Curve(name, of.axis, of.sizes, partial(_counted, of=of)) for name, of in series.items()),
    *(
        Curve(f"{circuit} on {family}", "qubits", WIDTHS, partial(_routed, family=family,
                                                                 circuit=circuit))
        for circuit in ("random-cx", "qft")
        for family in ("all", "star", "heavy-hex")
    ),
)  # fmt: skip


def measured(curves: Sequence[Curve] = CURVES) -> Iterator[tuple[Curve, Point]]:
    """Yield every point of every curve, as it is measured.

    The smallest one is made twice: the first call of a library takes as long as loading it.
    """
    for curve in curves:
        curve.point(curve.sizes[0])
        for size in curve.sizes:
            yield curve, curve.point(size)


def scaling_command(*, plot: Plot = None, details: Details = False, as_json: Json = False) -> None:
    """Count two-qubit gates and seconds against cards and qubits.

    Gates of deals, card plays and games are counted after Qiskit's level 3, all-to-all. Public
    circuits as wide as the target are compiled for stars and heavy-hex lattices by the method
    `fast`, correct for any input. Growth is fitted by a power law.

    Example: `stichwerk scaling --plot scaling.png`
    """
    started = perf_counter()
    points: dict[Curve, list[Point]] = {}
    for curve, point in measured():
        points.setdefault(curve, []).append(point)
        progress(
            f"{curve.name}, {point.size} {curve.axis}: {point.two_qubit_gates:,} two-qubit gates "
            f"({point.seconds:.2f} s)"
        )
    curves = [_fitted(curve, of) for curve, of in points.items()]
    result = ScalingResult(curves=curves, seconds=perf_counter() - started)
    if plot is not None:
        from service.cli.scaling.plot import draw_scaling

        write_figure(draw_scaling(result), plot)
    print_result(result, print_scaling, as_json=as_json, details=details)


def _fitted(curve: Curve, points: Sequence[Point]) -> CurveResult:
    sizes = [point.size for point in points]
    return CurveResult.from_objects(
        curve,
        points=points,
        gates_fit=fit(sizes, [point.two_qubit_gates for point in points]),
        seconds_fit=fit(sizes, [point.seconds for point in points]),
    )


def print_scaling(result: ScalingResult) -> None:
    """Print all points and the fitted laws."""
    points = sum(len(curve.points) for curve in result.curves)
    print(f"{points} programs of {len(result.curves)} families counted in {result.seconds:.0f} s.")
    print_rows(
        "Two-qubit gates by size (literal: by the formula of the papers' construction)",
        [(curve, point) for curve in result.curves for point in curve.points],
        "curve=0.name", "of=0.axis", "1.size", "1.two_qubit_gates", "1.predicted", "1.literal",
        "1.seconds",
    )  # fmt: skip
    print_rows(
        "Growth: size to the power of",
        result.curves,
        "curve=name", "of=axis", "gates=gates_fit.exponent", "R²=gates_fit.r_squared",
        "seconds=seconds_fit.exponent", "R²=seconds_fit.r_squared",
    )  # fmt: skip
