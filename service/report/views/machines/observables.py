"""Measured observables against those of a perfect machine."""

from collections.abc import Sequence

from compiler.judge import excess_words, observable_title
from service.pages.plots import Plot, Point, categories, rounded, traces
from service.pages.tables import Section, nothing
from service.report.records import Records
from service.report.views.naming import run_names
from workers.records.queries.runs import Run

TITLE = "Observables and exact values"
ROW, FRAME = 34, 110
LOOKS = {
    "raw": {"marker": {"color": "--hue-0", "symbol": "circle", "size": 8}},
    "post-selected": {"marker": {"color": "--hue-2", "symbol": "diamond",
                                 "size": 8}},
    "exact": {"marker": {"color": "--ink", "symbol": "line-ns-open", "size": 18,
                         "line": {"width": 2}}},
    "classical bound": {"marker": {"color": "--hue-1", "symbol": "line-ns-open", "size": 18,
                                   "line": {"width": 2}}},
}  # fmt: skip


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
        return Section("observables", TITLE, parts=[nothing("No run has been scored yet.")])
    return Section(
        "observables",
        TITLE,
        "Symbols with bars: share of an event in all shots, or mean of a number over the legal "
        "shots, with the 95 % interval. Vertical strokes: the exact value, if the game is small "
        "enough, and the classical bound of nonlocal games. Post-selected: legal shots only.",
        [_plot(named, *title) for title in titles],
    )


def _plot(named: Sequence[tuple[Run, str]], observable: str, kind: str) -> Plot:
    rows = [
        (run, f"{run.configuration.program} · {name}")
        for run, name in named
        if any(observable in score.observables for score in run.scores.values())
    ]
    title = observable_title(observable, kind)
    measured = [
        point
        for series in ("raw", "post_selected")
        for run, name in rows
        if (point := _measured(run, name, observable, series))
    ]
    raw = [
        (run, name, row)
        for run, name in rows
        if (score := run.scores.get("raw")) and (row := score.observables.get(observable))
    ]
    exact = [
        Point("exact", float(row.exact), name, program=run.configuration.program)
        for run, name, row in raw
        if row.exact is not None
    ]
    bounds = [
        Point("classical bound", row.bound, name, (excess_words(row.bound, row.sigmas),),
              program=run.configuration.program)
        for run, name, row in raw
        if row.bound is not None
    ]  # fmt: skip
    hover = (
        "%{x:.3f}, 95 % interval %{customdata[0]} to %{customdata[1]}, "
        "job %{customdata[2]}, %{customdata[3]} shots"
    )
    return Plot(
        f"observable-{observable}",
        f"{title}: newest run of each kind",
        f"Measured {title} with its 95 % interval, raw and post-selected, and the exact value. "
        "The scores of every job have the values.",
        [*traces(measured, hover, LOOKS.__getitem__),
         *traces(exact, "exact %{x:.4f}", LOOKS.__getitem__),
         *traces(bounds, "%{customdata[0]}", LOOKS.__getitem__)],
        {
            "xaxis": {"title": {"text": title}, "rangemode": "tozero"},
            "yaxis": categories([name for _, name in rows], autorange="reversed"),
        },
        FRAME + ROW * max(3, len(rows)),
    )  # fmt: skip


def _measured(run: Run, name: str, observable: str, kind: str) -> Point | None:
    score = run.scores.get(kind)
    row = None if score is None else score.observables.get(observable)
    if score is None or row is None:
        return None
    return Point(
        kind.replace("_", "-"),
        row.measured,
        name,
        (rounded(row.low, 3), rounded(row.high, 3), run.job, score.shots),
        (row.low, row.high),
        program=run.configuration.program,
    )
