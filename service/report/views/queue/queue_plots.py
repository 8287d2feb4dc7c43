"""The queue's plots: jobs by state, time in states, time to the end, and cost."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from service.report.plot import Plot, Trace, categories, label, moment, rounded
from service.report.records import Records
from workers.jobs.states import State
from workers.records.queries.queueing import Queueing, Stay

COLOURS: Mapping[str, str] = {
    State.DONE: "--good",
    State.FAILED: "--bad",
    State.CANCELLED: "--soft",
}
ON_THE_WAY = "--hue-0"
ROW, FRAME = 28, 90
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Where a box and its whiskers end."""
LEAST_SECONDS = 0.001


def jobs_by_state(queueing: Queueing) -> Plot:
    """Draw how many jobs are in each state."""
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
                "y": [state_words(state) for state in states],
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
            "yaxis": categories([state_words(state) for state in states], autorange="reversed"),
        },
        FRAME + ROW * max(5, len(states)),
    )


def time_in_states(stays: Sequence[Stay]) -> Plot:
    """Draw quartiles of the seconds that jobs spent in each state."""
    by_state = _grouped(stays)
    states = [state for state in State if state in by_state]
    quantiles = [np.quantile(by_state[state], SHARES) for state in states]
    columns = list(zip(*quantiles, strict=True))
    low, q1, median, q3, high = ([_drawable(float(v)) for v in column] for column in columns)
    return Plot(
        "queue-times",
        "Time spent in each state",
        "Seconds that jobs spent in each state: median, quartiles, and 5 % and 95 % quantiles. "
        "The table holds the values.",
        [
            {
                "type": "box",
                "orientation": "h",
                "y": [state_words(state) for state in states],
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
            "yaxis": categories([state_words(state) for state in states], autorange="reversed"),
        },
        FRAME + ROW * max(5, len(states)),
    )


def _drawable(seconds: float) -> float | None:
    """Return seconds as a logarithmic axis takes them; clocks may disagree by more than a stay."""
    return rounded(max(seconds, LEAST_SECONDS), 3)


def _grouped(stays: Sequence[Stay]) -> dict[str, list[float]]:
    grouped: defaultdict[str, list[float]] = defaultdict(list)
    for stay in stays:
        grouped[stay.state].append(stay.seconds)
    return dict(grouped)


def time_to_the_end(records: Records) -> Plot:
    """Draw the seconds from submission to the end of every job, by backend."""
    ended = records.queueing.ended
    traces: list[Trace] = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": label(backend),
            "x": [moment(one.at) for one in of_backend],
            "y": [_drawable(one.seconds) for one in of_backend],
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


def cost_by_day(records: Records) -> Plot:
    """Draw the estimated cost by backend and day."""
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


def state_words(state: str) -> str:
    """Return a state in words."""
    return state.replace("_", " ")
