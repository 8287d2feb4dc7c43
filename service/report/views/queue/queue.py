"""The queue: states of jobs, their durations, failures and costs."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from service.pages.plots import Plot, Point, rounded, traces
from service.pages.tables import Number, Section, figure_of, job_link, nothing, percent, table
from service.report.records import Records
from service.report.views.naming import clock
from workers.jobs.states import FINAL, State
from workers.records.queries.queueing import MAX_FAILED, MAX_TIMED, Queueing, Stay

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Percentiles of times in the table."""
MIN_SECONDS = 0.001


def _drawable(seconds: float) -> float | None:
    """Return seconds as a logarithmic axis takes them; clocks may disagree by more than a stay."""
    return rounded(max(seconds, MIN_SECONDS), 3)


def time_to_the_end(records: Records) -> Plot:
    """Draw the seconds from submission to the end of every job, by backend."""
    points = [
        Point(job.backend, job.at, _drawable(job.seconds), (job.job, job.state),
              symbol="x" if job.state == State.FAILED else "circle")
        for job in sorted(records.queueing.ended, key=lambda job: job.backend)
    ]  # fmt: skip
    return Plot(
        "queue-waits",
        "Time from submission to end",
        "Seconds from submission to the end of every job over time, by backend; crosses are failed "
        "jobs. The list of jobs has the values.",
        traces(
            points,
            "%{y} s, job %{customdata[0]}, %{customdata[1]}",
            lambda name: {"marker": {"color": records.devices[name], "size": 6, "opacity": 0.75}},
        ),
        {"xaxis": {"type": "date"}, "yaxis": {"type": "log", "title": {"text": "seconds"}}},
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
        "Estimated cost in US dollars by backend and day of submission; the table has the "
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


def queue(records: Records) -> Section:
    """Return jobs by state, times, failures and costs."""
    queueing = records.queueing
    if not queueing.numbers:
        return Section("queue", "Queue", parts=[nothing("There are no jobs yet.")])
    parts: list[Markup | Plot | tuple[Plot, ...]] = [_states(queueing)]
    if queueing.ended or queueing.costs_usd:
        parts.append(
            tuple(
                [time_to_the_end(records)] * bool(queueing.ended)
                + [cost_by_day(records)] * bool(queueing.costs_usd)
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
        f"The states include all jobs, the times the newest {MAX_TIMED:,} jobs. Costs are "
        "estimates before submission; days are in UTC.",
        parts,
    )


def _states(queueing: Queueing) -> Markup:
    backends = sorted({backend for _, backend in queueing.numbers})
    states = [state for state in State if queueing.in_state(state)]
    rows = []
    for backend in backends:
        numbers = {state: queueing.numbers.get((state, backend), 0) for state in states}
        ended = numbers.get(State.DONE, 0) + numbers.get(State.FAILED, 0)
        failed = percent(numbers.get(State.FAILED, 0) / ended) if ended else None
        rows.append((backend, sum(numbers.values()), *numbers.values(), failed))
    waiting = "; ".join(
        f"the oldest {state_words(state)} since {clock(queueing.oldest[state])}"
        for state in states
        if state not in FINAL
    )
    return table(
        "Jobs by backend and state" + (f"; {waiting}" if waiting else ""),
        ("backend", "jobs", *map(state_words, states), "failed share"),
        rows,
    )


def _stays_table(stays: Sequence[Stay]) -> Markup:
    grouped: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for stay in stays:
        grouped[stay.backend, stay.state].append(stay.seconds)
    places = {state: place for place, state in enumerate(State)}
    rows = [
        (backend, state_words(state), len(seconds),
         *(figure_of(float(np.quantile(seconds, share)), 2) for share in SHARES),
         figure_of(max(seconds), 2))
        for (backend, state), seconds in sorted(
            grouped.items(), key=lambda item: (item[0][0], places[State(item[0][1])])
        )
    ]  # fmt: skip
    return table(
        "Seconds spent in each state",
        ("backend", "state", "jobs", "5 %", "25 %", "median", "75 %", "95 %", "maximum"),
        rows,
    )


def _costs_table(queueing: Queueing) -> Markup:
    rows = [
        (day.isoformat(), backend, Number(f"{cost:,.2f}"))
        for (backend, day), cost in sorted(
            queueing.costs_usd.items(), key=lambda item: (item[0][1], item[0][0]), reverse=True
        )
    ]
    columns = ("day", "backend", "cost (USD)")
    return table("Estimated cost by day and backend", columns, rows, wide=False)


def _failures(records: Records) -> Markup:
    return table(
        f"Failures of the newest {MAX_FAILED:,} failed jobs",
        ("error", "backend", "jobs", "newest job", "time (UTC)"),
        [
            (failure.error or "no reason recorded", failure.backend, failure.jobs,
             job_link(failure.newest, records.linked), clock(failure.at))
            for failure in records.queueing.failures
        ],
    )  # fmt: skip
