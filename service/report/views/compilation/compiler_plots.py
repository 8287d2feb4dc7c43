"""The compiler's plots: gates, depth and seconds by step, and seconds by stage."""

from collections.abc import Sequence

from service.report.plot import Plot, Trace, about, categories, label, rounded
from service.report.records import Records
from service.report.views.naming import compiled_name
from workers.records.queries.compilations import Compiled, Tried

Stepped = tuple[Compiled, Tried]
"""A compilation and its chosen candidate."""

MOST_BARS = 24
ROW, FRAME = 26, 110
COUNTED = (
    ("two_qubit_gates", "two-qubit gates", "--hue-0", "circle"),
    ("two_qubit_depth", "two-qubit depth", "--hue-1", "diamond"),
)


def counts_by_step(stepped: Sequence[Stepped]) -> Plot:
    """Draw two-qubit gates and depth after each step of the chosen pipelines."""
    traces: list[Trace] = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": words,
            "x": _step_names(one),
            "y": [step.get(figure) for step in one.steps],
            "hovertemplate": "%{y} after %{x}",
            "line": {"shape": "hv", "color": colour, "width": 2},
            "marker": {"size": 7, "symbol": symbol},
            "meta": about(compilation.configuration.program, choice),
        }
        for choice, (compilation, one) in enumerate(stepped)
        for figure, words, colour, symbol in COUNTED
        if any(step.get(figure) is not None for step in one.steps)
    ]
    return Plot(
        "steps-counts",
        "Gates and depth by step",
        "Two-qubit gates and two-qubit depth after each pass of the chosen pipeline; the table "
        "of steps holds the values.",
        traces,
        {
            "xaxis": {"type": "category", "tickangle": 40},
            "yaxis": {"rangemode": "tozero"},
            "hovermode": "x unified",
        },
        380,
        [compiled_name(compilation) for compilation, _ in stepped],
        "compilation",
    )


def seconds_by_step(stepped: Sequence[Stepped]) -> Plot:
    """Draw the seconds of each step of the chosen pipelines."""
    traces: list[Trace] = [
        {
            "type": "bar",
            "name": "seconds",
            "x": _step_names(one),
            "y": [rounded(step.get("seconds"), 3) for step in one.steps],
            "hovertemplate": "%{y:.2f} s in %{x}",
            "showlegend": False,
            "marker": {"color": "--hue-4"},
            "meta": about(compilation.configuration.program, choice),
        }
        for choice, (compilation, one) in enumerate(stepped)
        if any(step.get("seconds") is not None for step in one.steps)
    ]
    return Plot(
        "steps-seconds",
        "Seconds by step",
        "Seconds that each pass of the chosen pipeline took; the table of steps holds the values.",
        traces,
        {
            "xaxis": {"type": "category", "tickangle": 40},
            "yaxis": {"rangemode": "tozero", "title": {"text": "seconds"}},
        },
        380,
        [compiled_name(compilation) for compilation, _ in stepped],
        "compilation",
    )


def seconds_by_stage(records: Records) -> Plot:
    """Draw the seconds that lowering and verifying took, by compilation."""
    shown = [group[0] for group in records.by_kind[:MOST_BARS]]
    names = [label(compiled_name(one)) for one in shown]
    traces: list[Trace] = []
    for stage, attribute, colour in (
        ("lower", "lower_seconds", "--hue-0"),
        ("verify", "verify_seconds", "--hue-2"),
    ):
        for program in dict.fromkeys(one.configuration.program for one in shown):
            of_program = [
                (one, name)
                for one, name in zip(shown, names, strict=True)
                if one.configuration.program == program
            ]
            traces.append(
                {
                    "type": "bar",
                    "orientation": "h",
                    "name": stage,
                    "legendgroup": stage,
                    "showlegend": program == shown[0].configuration.program,
                    "x": [
                        rounded(
                            sum(
                                getattr(tried, attribute) or 0
                                for tried in records.tried
                                if tried.compilation_id == one.id
                            ),
                            2,
                        )
                        for one, _ in of_program
                    ],
                    "y": [name for _, name in of_program],
                    "hovertemplate": "%{x:.1f} s " + f"to {stage} all candidates",
                    "marker": {"color": colour},
                    "meta": about(program),
                }
            )
    return Plot(
        "steps-stages",
        "Seconds by stage",
        "Seconds that lowering all candidates and verifying took, added up over processes, in "
        "the newest compilation of each kind; the table of candidates holds the parts.",
        traces,
        {
            "barmode": "stack",
            "xaxis": {"title": {"text": "seconds of all candidates"}, "rangemode": "tozero"},
            "yaxis": categories(names, autorange="reversed"),
        },
        FRAME + ROW * max(3, len(names)),
    )


def _step_names(one: Tried) -> list[str]:
    return [label(f"{place:02} {step['name']}") for place, step in enumerate(one.steps)]
