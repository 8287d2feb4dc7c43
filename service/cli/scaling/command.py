"""The command `scaling`: how gates and compile time grow."""

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Annotated, Any

import typer
from attrs import asdict

from service.cli.options import Json
from service.cli.output.plots import plot_path, write_figure
from service.cli.output.printing import print_json, print_table, say
from service.cli.scaling.curves import Curve, Fit, Point, fit, measured
from workers.provenance import revision, versions


def scaling_command(
    *,
    plot: Annotated[str, typer.Option(help="Draw the curves to a .png, .svg or .pdf.")] = "",
    as_json: Json = False,
) -> None:
    """Count two-qubit gates and seconds from 4 to 32 cards, and from 5 to 30 qubits.

    Deals, card plays and games are counted all-to-all after Qiskit's level 3; public circuits
    as wide as the target on stars and heavy-hex lattices, after one attempt of the
    method `fast`, right on any input.
    Growth is fitted by a power law.

    Example: `stichwerk scaling --plot scaling.png`
    """
    path = plot_path(plot)
    started = perf_counter()
    points: dict[Curve, list[Point]] = {}
    for curve, point in measured():
        points.setdefault(curve, []).append(point)
        say(
            f"{curve.name}, {point.size} {curve.axis}: {point.two_qubit_gates:,} two-qubit gates "
            f"({point.seconds:.2f} s)"
        )
    if path is not None:
        from service.cli.scaling.plot import draw_scaling

        write_figure(draw_scaling(points), path)
    answer = _answer(points) | {
        "seconds": perf_counter() - started,
        "versions": versions(),
        "revision": revision(),
    }
    if as_json:
        print_json(answer)
    else:
        _print(answer)


def _answer(points: Mapping[Curve, Sequence[Point]]) -> dict[str, Any]:
    return {
        "curves": [
            {
                "name": curve.name,
                "axis": curve.axis,
                "points": [asdict(point) for point in found],
                "gates_fit": _fit([p.two_qubit_gates for p in found], found),
                "seconds_fit": _fit([p.seconds for p in found], found),
            }
            for curve, found in points.items()
        ]
    }


def _fit(figures: Sequence[float], points: Sequence[Point]) -> dict[str, float] | None:
    found: Fit | None = fit([point.size for point in points], figures)
    return None if found is None else asdict(found)


def _print(answer: dict[str, Any]) -> None:
    print_table(
        "Two-qubit gates by size (literal: by the formula of the papers' construction)",
        ("curve", "of", "size", "two-qubit gates", "predicted", "literal", "seconds"),
        [
            (curve["name"], curve["axis"], point["size"], point["two_qubit_gates"],
             point["predicted"], point["literal"] and f"{point['literal']:.4g}",
             point["seconds"])
            for curve in answer["curves"]
            for point in curve["points"]
        ],
    )  # fmt: skip
    print_table(
        "Growth: size to the power of",
        ("curve", "of", "gates", "R²", "seconds", "R²"),
        [
            (curve["name"], curve["axis"], *_cells(curve["gates_fit"]),
             *_cells(curve["seconds_fit"]))
            for curve in answer["curves"]
        ],
    )  # fmt: skip
    named = ", ".join(f"{name} {version}" for name, version in answer["versions"].items())
    print(f"{answer['seconds']:.0f} s; {named}")


def _cells(found: dict[str, float] | None) -> tuple[float | None, float | None]:
    return (found["exponent"], found["r_squared"]) if found else (None, None)
