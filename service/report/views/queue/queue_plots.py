"""The queue's plots: jobs by state, time in states, time to the end, and cost."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from service.pages.plots import Plot, Point, categories, rounded, traces
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
    points = [
        Point("jobs", queueing.in_state(state), state_words(state),
              text=f"{queueing.in_state(state):,}")
        for state in states
    ]  # fmt: skip
    colours = [COLOURS.get(state, ON_THE_WAY) for state in states]
    return Plot(
        "queue-states",
        "Jobs by state",
        "Jobs by state: " + "; ".join(f"{point.y} {point.text}" for point in points) + ".",
        traces(points, "%{x} jobs %{y}", legend=False, type="bar", orientation="h", width=0.7,
               textposition="auto", marker={"color": colours}),
        {
            "xaxis": {"title": {"text": "jobs"}, "rangemode": "tozero"},
            "yaxis": categories(map(state_words, states), autorange="reversed"),
        },
        FRAME + ROW * max(5, len(states)),
    )  # fmt: skip


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
                "y": list(map(state_words, states)),
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
            "yaxis": categories(map(state_words, states), autorange="reversed"),
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
    points = [
        Point(one.backend, one.at, _drawable(one.seconds), (one.job, one.state),
              symbol="x" if one.state == State.FAILED else "circle")
        for one in sorted(records.queueing.ended, key=lambda one: one.backend)
    ]  # fmt: skip
    return Plot(
        "queue-waits",
        "From submission to the end",
        "Seconds from submission to the end of every job over time, by backend; crosses failed. "
        "The list of jobs holds the times.",
        traces(
            points,
            "%{y} s, job %{customdata[0]}, %{customdata[1]}",
            lambda name: {"marker": {"color": records.devices[name], "size": 6, "opacity": 0.75}},
        ),
        {
            "xaxis": {"type": "date"},
            "yaxis": {"type": "log", "title": {"text": "seconds"}},
        },
        340,
    )


def cost_by_day(records: Records) -> Plot:
    """Draw the estimated cost by backend and day."""
    costs = records.queueing.costs_usd
    points = [
        Point(backend, day, float(costs.get((backend, day), 0)))
        for backend in sorted({backend for backend, _ in costs})
        for day in sorted({day for _, day in costs})
    ]
    return Plot(
        "queue-costs",
        "Estimated cost by backend and day",
        "Estimated cost in US dollars by backend and day of submission; the table holds the "
        "values.",
        traces(points, "$%{y:.2f}", lambda name: {"marker": {"color": records.devices[name]}},
               digits=4, type="bar"),
        {
            "barmode": "stack",
            "xaxis": {"type": "category"},
            "yaxis": {"title": {"text": "US dollars"}, "rangemode": "tozero"},
        },
        340,
    )  # fmt: skip


def state_words(state: str) -> str:
    """Return a state in words."""
    return state.replace("_", " ")
