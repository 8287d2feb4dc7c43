"""The compiler's plots: gates, depth and seconds by step, and seconds by stage."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.pages.plots import Plot, Point, Trace, categories, traces
from service.report.records import Records
from service.report.views.naming import compiled_name
from workers.records.queries.compilations import Compiled, Tried

Stepped = tuple[Compiled, Tried]
"""A compilation and its chosen candidate."""

MOST_BARS = 24
ROW, FRAME = 26, 110
COUNTED = {
    "two-qubit gates": ("two_qubit_gates", "--hue-0", "circle"),
    "two-qubit depth": ("two_qubit_depth", "--hue-1", "diamond"),
}
STAGES = {"lower": ("lower_seconds", "--hue-0"), "verify": ("verify_seconds", "--hue-2")}


def counts_by_step(stepped: Sequence[Stepped]) -> Plot:
    """Draw two-qubit gates and depth after each step of the chosen pipelines."""
    points = [
        Point(words, step, values.get(figure), program=program, choice=choice)
        for choice, program, steps in _steps(stepped)
        for words, (figure, *_) in COUNTED.items()
        if any(values.get(figure) is not None for _, values in steps)
        for step, values in steps
    ]
    drawn = traces(
        points,
        "%{y} after %{x}",
        lambda words: {
            "line": {"shape": "hv", "color": COUNTED[words][1], "width": 2},
            "marker": {"size": 7, "symbol": COUNTED[words][2]},
        },
        mode="lines+markers",
    )
    return _by_step(
        "steps-counts",
        "Gates and depth by step",
        "Two-qubit gates and two-qubit depth after each pass of the chosen pipeline; the table "
        "of steps holds the values.",
        drawn,
        stepped,
        {"rangemode": "tozero"},
        hovermode="x unified",
    )


def seconds_by_step(stepped: Sequence[Stepped]) -> Plot:
    """Draw the seconds of each step of the chosen pipelines."""
    points = [
        Point("seconds", step, values.get("seconds"), program=program, choice=choice)
        for choice, program, steps in _steps(stepped)
        if any(values.get("seconds") is not None for _, values in steps)
        for step, values in steps
    ]
    return _by_step(
        "steps-seconds",
        "Seconds by step",
        "Seconds that each pass of the chosen pipeline took; the table of steps holds the values.",
        traces(points, "%{y:.2f} s in %{x}", legend=False, type="bar", marker={"color": "--hue-4"}),
        stepped,
        {"rangemode": "tozero", "title": {"text": "seconds"}},
    )


def _steps(
    stepped: Sequence[Stepped],
) -> Iterator[tuple[int, str, list[tuple[str, Mapping[str, Any]]]]]:
    """Yield choice, program, and the steps by name of each chosen pipeline."""
    for choice, (compilation, one) in enumerate(stepped):
        steps = [(f"{place:02} {step['name']}", step) for place, step in enumerate(one.steps)]
        yield choice, compilation.configuration.program, steps


def _by_step(  # noqa: PLR0917
    name: str,
    title: str,
    description: str,
    drawn: Sequence[Trace],
    stepped: Sequence[Stepped],
    axis: Mapping[str, Any],
    **layout: Any,
) -> Plot:
    return Plot(
        name,
        title,
        description,
        drawn,
        {"xaxis": {"type": "category", "tickangle": 40}, "yaxis": axis, **layout},
        380,
        [compiled_name(compilation) for compilation, _ in stepped],
        "compilation",
    )


def seconds_by_stage(records: Records) -> Plot:
    """Draw the seconds that lowering and verifying took, by compilation."""
    shown = [group[0] for group in records.by_kind[:MOST_BARS]]
    points = [
        Point(
            stage,
            float(sum(getattr(tried, attribute) or 0 for tried in records.tried
                      if tried.compilation_id == one.id)),
            compiled_name(one),
            program=one.configuration.program,
        )
        for stage, (attribute, _) in STAGES.items()
        for one in shown
    ]  # fmt: skip
    return Plot(
        "steps-stages",
        "Seconds by stage",
        "Seconds that lowering all candidates and verifying took, added up over processes, in "
        "the newest compilation of each kind; the table of candidates holds the parts.",
        traces(
            points,
            "%{x:.1f} s to %{fullData.name} all candidates",
            lambda stage: {"marker": {"color": STAGES[stage][1]}},
            digits=2,
            type="bar",
            orientation="h",
        ),
        {
            "barmode": "stack",
            "xaxis": {"title": {"text": "seconds of all candidates"}, "rangemode": "tozero"},
            "yaxis": categories(map(compiled_name, shown), autorange="reversed"),
        },
        FRAME + ROW * max(3, len(shown)),
    )
