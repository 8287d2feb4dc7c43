"""What is told of the records, against the rows themselves, on both databases."""

from collections import Counter
from datetime import timedelta
from decimal import Decimal

import pytest
from attrs import evolve

from tests.workers.metrics.exposed import read
from tests.workers.metrics.rows import TODAY, add, compilation, job, score, told
from workers.jobs.states import Queue, State
from workers.metrics.from_records import collector as collector_module
from workers.metrics.from_records.collector import RecordCollector
from workers.records.tables import (
    Spending,
    now,
)
from workers.settings import Settings


def test_jobs_by_state_and_backend_are_those_of_the_rows(engine):
    states = list(State)
    backends = ("sparse", "aer:torino", "ibm:torino", "grid:17", "grid:18")
    rows = add(engine, *(job(n, states[n % 10], backends[n % 3 + n % 2]) for n in range(97)))
    series = told(engine)
    expected = Counter(
        (row.backend.removesuffix(":17").removesuffix(":18"), row.state) for row in rows
    )
    found = series.of("stichwerk_jobs")
    assert {key: n for key, n in found.items() if n} == expected
    assert len(found) == 10 * len({backend for backend, _ in expected})


def test_jobs_wait_for_the_queue_of_their_next_work_unless_a_worker_has_them(engine):
    later, before = TODAY + timedelta(days=2), TODAY - timedelta(seconds=1)
    add(
        engine,
        job(1, "queued", "ibm:torino"),
        job(2, "verifying", "sparse"),
        job(3, "running", "sparse"),
        job(900, "queued", "sparse", lease_owner="me", lease_until=later),
        job(4, "queued", "sparse", lease_owner="dead", lease_until=before),
        job(901, "queued", "sparse", due_at=None),
        job(902, "done", "sparse"),
        job(5, "submitting", "braket:garnet"),
        job(6, "submitting", "a-backend-of-tomorrow"),
        job(50, "at_provider", "ibm:torino", due_at=later),
        job(8, "running", "ibm:torino"),
    )
    series = told(engine)
    assert series.of("stichwerk_queue_jobs") == {
        ("compile",): 4, ("submit",): 2, ("poll",): 2, ("score",): 0,
    }  # fmt: skip
    ages = series.of("stichwerk_queue_oldest_job_age_seconds")
    passed = (now() - TODAY).total_seconds()
    for queue, seconds in (("compile", 104), ("submit", 106), ("poll", 150)):
        assert seconds <= ages[queue,] <= seconds + passed
    assert ages["score",] == 0


def test_messages_of_the_broker_and_its_absence(engine):
    there = told(engine, lengths=lambda: dict.fromkeys(Queue, 7))
    assert there.of("stichwerk_queue_messages") == {(queue,): 7 for queue in Queue}
    assert there.get("stichwerk_broker_up") == 1
    away = told(engine)
    assert away.of("stichwerk_queue_messages") == {}
    assert away.get("stichwerk_broker_up") == 0


def test_budgets_of_today_and_of_the_dearest_tags(engine):
    day = f"day:{now():%Y-%m-%d}"
    add(
        engine,
        Spending(budget=day, reserved_microusd=1_250_000),
        Spending(budget="day:2020-01-01", reserved_microusd=9_000_000),
        *(Spending(budget=f"tag:t{n}", reserved_microusd=n * 1000) for n in range(30)),
    )
    limits = Settings(day_budget_usd=Decimal("10.50"))
    series = told(engine, limits)
    expected = {(f"tag:t{n}",): n / 1000 for n in range(10, 30)} | {("day",): 1.25}
    assert series.of("stichwerk_budget_reserved_usd") == expected
    assert series.of("stichwerk_budget_limit_usd") == {("day",): 10.5}
    both = told(engine, evolve(limits, tag_budget_usd=Decimal(2)))
    assert both.get("stichwerk_budget_limit_usd", budget="tag:t29") == 2
    assert len(both.of("stichwerk_budget_limit_usd")) == 21


@pytest.mark.parametrize("many", [220, pytest.param(1000, marks=pytest.mark.full)])
def test_many_strange_names_stay_bounded_and_readable(engine, many):
    names = [f'n"{n}\n\\{{}}\u2028' if n % 2 else f"{n}.toml" for n in range(many)]
    add(
        engine,
        *(
            job(n, "done", name, tag=name, scores=[score("raw")],
                compilation=compilation(name, source=name.encode()))
            for n, name in enumerate(names)
        ),
        *(Spending(budget=f"tag:{name}", reserved_microusd=1) for name in names),
    )  # fmt: skip
    series = told(engine)
    assert len(series.of("stichwerk_benchmark_gates")) == 200
    assert len(series.of("stichwerk_benchmark_shots")) == 200
    assert len(series.of("stichwerk_budget_reserved_usd")) == 21
    assert len({backend for backend, _ in series.of("stichwerk_jobs")}) == 51
    assert series.get("stichwerk_benchmark_omitted_series") == 2 * (many - 200)
    programs = {labels[2] for labels in series.of("stichwerk_benchmark_gates")}
    newest = {name.replace("\n", "\ufffd").replace("\u2028", "\ufffd") for name in names[-200:]}
    assert programs == newest


def test_only_the_newest_fifty_tell_of_their_passes(engine):
    steps = [{"name": "route", "two_qubit_gates": 5, "from_zero": False}]
    add(engine, *(compilation(f"p{n}.qasm", chosen={"steps": steps}) for n in range(60)))
    found = told(engine).of("stichwerk_benchmark_step_two_qubit_gates")
    assert {labels[2] for labels in found} == {f"p{n}.qasm" for n in range(10, 60)}


def test_the_database_is_not_asked_again_at_once(engine, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(collector_module, "monotonic", lambda: clock[0])
    collector = RecordCollector(engine, Settings(), lambda: None)
    add(engine, job(1, "done"))
    for seconds, number in ((0.0, 1), (0.9, 1), (1.1, 2)):
        clock[0] = seconds
        found = read([collector]).get("stichwerk_jobs", state="done", backend="sparse")
        assert found == number
        if seconds == 0.0:
            add(engine, job(2, "done"))
