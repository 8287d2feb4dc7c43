"""What is told of the records, against the rows themselves, on both databases."""

from collections import Counter
from datetime import timedelta
from decimal import Decimal

import pytest
from attrs import evolve
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.lowering.pipeline import passes_from_zero
from tests.workers.metrics.exposed import read
from workers.jobs.states import FINAL, Queue, State
from workers.metrics.from_records import collector as collector_module
from workers.metrics.from_records.collector import RecordCollector
from workers.records.tables import (
    Candidate,
    Compilation,
    Job,
    ObservableRow,
    PeerResult,
    ScoreRow,
    Spending,
    now,
)
from workers.settings import Settings

TODAY = now()


@pytest.fixture
def engine(each_engine):
    """An empty database of each kind."""
    return each_engine


def add(engine, *rows):
    with Session(engine, expire_on_commit=False) as session:
        session.add_all(rows)
        session.commit()
    return rows


def told(engine, set_=None, lengths=lambda: None):
    return read([RecordCollector(engine, set_ or Settings(), lengths)])


def job(n, state, backend="sparse", **given):
    since = TODAY - timedelta(seconds=100 + n)
    usual = {
        "program": "p", "target": "t", "shots": 10, "seed": n, "due_at": None if state in FINAL
        else TODAY, "state_since": since,
    }  # fmt: skip
    return Job(state=state, backend=backend, **usual | given)


def compilation(program="skat-4", chosen=None, **given):
    usual = {
        "source": b"", "source_digest": program, "target": "star:17", "method": "best",
        "encoding": "paper", "objective": "two_qubit_gates", "seed": 0,
        "program_verified": "exact", "compile_seconds": 2.5, "versions": {},
    }  # fmt: skip
    lost = Candidate(synthesis="s", pipeline="lost", seed=0, verified="exact", two_qubit_gates=999)
    figures = {
        "synthesis": "s", "pipeline": "tket", "seed": 1, "verified": "exact", "chosen": True,
        "qubits": 17, "two_qubit_gates": 43, "two_qubit_depth": 30, "depth": 60, "gates": 120,
        "duration_ns": 5000.0, "expected_fidelity": 0.75,
    }  # fmt: skip
    candidates = [lost, Candidate(**figures | (chosen or {}))]
    return Compilation(program=program, candidates=candidates, **usual | given)


C = {"program": "skat-4", "target": "star:17", "method": "best", "encoding": "paper", "variant": ""}


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


def test_only_the_largest_backends_are_told_apart(engine):
    names = [f"strange-{letter}{other}" for letter in "abcdefgh" for other in "abcdefgh"]
    rows = [job(n, "done", name) for n, name in enumerate(names)]
    rows += [job(n, "failed", names[-1]) for n in range(3)]
    add(engine, *rows)
    found = told(engine).of("stichwerk_jobs")
    assert {backend for backend, _ in found} == {*names[:49], names[-1], "other"}
    assert found["other", "done"] == 14
    assert found[names[-1], "failed"] == 3
    assert sum(found.values()) == len(rows)


def test_jobs_wait_for_the_queue_of_their_next_work_unless_a_worker_has_them(engine):
    later, before = TODAY + timedelta(hours=1), TODAY - timedelta(seconds=1)
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


