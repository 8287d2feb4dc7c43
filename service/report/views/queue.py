"""The queue: where jobs are, how long they stay, what fails and what it costs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from service.report.markup import Html, Number, figure_of, percent, table
from service.report.plot import Plot, Trace, categories, label, moment, rounded
from service.report.reading.queueing import Queueing, Stay
from service.report.reading.records import Records
from service.report.reading.scope import MOST_FAILED, MOST_TIMED
from service.report.section import Section, nothing
from service.report.views.naming import clock, job_link
from workers.states import FINAL, State

COLOURS: Mapping[str, str] = {
    State.DONE: "--good",
    State.FAILED: "--bad",
    State.CANCELLED: "--soft",
}
ON_THE_WAY = "--hue-0"
ROW, FRAME = 28, 90
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Where a box and its whiskers end."""


def queue(records: Records) -> Section:
    """Return jobs by state, times, failures and costs."""
    queueing = records.queueing
    if not queueing.numbers:
        return Section("queue", "Queue", parts=[nothing("There is no job yet.")])
    parts: list[Html | Plot | tuple[Plot, ...]] = [_first_row(queueing), _states(queueing)]
    if queueing.ended or queueing.costs_usd:
        parts.append(
            tuple(
                [_ended(records)] * bool(queueing.ended)
                + [_costs(records)] * bool(queueing.costs_usd)
            )
        )
    if queueing.stays:
        parts.append(_stays_table(queueing.stays))
    if queueing.costs_usd:
        parts.append(_costs_table(queueing))
    if queueing.failures:
        parts.append(_failures(records))
    return Section(
        "queue",
        "Queue",
        f"States are those of all jobs. Times are those of the newest {MOST_TIMED:,} jobs, as "
        "their events tell them; costs are estimates made before submission, by day in UTC.",
        parts,
    )


def _first_row(queueing: Queueing) -> tuple[Plot, ...]:
    return (_by_state(queueing), *([_time_in_states(queueing.stays)] if queueing.stays else []))


def _by_state(queueing: Queueing) -> Plot:
    states = [state for state in State if queueing.in_state(state)]
    spoken = "; ".join(f"{state} {queueing.in_state(state):,}" for state in states)
    return Plot(
        "queue-states",
        "Jobs by state",
        f"Jobs by state: {spoken}.",
        [
            {
                "type": "bar",
                "orientation": "h",
                "x": [queueing.in_state(state) for state in states],
                "y": [_words(state) for state in states],
                "text": [f"{queueing.in_state(state):,}" for state in states],
                "textposition": "auto",
                "width": 0.7,
                "hovertemplate": "%{x} jobs %{y}",
                "showlegend": False,
                "marker": {"color": [COLOURS.get(state, ON_THE_WAY) for state in states]},
            }
        ],
        {
            "xaxis": {"title": {"text": "jobs"}, "rangemode": "tozero"},
            "yaxis": categories([_words(state) for state in states], autorange="reversed"),
        },
        FRAME + ROW * max(5, len(states)),
    )


def _time_in_states(stays: Sequence[Stay]) -> Plot:
    by_state = _grouped(stays)
    states = [state for state in State if state in by_state]
    quantiles = [np.quantile(by_state[state], SHARES) for state in states]
    columns = list(zip(*quantiles, strict=True))
    low, q1, median, q3, high = ([rounded(float(v), 3) for v in column] for column in columns)
    return Plot(
        "queue-times",
        "Time spent in each state",
        "Seconds that jobs spent in each state: median, quartiles, and 5 % and 95 % quantiles. "
        "The table holds the values.",
        [
            {
                "type": "box",
                "orientation": "h",
                "y": [_words(state) for state in states],
                "lowerfence": low,
                "q1": q1,
                "median": median,
                "q3": q3,
                "upperfence": high,
                "showlegend": False,
                "marker": {"color": ON_THE_WAY},
                "line": {"width": 1.5},
            }
        ],
        {
            "xaxis": {"title": {"text": "seconds"}, "type": "log"},
            "yaxis": categories([_words(state) for state in states], autorange="reversed"),
        },
        FRAME + ROW * max(5, len(states)),
    )


def _grouped(stays: Sequence[Stay]) -> dict[str, list[float]]:
    grouped: defaultdict[str, list[float]] = defaultdict(list)
    for stay in stays:
        grouped[stay.state].append(stay.seconds)
    return dict(grouped)


