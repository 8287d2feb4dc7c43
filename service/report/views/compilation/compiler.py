"""Compilations pass by pass, with seconds, and all candidates."""

from collections.abc import Sequence

from markupsafe import Markup

from service.pages.plots import Plot, Point, traces
from service.pages.tables import Section, badge, count_of, figure_of, nothing, table
from service.report.records import MAX_TRIED, Records
from service.report.views.naming import compiled_name
from workers.records.queries.compilations import Compiled
from workers.records.tables import Candidate

Stepped = tuple[Compiled, Candidate]
"""A compilation and its chosen candidate."""

COUNTED = {
    "two-qubit gates": ("two_qubit_gates", "--hue-0", "circle"),
    "two-qubit depth": ("two_qubit_depth", "--hue-1", "diamond"),
}


def counts_by_step(stepped: Sequence[Stepped]) -> Plot:
    """Draw two-qubit gates and depth after each step of the chosen pipelines."""
    points = [
        Point(label, f"{place:02} {step['name']}", step.get(figure),
              program=compilation.configuration.program, choice=choice)
        for choice, (compilation, tried) in enumerate(stepped)
        for label, (figure, *_) in COUNTED.items()
        if any(step.get(figure) is not None for step in tried.steps)
        for place, step in enumerate(tried.steps)
    ]  # fmt: skip
    return Plot(
        "steps-counts",
        "Gates and depth after each pass",
        "Two-qubit gates and two-qubit depth after each pass of the chosen pipeline; the table "
        "of passes has the values.",
        traces(
            points,
            "%{y} after %{x}",
            lambda label: {
                "line": {"shape": "hv", "color": COUNTED[label][1], "width": 2},
                "marker": {"size": 7, "symbol": COUNTED[label][2]},
            },
            mode="lines+markers",
        ),
        {
            "xaxis": {"type": "category", "tickangle": 40},
            "yaxis": {"rangemode": "tozero"},
            "hovermode": "x unified",
        },
        380,
        [compiled_name(compilation) for compilation, _ in stepped],
        "compilation",
    )


def compiler(records: Records) -> Section:
    """Return the steps of the chosen pipelines, and all candidates."""
    parts: list[Markup | Plot | tuple[Plot, ...]] = []
    newest = {group[0].id: group[0] for group in records.by_kind}
    stepped = [
        (newest[row.compilation_id], row) for row in records.tried if row.chosen and row.steps
    ]
    if stepped:
        parts.append(counts_by_step(stepped))
    if records.by_kind:
        parts += [_steps_table(stepped), _candidates(records, newest)]
    return Section(
        "compiler",
        "Compiler",
        "Gates after each pass of the chosen pipeline, and the time of the pass, in the newest "
        "compilation of each kind. The table of candidates includes failed and refuted ones.",
        parts or [nothing("Nothing has been compiled yet.")],
    )


def _steps_table(stepped: Sequence[Stepped]) -> Markup:
    rows, programs = [], []
    for compilation, row_ in stepped:
        from_zero = False
        for place, step in enumerate(row_.steps):
            from_zero = from_zero or bool(step.get("from_zero"))
            rows.append(
                (
                    compiled_name(compilation), row_.pipeline, f"{place:02} {step['name']}",
                    count_of(step.get("two_qubit_gates"), from_zero=from_zero),
                    count_of(step.get("two_qubit_depth"), from_zero=from_zero),
                    figure_of(step.get("seconds"), 2),
                )
            )  # fmt: skip
            programs.append(compilation.configuration.program)
    steps_ = table(
        "Passes of the chosen pipelines",
        ("compilation", "pipeline", "pass", "two-qubit gates", "two-qubit depth", "seconds"),
        rows,
        programs=programs,
    )  # fmt: skip
    folded = Markup("<details><summary>All {:,} passes</summary>{}</details>")
    return folded.format(len(rows), steps_)


def _candidates(records: Records, newest: dict[int, Compiled]) -> Markup:
    rows, programs = [], []
    for row in records.tried:
        compilation, duration = newest[row.compilation_id], row.duration_ns
        rows.append(
            (
                compiled_name(compilation), row.synthesis,
                f"{row.pipeline} ★" if row.chosen else row.pipeline,
                row.seed, *(count_of(getattr(row, name), from_zero=row.from_zero)
                            for name in ("two_qubit_gates", "two_qubit_depth", "depth")),
                row.qubits,
                figure_of(None if duration is None else duration / 1000, 1),
                figure_of(row.expected_fidelity), badge(row.verified),
                figure_of(row.lower_seconds, 1), figure_of(row.verify_seconds, 1),
                row.detail or None,
            )
        )  # fmt: skip
        programs.append(compilation.configuration.program)
    cut = f", the first {MAX_TRIED:,}" if len(rows) >= MAX_TRIED else ""
    return table(
        f"All candidates of the newest compilation of each kind{cut}; ★ marks the chosen ones",
        ("compilation", "synthesis", "pipeline", "seed", "two-qubit gates", "two-qubit depth",
         "depth", "qubits", "duration (µs)", "expected fidelity", "proof", "lowering (s)",
         "proving (s)", "detail"),
        rows,
        programs=programs,
    )  # fmt: skip