def test_the_newest_chosen_circuit_of_every_combination(engine):
    steps = [
        {"name": "synthesis", "two_qubit_gates": None, "from_zero": False},
        {"name": "route", "two_qubit_gates": 50, "two_qubit_depth": 40, "seconds": 0.5,
         "from_zero": False},
    ]  # fmt: skip
    unfinished = compilation()
    unfinished.candidates = [Candidate(synthesis="s", pipeline="p", seed=0, two_qubit_gates=1)]
    (_, kept, *_) = add(
        engine,
        compilation(chosen={"two_qubit_gates": 1000}),
        compilation(chosen={"steps": steps}),
        compilation(objective="expected_fidelity", any_input=True, without=["fusion", "dont-care"]),
        compilation(any_input=True, without=[*passes_from_zero(), "fusion"]),
        compilation(without=[*passes_from_zero()]),
        compilation(program="ghz.qasm", chosen={"duration_ns": None, "expected_fidelity": None}),
        unfinished,
    )
    series = told(engine)
    for name, value in (
        ("two_qubit_gates", 43), ("two_qubit_depth", 30), ("depth", 60), ("gates", 120),
        ("qubits", 17), ("circuit_duration_seconds", 5e-6), ("expected_fidelity_ratio", 0.75),
        ("compile_duration_seconds", 2.5),
        ("compile_timestamp_seconds", kept.created_at.timestamp()),
    ):  # fmt: skip
        assert series.get(f"stichwerk_benchmark_{name}", **C) == pytest.approx(value, rel=1e-12)
    info = "stichwerk_benchmark_compilation_info"
    assert series.get(info, **C, pipeline="tket", verified="exact") == 1
    for variant in (
        "expected_fidelity, any input, without dont-care, without fusion",
        "any input, without fusion",
        "without from-zero",
    ):
        assert series.get("stichwerk_benchmark_gates", **C | {"variant": variant}) == 120
    assert len(series.of("stichwerk_benchmark_gates")) == 5
    assert len(series.of("stichwerk_benchmark_expected_fidelity_ratio")) == 4
    step = "stichwerk_benchmark_step"
    assert list(series.of(f"{step}_two_qubit_gates").values()) == [50]
    assert series.get(f"{step}_two_qubit_depth", **C, step="02 route") == 40
    assert series.get(f"{step}_duration_seconds", **C, step="02 route") == 0.5
    assert series.of("stichwerk_program_info") == {("4", "2", "skat-4"): 1}
    assert series.get("stichwerk_benchmark_omitted_series") == 0


def score(kind, **given):
    usual = {
        "shots": 10, "hellinger_fidelity": 0.9, "normalized_fidelity": 0.8, "legal_fraction": 0.7,
    }  # fmt: skip
    win = {"measured": 0.5, "low": 0.4, "high": 0.6, "exact": 0.75} | given.pop("win", {})
    row = ObservableRow(place=0, name="win", kind="event", **win)
    return ScoreRow(kind=kind, observables=[row], **usual | given)


def test_the_newest_scored_run_of_every_combination_and_backend(engine):
    first, second = compilation(), compilation()
    ended = TODAY - timedelta(minutes=5)
    add(
        engine,
        job(0, "done", compilation=first, scores=[score("raw", hellinger_fidelity=0.1)]),
        job(1, "done", "aer:torino", compilation=first,
            scores=[score("raw", win={"measured": 0.8})]),
        job(2, "done", compilation=second, finished_at=ended, run_seconds=1.5, shots=77, scores=[
            score("raw"), score("post_selected", normalized_fidelity=None, win={"exact": None})]),
        job(3, "failed", compilation=second, scores=[score("raw", hellinger_fidelity=0.2)]),
        job(4, "done", compilation=compilation(program="ghz.qasm")),
    )  # fmt: skip
    series = told(engine)
    prefix, run = "stichwerk_benchmark_", C | {"backend": "sparse"}
    for name, value in (
        ("hellinger_fidelity_ratio", 0.9), ("normalized_fidelity_ratio", 0.8),
    ):  # fmt: skip
        assert series.get(prefix + name, **run, selection="raw") == value
    win = run | {"observable": "win"}
    assert series.get(f"{prefix}observable", **win, selection="raw") == 0.5
    assert series.get(f"{prefix}observable_error", **win, selection="raw") == 0.25
    assert series.get(f"{prefix}observable_exact", **win) == 0.75
    selected = run | {"selection": "post_selected"}
    assert series.get(f"{prefix}hellinger_fidelity_ratio", **selected) == 0.9
    assert series.get(f"{prefix}normalized_fidelity_ratio", **selected) is None
    assert series.get(f"{prefix}observable_error", **selected, observable="win") is None
    assert series.get(f"{prefix}observable", **selected, observable="win") == 0.5
    for name, value in (
        ("legal_ratio", 0.7), ("shots", 77),
        ("run_timestamp_seconds", ended.timestamp()), ("run_duration_seconds", 1.5),
    ):  # fmt: skip
        assert series.get(prefix + name, **run) == pytest.approx(value, rel=1e-12)
    other = C | {"backend": "aer:torino"}
    named = other | {"observable": "win", "selection": "raw"}
    error = series.get(f"{prefix}observable_error", **named)
    assert error == pytest.approx(0.05)
    assert series.get(f"{prefix}run_duration_seconds", **other) is None
    assert len(series.of(f"{prefix}shots")) == 2