def _states(queueing: Queueing) -> Html:
    backends = sorted({backend for _, backend in queueing.numbers})
    states = [state for state in State if queueing.in_state(state)]
    rows = []
    for backend in backends:
        numbers = {state: queueing.numbers.get((state, backend), 0) for state in states}
        ended = numbers.get(State.DONE, 0) + numbers.get(State.FAILED, 0)
        failed = percent(numbers.get(State.FAILED, 0) / ended) if ended else None
        rows.append((backend, sum(numbers.values()), *numbers.values(), failed))
    waiting = "; ".join(
        f"the oldest {_words(state)} since {clock(queueing.oldest[state])}"
        for state in states
        if state not in FINAL
    )
    return table(
        "Jobs by backend and state" + (f"; {waiting}" if waiting else ""),
        ("backend", "jobs", *map(_words, states), "failed of ended"),
        rows,
    )


def _ended(records: Records) -> Plot:
    ended = records.queueing.ended
    traces: list[Trace] = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": label(backend),
            "x": [moment(one.at) for one in of_backend],
            "y": [rounded(max(one.seconds, 0.001), 3) for one in of_backend],
            "customdata": [[one.job, one.state] for one in of_backend],
            "hovertemplate": "%{y} s, job %{customdata[0]}, %{customdata[1]}",
            "marker": {
                "color": records.devices[backend],
                "size": 6,
                "opacity": 0.75,
                "symbol": ["x" if one.state == State.FAILED else "circle" for one in of_backend],
            },
        }
        for backend in sorted({one.backend for one in ended})
        if (of_backend := [one for one in ended if one.backend == backend])
    ]
    return Plot(
        "queue-waits",
        "From submission to the end",
        "Seconds from submission to the end of every job over time, by backend; crosses failed. "
        "The list of jobs holds the times.",
        traces,
        {
            "xaxis": {"type": "date"},
            "yaxis": {"type": "log", "title": {"text": "seconds"}},
        },
        340,
    )


def _costs(records: Records) -> Plot:
    costs = records.queueing.costs_usd
    days = sorted({day for _, day in costs})
    traces: list[Trace] = [
        {
            "type": "bar",
            "name": label(backend),
            "x": [day.isoformat() for day in days],
            "y": [rounded(costs.get((backend, day), 0), 4) for day in days],
            "hovertemplate": "$%{y:.2f}",
            "marker": {"color": records.devices[backend]},
        }
        for backend in sorted({backend for backend, _ in costs})
    ]
    return Plot(
        "queue-costs",
        "Estimated cost by backend and day",
        "Estimated cost in US dollars by backend and day of submission; the table holds the "
        "values.",
        traces,
        {
            "barmode": "stack",
            "xaxis": {"type": "category"},
            "yaxis": {"title": {"text": "US dollars"}, "rangemode": "tozero"},
        },
        340,
    )


def _stays_table(stays: Sequence[Stay]) -> Html:
    grouped: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for stay in stays:
        grouped[stay.backend, stay.state].append(stay.seconds)
    places = {state: place for place, state in enumerate(State)}
    rows = [
        (backend, _words(state), len(seconds),
         *(figure_of(float(np.quantile(seconds, share)), 2) for share in SHARES),
         figure_of(max(seconds), 2))
        for (backend, state), seconds in sorted(
            grouped.items(), key=lambda item: (item[0][0], places[State(item[0][1])])
        )
    ]  # fmt: skip
    return table(
        "Seconds spent in each state",
        ("backend", "state", "jobs", "5 %", "25 %", "median", "75 %", "95 %", "longest"),
        rows,
    )


def _costs_table(queueing: Queueing) -> Html:
    rows = [
        (day.isoformat(), backend, Number(f"{cost:,.2f}"))
        for (backend, day), cost in sorted(
            queueing.costs_usd.items(), key=lambda item: (item[0][1], item[0][0]), reverse=True
        )
    ]
    columns = ("day", "backend", "US dollars")
    return table("Estimated cost by day and backend", columns, rows, wide=False)


def _failures(records: Records) -> Html:
    return table(
        f"What failed, of the newest {MOST_FAILED:,} failed jobs",
        ("error", "backend", "jobs", "newest", "when (UTC)"),
        [
            (one.error or "no reason recorded", one.backend, one.jobs,
             job_link(one.newest, records.linked), clock(one.at))
            for one in records.queueing.failures
        ],
    )  # fmt: skip


def _words(state: str) -> str:
    return state.replace("_", " ")
