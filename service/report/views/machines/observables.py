"""Observables as they were measured, against what a perfect machine would measure."""

from collections.abc import Sequence
from typing import Any

from compiler.judge import observable_title
from service.report.plot import COLOURS, INK, Plot, Trace, about, categories, label, rounded
from service.report.records import Records
from service.report.section import Section, nothing
from service.report.views.naming import run_names
from workers.records.queries.runs import Run

TITLE = "Observables against exact"
ROW, FRAME = 34, 110
SHOWN = (("raw", "raw", "circle"), ("post_selected", "post-selected", "diamond"))


def observables(records: Records) -> Section:
    """Return the newest run of each kind with its interval and the exact value."""
    runs = [group[0] for group in records.runs_by_kind if group[0].scores]
    named = list(zip(runs, run_names(runs), strict=True))
    titles = dict.fromkeys(
        (name, observed.kind)
        for run in runs
        for score in run.scores.values()
        for name, observed in score.observables.items()
    )
    if not titles:
        return Section("observables", TITLE, parts=[nothing("No run is scored yet.")])
    return Section(
        "observables",
        TITLE,
        "Marks with bars: the share of all shots in which something happens, or the mean over the "
        "legal shots, with its 95 % interval. Strokes: the exact value by the rules, where the "
        "game is small enough to know it. Post-selected: among legal outcomes alone.",
        [_plot(named, *title) for title in titles],
    )


def _plot(named: Sequence[tuple[Run, str]], observable: str, kind: str) -> Plot:
    having = [
        (run, label(f"{run.configuration.program} · {name}"))
        for run, name in named
        if any(observable in score.observables for score in run.scores.values())
    ]
    traces: list[Trace] = []
    for program in dict.fromkeys(run.configuration.program for run, _ in having):
        of_program = [(run, name) for run, name in having if run.configuration.program == program]
        made = [
            *(_scored(of_program, observable, *shown) for shown in SHOWN),
            _exact(of_program, observable),
        ]
        first = not traces
        traces += [trace | {"meta": about(program), "showlegend": first} for trace in made]
    title = observable_title(observable, kind)
    return Plot(
        f"observable-{observable}",
        f"{title}: the newest run of each kind",
        f"{title} as measured, with 95 % interval, raw and post-selected, against the exact "
        "value. The values stand with every job's scores.",
        traces,
        {
            "xaxis": {"title": {"text": title}, "rangemode": "tozero"},
            "yaxis": categories([name for _, name in having], autorange="reversed"),
        },
        FRAME + ROW * max(3, len(having)),
    )


def _scored(
    named: Sequence[tuple[Run, str]], observable: str, kind: str, words: str, symbol: str
) -> dict[str, Any]:
    scored = [
        (run, run.scores[kind].shots, one, name)
        for run, name in named
        if kind in run.scores and (one := run.scores[kind].observables.get(observable))
    ]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": words,
        "legendgroup": words,
        "x": [rounded(one.measured) for _, _, one, _ in scored],
        "y": [name for *_, name in scored],
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [_reach(one.measured, one.high) for _, _, one, _ in scored],
            "arrayminus": [_reach(one.low, one.measured) for _, _, one, _ in scored],
            "color": COLOURS[kind],
            "thickness": 1.5,
            "width": 4,
        },
        "customdata": [
            [rounded(one.low, 3), rounded(one.high, 3), run.job, shots]
            for run, shots, one, _ in scored
        ],
        "hovertemplate": "%{x:.3f}, 95 % interval %{customdata[0]} to %{customdata[1]}, "
        "job %{customdata[2]}, %{customdata[3]} shots",
        "marker": {"color": COLOURS[kind], "symbol": symbol, "size": 8},
    }


def _reach(low: float | None, high: float | None) -> float | None:
    return None if low is None or high is None else rounded(high - low)


def _exact(named: Sequence[tuple[Run, str]], observable: str) -> dict[str, Any]:
    known = [
        (one.exact, name)
        for run, name in named
        if (score := run.scores.get("raw"))
        and (one := score.observables.get(observable))
        and one.exact is not None
    ]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "exact",
        "legendgroup": "exact",
        "x": [rounded(value) for value, _ in known],
        "y": [name for _, name in known],
        "hovertemplate": "exact %{x:.4f}",
        "marker": {"color": INK, "symbol": "line-ns-open", "size": 18, "line": {"width": 2}},
    }
