"""Estimates of probabilities: how far off by how many calls, beside sampling."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from markupsafe import Markup

from compiler.words.machine_names import machine_of
from service.pages.plots import Plot, Point, hues, rounded, traces
from service.pages.sections import Section, nothing
from service.pages.tables import badge, figure_of, job_link, table
from service.report.records import MAX_ESTIMATES, Records
from service.report.views.naming import clock
from workers.records.queries.estimates import RecordedEstimate

TITLE = "Estimates: error against calls"
SAYS = (
    "Probabilities, and expected values in their own units, by amplitude estimation on a backend. "
    "A call is the program or its inverse, played once. What a call is worth says how many runs "
    "of a perfect machine it replaces, where these are merely counted: above 1, iterates help in "
    "spite of noise. An interval that does not hold the exact value tells of noise that the "
    "estimator does not know, or of chance."
)
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star")


def estimates(records: Records) -> Section:
    """Return the plots of each event, and a table."""
    found = records.estimates
    if not found:
        return Section("estimates", TITLE, parts=[nothing("No estimate is recorded yet.")])
    events: defaultdict[tuple[str, str], list[RecordedEstimate]] = defaultdict(list)
    for one in found:
        events[one.program, one.observable].append(one)
    colours = hues([machine_of(one.backend) for one in found])
    kinds = sorted({one.estimator for one in found})
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
        f"{title}: half the width of each estimate's interval (filled) and its distance from the "
        "exact value (open) against calls of the program, with sampling's interval on a perfect "
        "machine as a dotted line. The table of estimates holds the values.",
        [
            *traces(widths, "%{customdata[0]} ± %{y:.4f}, %{x:,} calls, %{customdata[1]} iterates "
                    "at most, job %{customdata[2]}", look, digits=8),
            *traces(errors, "off by %{y:.4f} from %{customdata[0]}, %{x:,} calls, "
                    "job %{customdata[1]}", lambda name: look(name, "-open", 7),
                    legend=False, digits=8),
            *traces(_sampling(estimates, program), "sampling: ± %{y:.4f} by %{x:,} calls",
                    mode="lines", digits=8, line={"color": "--ink", "dash": "dot", "width": 1.5}),
        ],
        {
            "xaxis": {"type": "log", "title": {"text": "calls of the program"}, "dtick": 1},
            "yaxis": {"type": "log", "title": {"text": "error"}, "exponentformat": "none"},
        },
        400,
    )  # fmt: skip


def _series(one: RecordedEstimate) -> str:
    return f"{machine_of(one.backend)} · {one.estimator}"


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
    found = records.estimates
    shown = "" if len(found) < MAX_ESTIMATES else f"; the newest {MAX_ESTIMATES:,}"
    return table(
        f"Estimates, the newest first{shown}",
        ("job", "program", "observable", "backend", "target", "circuit", "estimator", "estimate",
         "from", "to", "exact", "off by", "", "calls", "sampling takes", "a call is worth",
         "iterates at most", "ended (UTC)"),
        [_row(records, one) for one in found],
        programs=[one.program for one in found],
    )  # fmt: skip


def _row(records: Records, one: RecordedEstimate) -> tuple[object, ...]:
    way = " · ".join(filter(None, (one.method, one.encoding, one.variant)))
    return (
        job_link(one.job, records.linked), one.program, one.observable,
        machine_of(one.backend), records.targets[one.target], way or None, one.estimator,
        figure_of(one.value, 4), figure_of(one.low, 4), figure_of(one.high, 4),
        figure_of(one.exact, 4), figure_of(one.error, 4), _verdict(one), one.calls,
        one.sampling_calls, figure_of(one.worth, 2), one.deepest, clock(one.at),
    )  # fmt: skip


def _verdict(one: RecordedEstimate) -> Markup:
    """Return whether an estimate is right, and as exact as was asked for."""
    if one.holds is False:
        return badge("outside")
    return badge("done" if one.reached else "too wide")