def test_the_newest_run_is_compared_with_runs_of_the_same_circuit_and_shots(engine):
    """0.9 after 0.7 and 0.8 of 1000 shots, where noise scores 0.5; the last circuit is new."""
    old, same, new = (compilation(native_digest=digit * 64) for digit in "aab")
    raw = {"shots": 1000, "hellinger_fidelity": 0.7, "normalized_fidelity": 0.4}
    mid, high = raw | {"hellinger_fidelity": 0.8, "normalized_fidelity": 0.6}, raw | {
        "hellinger_fidelity": 0.9, "normalized_fidelity": 0.8}  # fmt: skip
    add(
        engine,
        job(0, "done", compilation=old, scores=[score("raw", **raw)]),
        job(1, "done", compilation=same, scores=[score("raw", **mid)]),
        job(2, "done", compilation=old, scores=[score("raw", **high | {"shots": 999})]),
        job(3, "done", "aer:torino", compilation=old, scores=[score("raw", **raw)]),
        job(4, "done", compilation=same, scores=[score("raw", **high)]),
    )
    name, run = "stichwerk_benchmark_fidelity_change_ratio", C | {"backend": "sparse"}
    bounds = [told(engine).get(name, **run, bound=b) for b in ("low", "estimate", "high")]
    shares = [(f * 1000 + 2) / 1004 for f in (0.9, 0.7, 0.8)]
    spread = [share * (1 - share) / 1000 for share in shares]
    half = 2 * 1.959964 * (spread[0] + (spread[1] + spread[2]) / 4) ** 0.5
    assert bounds == pytest.approx([0.3 - half, 0.3, 0.3 + half])
    assert len(told(engine).of(name)) == 3
    add(engine, job(5, "done", compilation=new, scores=[score("raw", **raw)]))
    assert told(engine).of(name) == {}


def test_the_newest_comparison_counts_if_it_is_proven(engine):
    def result(n, peer, gates, verified="exact"):
        return PeerResult(
            comparison=f"run {n}", suite="games", program="skat-4, paper", form="logical",
            target="star:17", peer=peer, variant="0", two_qubit_gates=gates, two_qubit_depth=7,
            seconds=3.5, verified=verified, holds="any input", versions={},
        )  # fmt: skip

    add(
        engine,
        result(1, "qiskit", 60), result(1, "tket", 58), result(1, "stichwerk", 40),
        result(2, "qiskit", 61), result(2, "tket", 57, "refuted"),
    )  # fmt: skip
    series = told(engine)
    case = ("logical", "{}", "skat-4, paper", "games", "star:17")
    expected = {tuple(peer if part == "{}" else part for part in case): gates
                for peer, gates in (("qiskit", 61), ("stichwerk", 40))}  # fmt: skip
    assert series.of("stichwerk_peer_two_qubit_gates") == expected
    assert set(series.of("stichwerk_peer_two_qubit_depth").values()) == {7}
    assert set(series.of("stichwerk_peer_compile_duration_seconds").values()) == {3.5}


@pytest.mark.parametrize("many", [300, pytest.param(1000, marks=pytest.mark.full)])
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


def test_a_job_has_been_in_its_state_since_it_entered_it(engine):
    from workers.jobs.control import cancel

    (row,) = add(engine, job(1, "queued"))
    before = now()
    with Session(engine) as session:
        cancel(session, row.id)
    with Session(engine) as session:
        cancelled = session.scalars(select(Job)).one()
    # The database is asked for the time twice.
    assert before <= cancelled.state_since <= now()
    assert before <= cancelled.finished_at <= now()
