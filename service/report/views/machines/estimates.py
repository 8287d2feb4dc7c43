"""Estimates of probabilities: how far off by how many calls, beside sampling."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from markupsafe import Markup

from compiler.words.machine_names import machine_of
from service.pages.plots import Plot, Point, hues, rounded, traces
from service.pages.tables import Number, Section, badge, figure_of, job_link, nothing, table
from service.report.records import MAX_ESTIMATES, Records
from service.report.views.naming import clock
from workers.records.queries.estimates import RecordedEstimate

TITLE = "Estimates: error against calls"
SAYS = (
    "Probabilities and expected values by amplitude estimation on a backend. A call is one run of "
    "the program or its inverse. Samples per call: shots of a perfect device that one call "
    "replaces, for an interval of the same width; above 1, amplitude amplification saves calls in "
    "spite of the noise. An interval without the exact value is due to noise that the estimator "
    "does not model, or to chance."
)
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star")


def estimates(records: Records) -> Section:
    """Return the plots of each event, and a table."""
    rows = records.estimates
    if not rows:
        return Section("estimates", TITLE, parts=[nothing("There are no estimates yet.")])
    events: defaultdict[tuple[str, str], list[RecordedEstimate]] = defaultdict(list)
    for row in rows:
        events[row.program, row.observable].append(row)
    colours = hues([machine_of(row.backend) for row in rows])
    kinds = sorted({row.estimator for row in rows})
    symbols = {kind: SYMBOLS[place % len(SYMBOLS)] for place, kind in enumerate(kinds)}
    plots = [
        _plot(number, event, of_event, colours, symbols)
        for number, (event, of_event) in enumerate(events.items())
    ]
    return Section("estimates", TITLE, SAYS, [tuple(plots), _table(records)])


def _plot(
    number: int,
    event: tuple[str, str],
    estimates: Sequence[RecordedEstimate],
    colours: Mapping[str, str],
    symbols: Mapping[str, str],
) -> Plot:
    program, _ = event
    title = f"{estimates[0].title} of {program}"
    looks = {}
    for estimate in sorted(estimates, key=_series):
        looks[_series(estimate)] = (
            colours[machine_of(estimate.backend)],
            symbols[estimate.estimator],
        )

    def look(series: str, suffix: str = "", size: int = 9) -> dict[str, Any]:
        colour, symbol = looks[series]
        return {"marker": {"color": colour, "symbol": symbol + suffix, "size": size}}

    widths = [
        Point(_series(estimate), estimate.calls, _drawable(estimate.half_width),
              (rounded(estimate.value, 4), estimate.deepest, estimate.job), program=program)
        for estimate in estimates
    ]  # fmt: skip
    errors = [
        Point(_series(estimate), estimate.calls, _drawable(error),
              (rounded(estimate.exact, 4), estimate.job), program=program)
        for estimate in estimates
        if (error := estimate.error) is not None
    ]  # fmt: skip
    return Plot(
        f"estimates-{number}",
        title,
        f"{title}: half-width of each interval (filled) and distance from the exact value (open) "
        "against calls of the program. Dotted: half-width of sampling on a perfect device. The "
        "table of estimates has the values.",
        [
            *traces(widths, "%{customdata[0]} ± %{y:.4f}, %{x:,} calls, %{customdata[1]} iterates "
                    "at most, job %{customdata[2]}", look, digits=8),
            *traces(errors, "error %{y:.4f} of %{customdata[0]}, %{x:,} calls, "
                    "job %{customdata[1]}", lambda name: look(name, "-open", 7),
                    legend=False, digits=8),
            *traces(_sampling(estimates, program), "sampling: ± %{y:.4f} with %{x:,} calls",
                    mode="lines", digits=8, line={"color": "--ink", "dash": "dot", "width": 1.5}),
        ],
        {
            "xaxis": {"type": "log", "title": {"text": "calls of the program"}, "dtick": 1},
            "yaxis": {"type": "log", "title": {"text": "error"}, "exponentformat": "none"},
        },
        400,
    )  # fmt: skip


def _series(row: RecordedEstimate) -> str:
    return f"{machine_of(row.backend)} · {row.estimator}"


def _drawable(error: float) -> float | None:
    """Return an error for a logarithmic axis, which has no place for 0."""
    return rounded(error, 8) or None


def _sampling(estimates: Sequence[RecordedEstimate], program: str) -> list[Point]:
    """Return half the intervals that a perfect machine's counts have, from few to many calls."""
    # By as many calls as sampling takes, its interval is as wide; else it goes with their root.
    halves = [
        estimate.half_width * sqrt(estimate.sampling_calls)
        for estimate in estimates
        if estimate.sampling_calls
    ]
    calls = [estimate.calls for estimate in estimates]
    return [
        Point("sampling without noise, ∝ 1/√N", n, halves[0] / sqrt(n), program=program)
        for n in (max(min(calls) // 2, 1), 4 * max(calls))
        if halves
    ]


def _table(records: Records) -> Markup:
    rows = records.estimates
    shown = "" if len(rows) < MAX_ESTIMATES else f"; the newest {MAX_ESTIMATES:,}"
    return table(
        f"Estimates, newest first{shown}",
        ("job", "program", "observable", "backend", "target", "circuit", "estimator", "estimate",
         "exact value", "error", "state", "calls", "samples for ±", "samples per call",
         "maximum iterates", "ended (UTC)"),
        [_row(records, row) for row in rows],
        programs=[row.program for row in rows],
    )  # fmt: skip


def _row(records: Records, row: RecordedEstimate) -> tuple[object, ...]:
    way = " · ".join(filter(None, (row.method, row.encoding, row.variant)))
    return (
        job_link(row.job, records.linked), row.program, row.observable,
        machine_of(row.backend), records.targets[row.target], way or None, row.estimator,
        Number(f"{row.value:.4f} [{row.low:.4f}, {row.high:.4f}]"), figure_of(row.exact, 4),
        figure_of(row.error, 4), _verdict(row), row.calls,
        row.sampling_calls, figure_of(row.worth, 2), row.deepest, clock(row.at),
    )  # fmt: skip


def _verdict(row: RecordedEstimate) -> Markup:
    """Return whether an estimate is right, and as exact as was asked for."""
    if row.holds is False:
        return badge("outside")
    return badge("done" if row.reached else "too wide")
