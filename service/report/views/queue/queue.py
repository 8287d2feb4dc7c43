"""The queue: where jobs are, how long they stay, what fails and what it costs."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from service.pages.plots import Plot
from service.pages.sections import Section, nothing
from service.pages.tables import Number, figure_of, percent, table
from service.report.records import Records
from service.report.views.naming import clock, job_link
from service.report.views.queue.queue_plots import (
    SHARES,
    cost_by_day,
    jobs_by_state,
    state_words,
    time_in_states,
    time_to_the_end,
)
from workers.jobs.states import FINAL, State
from workers.records.queries.queueing import MAX_FAILED, MAX_TIMED, Queueing, Stay


def queue(records: Records) -> Section:
    """Return jobs by state, times, failures and costs."""
    queueing = records.queueing
    if not queueing.numbers:
        return Section("queue", "Queue", parts=[nothing("There is no job yet.")])
    parts: list[Markup | Plot | tuple[Plot, ...]] = [_first_row(queueing), _states(queueing)]
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
        f"States are those of all jobs. Times are those of the newest {MAX_TIMED:,} jobs, as "
        "their events tell them; costs are estimates made before submission, by day in UTC.",
        parts,
    )


def _first_row(queueing: Queueing) -> tuple[Plot, ...]:
    return (jobs_by_state(queueing), *([time_in_states(queueing.stays)] if queueing.stays else []))


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
        ("backend", "jobs", *map(state_words, states), "failed of ended"),
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
        ("backend", "state", "jobs", "5 %", "25 %", "median", "75 %", "95 %", "longest"),
        rows,
    )


def _costs_table(queueing: Queueing) -> Markup:
    rows = [
        (day.isoformat(), backend, Number(f"{cost:,.2f}"))
        for (backend, day), cost in sorted(
            queueing.costs_usd.items(), key=lambda item: (item[0][1], item[0][0]), reverse=True
        )
    ]
    columns = ("day", "backend", "US dollars")
    return table("Estimated cost by day and backend", columns, rows, wide=False)


def _failures(records: Records) -> Markup:
    return table(
        f"What failed, of the newest {MAX_FAILED:,} failed jobs",
        ("error", "backend", "jobs", "newest", "when (UTC)"),
        [
            (one.error or "no reason recorded", one.backend, one.jobs,
             job_link(one.newest, records.linked), clock(one.at))
            for one in records.queueing.failures
        ],
    )  # fmt: skip
