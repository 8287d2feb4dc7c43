"""Estimates of probabilities: how far off by how many calls, beside sampling."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from compiler.words.machine_names import machine_of
from service.report.markup import Html, badge, figure_of, plain, table
from service.report.plot import INK, Plot, Trace, about, hues, label, rounded
from service.report.records import MAX_ESTIMATES, Records
from service.report.section import Section, nothing
from service.report.views.naming import clock, job_link
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
DOTTED = {"dash": "dot", "width": 1.5}


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
    found: Sequence[RecordedEstimate],
    colours: Mapping[str, str],
    symbols: Mapping[str, str],
) -> Plot:
    program, _ = event
    title = f"{found[0].title} of {program}"
    series: defaultdict[tuple[str, str], list[RecordedEstimate]] = defaultdict(list)
    for one in found:
        series[machine_of(one.backend), one.estimator].append(one)
    traces: list[Trace] = []
    for (backend, estimator), of_series in sorted(series.items()):
        name = label(f"{backend} · {estimator}")
        marker = {"color": colours[backend], "symbol": symbols[estimator], "size": 9}
        traces += [_marks(name, of_series, marker), _errors(name, of_series, marker)]
    traces += _sampling(found)
    return Plot(
        f"estimates-{number}",
        title,
        f"{title}: half the width of each estimate's interval (filled) and its distance from the "
        "exact value (open) against calls of the program, with sampling's interval on a perfect "
        "machine as a dotted line. The table of estimates holds the values.",
        [{**trace, "meta": about(program)} for trace in traces],
        {
            "xaxis": {"type": "log", "title": {"text": "calls of the program"}, "dtick": 1},
            "yaxis": {"type": "log", "title": {"text": "error"}, "exponentformat": "none"},
        },
        400,
    )


def _marks(name: str, found: Sequence[RecordedEstimate], marker: Mapping[str, Any]) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "legendgroup": name,
        "x": [one.calls for one in found],
        "y": [_drawn(one.half_width) for one in found],
        "customdata": [[rounded(one.value, 4), one.deepest, one.job] for one in found],
        "hovertemplate": "%{customdata[0]} ± %{y:.4f}, %{x:,} calls, %{customdata[1]} iterates at "
        "most, job %{customdata[2]}",
        "marker": marker,
    }


def _errors(name: str, found: Sequence[RecordedEstimate], marker: Mapping[str, Any]) -> Trace:
    known = [(one, error) for one in found if (error := one.error) is not None]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "legendgroup": name,
        "showlegend": False,
        "x": [one.calls for one, _ in known],
        "y": [_drawn(error) for _, error in known],
        "customdata": [[rounded(one.exact, 4), one.job] for one, _ in known],
        "hovertemplate": "off by %{y:.4f} from %{customdata[0]}, %{x:,} calls, "
        "job %{customdata[1]}",
        "marker": {**marker, "symbol": f"{marker['symbol']}-open", "size": 7},
    }


def _drawn(error: float) -> float | None:
    """Return an error for a logarithmic axis, which has no place for 0."""
    return rounded(error, 8) or None


def _sampling(found: Sequence[RecordedEstimate]) -> list[Trace]:
    """Return half the intervals that a perfect machine's counts have, from few to many calls."""
    # By as many calls as sampling takes, its interval is as wide; else it goes with their root.
    halves = [one.half_width * sqrt(one.sampling_calls) for one in found if one.sampling_calls]
    if not halves:
        return []
    ends = [max(min(one.calls for one in found) // 2, 1), 4 * max(one.calls for one in found)]
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "name": "sampling without noise, ∝ 1/√N",
            "x": ends,
            "y": [rounded(halves[0] / sqrt(calls), 8) for calls in ends],
            "hovertemplate": "sampling: ± %{y:.4f} by %{x:,} calls",
            "line": {"color": INK, **DOTTED},
        }
    ]


def _table(records: Records) -> Html:
    found = records.estimates
    shown = "" if len(found) < MAX_ESTIMATES else f"; the newest {MAX_ESTIMATES:,}"
    return table(
        f"Estimates, the newest first{shown}",
        ("job", "program", "observable", "backend", "target", "circuit", "estimator", "estimate",
         "from", "to", "exact", "off by", "", "calls", "sampling takes", "a call is worth",
         "iterates at most", "ended (UTC)"),
        [_row(records, one) for one in found],
        marks=[{"data_program": plain(one.program)} for one in found],
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


def _verdict(one: RecordedEstimate) -> Html:
    """Return whether an estimate is right, and as exact as was asked for."""
    if one.holds is False:
        return badge("outside")
    return badge("done" if one.reached else "too wide")
