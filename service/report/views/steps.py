"""How circuits came about: pass by pass, where the seconds went, and all that was tried."""

from collections.abc import Sequence

from service.report.markup import Html, badge, element, figure_of, plain, table
from service.report.plot import Plot, Trace, about, categories, label, rounded
from service.report.reading.compiled import Compiled, Tried
from service.report.reading.records import Records
from service.report.reading.scope import MOST_TRIED
from service.report.section import Section, nothing
from service.report.views.naming import compiled_name
from workers.records import Compilation

MOST_BARS = 24
ROW, FRAME = 26, 110
COUNTED = (
    ("two_qubit_gates", "two-qubit gates", "--hue-0", "circle"),
    ("two_qubit_depth", "two-qubit depth", "--hue-1", "diamond"),
)


def compiler(records: Records) -> Section:
    """Return the steps of the chosen pipelines, seconds by stage, and all candidates."""
    parts: list[Html | Plot | tuple[Plot, ...]] = []
    newest = {group[0].id: group[0] for group in records.by_kind}
    stepped = [
        (newest[one.compilation_id], one) for one in records.tried if one.chosen and one.steps
    ]
    if stepped:
        parts.append((_counts_by_step(stepped), _seconds_by_step(stepped)))
    if records.by_kind:
        parts += [_seconds_by_stage(records), _steps_table(stepped), _candidates(records, newest)]
    if records.without_choice:
        parts.append(_without_choice(records.without_choice))
    return Section(
        "compiler",
        "Compiler",
        "What each pass of the chosen pipeline left, in the newest compilation of each kind, and "
        "how long it took. Every candidate counts, also those that failed or were refuted.",
        parts or [nothing("Nothing has been compiled yet.")],
    )


def _step_names(one: Tried) -> list[str]:
    return [label(f"{place:02} {step['name']}") for place, step in enumerate(one.steps)]


def _counts_by_step(stepped: list[tuple[Compiled, Tried]]) -> Plot:
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
            "meta": about(compilation.kind.program, choice),
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


def _seconds_by_step(stepped: list[tuple[Compiled, Tried]]) -> Plot:
    traces: list[Trace] = [
        {
            "type": "bar",
            "name": "seconds",
            "x": _step_names(one),
            "y": [rounded(step.get("seconds"), 3) for step in one.steps],
            "hovertemplate": "%{y:.2f} s in %{x}",
            "showlegend": False,
            "marker": {"color": "--hue-4"},
            "meta": about(compilation.kind.program, choice),
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


def _seconds_by_stage(records: Records) -> Plot:
    shown = [group[0] for group in records.by_kind[:MOST_BARS]]
    names = [label(compiled_name(one)) for one in shown]
    traces: list[Trace] = []
    for stage, attribute, colour in (
        ("lower", "lower_seconds", "--hue-0"),
        ("verify", "verify_seconds", "--hue-2"),
    ):
        for program in dict.fromkeys(one.kind.program for one in shown):
            of_program = [
                (one, name)
                for one, name in zip(shown, names, strict=True)
                if one.kind.program == program
            ]
            traces.append(
                {
                    "type": "bar",
                    "orientation": "h",
                    "name": stage,
                    "legendgroup": stage,
                    "showlegend": program == shown[0].kind.program,
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
        "Seconds that lowering and verifying all candidates took, added up over processes, in "
        "the newest compilation of each kind; the table of candidates holds the parts.",
        traces,
        {
            "barmode": "stack",
            "xaxis": {"title": {"text": "seconds of all candidates"}, "rangemode": "tozero"},
            "yaxis": categories(names, autorange="reversed"),
        },
        FRAME + ROW * max(3, len(names)),
    )


def _steps_table(stepped: list[tuple[Compiled, Tried]]) -> Html:
    rows, marks = [], []
    for compilation, one in stepped:
        for place, step in enumerate(one.steps):
            rows.append(
                (
                    compiled_name(compilation), one.pipeline, f"{place:02} {step['name']}",
                    step.get("two_qubit_gates"), step.get("two_qubit_depth"),
                    figure_of(step.get("seconds"), 2), bool(step.get("from_zero")),
                )
            )  # fmt: skip
            marks.append({"data_program": plain(compilation.kind.program)})
    made = table(
        "Steps of the chosen pipelines; from zero: holds from |0…0⟩ only",
        ("compilation", "pipeline", "step", "two-qubit gates", "two-qubit depth", "seconds",
         "from zero"),
        rows,
        marks=marks,
    )  # fmt: skip
    return element("details", element("summary", f"All {len(rows):,} steps"), made)


def _candidates(records: Records, newest: dict[int, Compiled]) -> Html:
    rows, marks = [], []
    for one in records.tried:
        compilation, figures = newest[one.compilation_id], one.figures
        duration = figures["duration_ns"]
        rows.append(
            (
                compiled_name(compilation), one.synthesis,
                Html(element("strong", one.pipeline, " ★")) if one.chosen else one.pipeline,
                one.seed, figures["two_qubit_gates"], figures["two_qubit_depth"],
                figures["depth"], figures["qubits"],
                figure_of(None if duration is None else duration / 1000, 1),
                figure_of(figures["expected_fidelity"]), badge(one.verified),
                figure_of(one.lower_seconds, 1), figure_of(one.verify_seconds, 1),
                one.detail or None,
            )
        )  # fmt: skip
        marks.append({"data_program": plain(compilation.kind.program)})
    cut = f", the first {MOST_TRIED:,}" if len(rows) >= MOST_TRIED else ""
    return table(
        f"All candidates of the newest compilation of each kind{cut}; ★ was chosen",
        ("compilation", "synthesis", "pipeline", "seed", "two-qubit gates", "two-qubit depth",
         "depth", "qubits", "duration (µs)", "expected fidelity", "verified", "lower (s)",
         "verify (s)", "detail"),
        rows,
        marks=marks,
    )  # fmt: skip


def _without_choice(compilations: Sequence[Compilation]) -> Html:
    return table(
        "Compilations that chose nothing: everything failed or was refuted, or is under way",
        ("program", "target", "method", "encoding", "made (UTC)", "what became of candidates"),
        [
            (c.program, c.target, c.method, c.encoding, f"{c.created_at:%Y-%m-%d %H:%M}", _fates(c))
            for c in compilations
        ],
        marks=[{"data_program": plain(c.program)} for c in compilations],
    )


def _fates(compilation: Compilation) -> str:
    fates = {c.verified + (f": {c.detail}" if c.detail else "") for c in compilation.candidates}
    return "; ".join(sorted(fates)) or "none were made"
