"""The command `scaling`: how gates and compile time grow."""

from collections.abc import Sequence
from time import perf_counter

from service.cli.options import Json
from service.cli.output.plots import Plot, write_figure
from service.cli.output.printing import print_result, print_rows, say
from service.cli.scaling.curves import Curve, fit, measured
from service.results.costs import CurveResult, Point, ScalingResult


def scaling_command(*, plot: Plot = None, as_json: Json = False) -> None:
    """Count two-qubit gates and seconds from 4 to 32 cards, and from 5 to 30 qubits.

    Deals, card plays and games are counted all-to-all after Qiskit's level 3; public circuits
    as wide as the target on stars and heavy-hex lattices, after one attempt of the
    method `fast`, right on any input.
    Growth is fitted by a power law.

    Example: `stichwerk scaling --plot scaling.png`
    """
    result = scaling()
    if plot is not None:
        from service.cli.scaling.plot import draw_scaling

        write_figure(draw_scaling(result), plot)
    print_result(result, print_scaling, as_json=as_json)


def scaling() -> ScalingResult:
    """Return the growth of all curves, and tell each point as it is measured."""
    started = perf_counter()
    points: dict[Curve, list[Point]] = {}
    for curve, point in measured():
        points.setdefault(curve, []).append(point)
        say(
            f"{curve.name}, {point.size} {curve.axis}: {point.two_qubit_gates:,} two-qubit gates "
            f"({point.seconds:.2f} s)"
        )
    curves = [_fitted(curve, of) for curve, of in points.items()]
    return ScalingResult(curves=curves, seconds=perf_counter() - started)


def _fitted(curve: Curve, points: Sequence[Point]) -> CurveResult:
    sizes = [point.size for point in points]
    return CurveResult.from_objects(
        curve,
        points=points,
        gates_fit=fit(sizes, [point.two_qubit_gates for point in points]),
        seconds_fit=fit(sizes, [point.seconds for point in points]),
    )


def print_scaling(result: ScalingResult) -> None:
    """Print all points, the fitted laws and the provenance."""
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
    print(f"{result.seconds:.0f} s; {result.provenance}")
