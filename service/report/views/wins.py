"""How often the party wins, against how often it would on a perfect machine."""

from collections.abc import Sequence
from typing import Any

from service.report.plot import COLOURS, INK, Plot, Trace, about, categories, label, rounded
from service.report.reading.records import Records
from service.report.reading.runs import Run
from service.report.section import Section, nothing
from service.report.views.naming import run_names

ROW, FRAME = 34, 110
SHOWN = (("raw", "raw", "circle"), ("post_selected", "post-selected", "diamond"))


def wins(records: Records) -> Section:
    """Return the newest run of each kind with its interval and the exact probability."""
    runs = [group[0] for group in records.runs_by_kind if group[0].scores]
    if not runs:
        return Section("wins", "P(win) against exact", parts=[nothing("No run is scored yet.")])
    names = [
        label(f"{run.kind.program} · {name}")
        for run, name in zip(runs, run_names(runs), strict=True)
    ]
    traces: list[Trace] = []
    for program in dict.fromkeys(run.kind.program for run in runs):
        named = [
            (run, name)
            for run, name in zip(runs, names, strict=True)
            if run.kind.program == program
        ]
        made = [*(_scored(named, *shown) for shown in SHOWN), _exact(named)]
        first = not traces
        traces += [trace | {"meta": about(program), "showlegend": first} for trace in made]
    plot = Plot(
        "wins-newest",
        "The newest run of each kind",
        "Share of the shots with which the party wins, with 95 % Wilson interval, raw and "
        "post-selected, against the exact probability. The overview's table holds the values.",
        traces,
        {
            "xaxis": {"title": {"text": "P(win)"}, "rangemode": "tozero"},
            "yaxis": categories(names, autorange="reversed"),
        },
        FRAME + ROW * max(3, len(names)),
    )
    return Section(
        "wins",
        "P(win) against exact",
        "Marks with bars: the share of the shots with which the party wins, with its 95 % Wilson "
        "interval. Strokes: the exact probability by the rules, where the game is small enough "
        "to know it. Post-selected: among legal outcomes alone.",
        [plot],
    )


def _scored(named: Sequence[tuple[Run, str]], kind: str, words: str, symbol: str) -> dict[str, Any]:
    scored = [(run, run.scores[kind], name) for run, name in named if kind in run.scores]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": words,
        "legendgroup": words,
        "x": [rounded(score.p_win) for _, score, _ in scored],
        "y": [name for _, _, name in scored],
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [rounded(score.p_win_high - score.p_win) for _, score, _ in scored],
            "arrayminus": [rounded(score.p_win - score.p_win_low) for _, score, _ in scored],
            "color": COLOURS[kind],
            "thickness": 1.5,
            "width": 4,
        },
        "customdata": [
            [rounded(score.p_win_low, 3), rounded(score.p_win_high, 3), run.job, score.shots]
            for run, score, _ in scored
        ],
        "hovertemplate": "%{x:.3f}, 95 % interval %{customdata[0]} to %{customdata[1]}, "
        "job %{customdata[2]}, %{customdata[3]} shots",
        "marker": {"color": COLOURS[kind], "symbol": symbol, "size": 8},
    }


def _exact(named: Sequence[tuple[Run, str]]) -> dict[str, Any]:
    known = [
        (score.p_win_exact, name)
        for run, name in named
        if (score := run.scores.get("raw")) and score.p_win_exact is not None
    ]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "exact",
        "legendgroup": "exact",
        "x": [rounded(p) for p, _ in known],
        "y": [name for _, name in known],
        "hovertemplate": "exact %{x:.4f}",
        "marker": {"color": INK, "symbol": "line-ns-open", "size": 18, "line": {"width": 2}},
    }
