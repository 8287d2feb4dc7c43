"""Rules of comparing runs, and the answer whether a machine got better."""

import pytest
from attrs import evolve
from sqlalchemy.orm import Session

from compiler.expectation import Expectation
from compiler.words.run_options import RunOptions
from tests.workers.metrics.rows import add, compilation, job, score, told
from tests.workers.records.queries.made_runs import KIND, run
from workers.batches.running import drifts
from workers.records.queries.comparisons import (
    MAX_EARLIER_RUNS,
    answer,
    compare_jobs,
    compare_runs,
)
from workers.records.queries.runs import count_runs, read_runs
from workers.records.tables import Job


@pytest.fixture
def engine(each_engine):
    return each_engine


def compared(*runs, outcomes=8):
    """The comparison of the last of some runs with the others."""
    (one,) = compare_runs(runs[-1:], runs, lambda _: outcomes)
    return one


@pytest.mark.parametrize(("signal", "verdict"), [(0.85, "better"), (0.55, "worse")])
def test_a_machine_that_changed_is_found(signal, verdict):
    one = compared(*(run(number, 0.70) for number in range(1, 6)), run(6, signal))
    assert one.change.verdict == verdict
    said = answer([one])
    assert said.startswith(f"ibm:torino got {verdict}: toy (fast · paper) on ibm:torino, ")
    assert "job 6 against 5 runs of the same circuit since 2026-01-31" in said
    assert said.endswith("(1 of 1 comparison).")
    low, high = one.change.low, one.change.high
    assert f"[{low:+.3f}, {high:+.3f}]".replace("-", "\u2212") in said


@pytest.mark.parametrize(
    "other",
    [
        {"circuit": "new"},
        {"backend": "ibm:fez"},
        {"configuration": evolve(KIND, digest="b" * 64)},
        {"configuration": evolve(KIND, encoding="lists")},
        {"job": 3},
        {"scores": {}},
    ],
)
def test_only_earlier_runs_of_the_same_circuit_program_and_backend_are_compared(other):
    old, new = run(1, 0.7), run(2, 0.7)
    assert compared(old, new).change.runs == 1
    assert compared(evolve(old, **other), new).change is None


def test_another_method_that_gives_the_same_circuit_is_compared():
    old = evolve(run(1, 0.7), configuration=evolve(KIND, method="best"))
    assert [one.job for one in compared(old, run(2, 0.7)).earlier] == [1]


def test_other_numbers_of_shots_are_compared_within_limits():
    many, few = run(1, 0.7, shots=8000), run(2, 0.7, shots=2000)
    assert compared(many, few).change is not None
    assert compared(many, run(2, 0.7, shots=1999)).change is None
    assert compared(many, few, outcomes=None).change is None
    assert compared(many, evolve(many, job=2), outcomes=None).change is not None
    with_fewer = compared(run(1, 0.7, shots=100), evolve(many, job=2), evolve(few, job=3))
    assert [one.job for one in with_fewer.earlier] == [2]


def test_the_newest_comparable_runs_before_are_compared():
    runs = [run(number, 0.7) for number in range(1, MAX_EARLIER_RUNS + 10)]
    one = compared(*runs, run(99, 0.7))
    newest_first = [earlier.job for earlier in runs[::-1]]
    assert [earlier.job for earlier in one.earlier] == newest_first[:MAX_EARLIER_RUNS]
    assert one.change.runs == MAX_EARLIER_RUNS


def test_the_largest_changes_are_named_and_the_others_counted():
    runs = [
        run(10 * place + number, 0.4 + place / 50 if number == 3 else 0.7, backend=f"ibm:{place}")
        for place in range(5)
        for number in range(4)
    ]
    said = answer(compare_runs(runs[3::4], runs, lambda _: 8))
    assert said.count(" got worse: ") == 3
    assert said.startswith("ibm:0 got worse: ")
    assert said.endswith("; 2 more in the table (5 of 5 comparisons).")


def test_nothing_to_compare():
    assert answer([]) == answer([compared(run(1, 0.7))])
    assert answer([]).startswith("No comparison yet: ")


RAW = {"shots": 1000, "hellinger_fidelity": 0.9, "normalized_fidelity": 0.8}
LOW = {"hellinger_fidelity": 0.5, "normalized_fidelity": 0.0}


def recorded(engine, *jobs, **compiled):
    """Numbers of jobs of one circuit on one backend; each is its raw score and its columns."""
    circuit = compilation(**{"native_digest": "a" * 64} | compiled)
    rows = [
        job(
            n,
            backend="aer:torino",
            compilation=circuit,
            scores=[score("raw", **RAW | raw)],
            **{"state": "done"} | own,
        )
        for n, (raw, own) in enumerate(jobs)
    ]
    return [row.id for row in add(engine, *rows)]


def changes(engine):
    """The change of the newest untreated run by queries, by drift, and by the metrics."""
    with Session(engine) as session:
        ids = [run.job for run in read_runs(session)]
        [one] = compare_jobs(session, ids[:1])
        change = one.change
        found = drifts(session, [session.get_one(Job, ids[0])])
    series = told(engine).of("stichwerk_benchmark_fidelity_change_ratio")
    metrics = {labels[list(labels).index(bound)]: value
               for bound in ("low", "estimate", "high")
               for labels, value in series.items() if bound in labels}  # fmt: skip
    return change, found, metrics


def test_treated_scored_otherwise_and_unfinished_runs_are_not_compared(engine):
    ids = recorded(
        engine,
        (LOW, {"run_options": RunOptions(noise=3)}),
        (LOW, {"run_options": RunOptions(twirling=True)}),
        ({}, {}),
        (LOW, {"run_options": RunOptions(decoupling=True)}),
        (LOW, {"state": "failed"}),
        ({}, {"executed": "proven equivalent"}),
        (LOW, {"run_options": RunOptions(noise=5)}),
        (LOW, {"executed": "different"}),
    )
    selected = [score(kind, **RAW | LOW) for kind in ("post_selected", "mitigated")]
    with Session(engine) as session:
        scored = session.get_one(Job, ids[2])
        scored.scores.extend(selected)
        session.commit()
        assert [run.job for run in read_runs(session)] == [ids[5], ids[2]]
        assert count_runs(session) == 2
        found = compare_jobs(session, ids)
    assert [(one.newest.job, [run.job for run in one.earlier]) for one in found] == [
        (ids[5], [ids[2]]), (ids[2], []),
    ]  # fmt: skip
    assert answer(found).startswith("No significant change (1 comparison).")


@pytest.mark.parametrize("shots", [1000, 4000])
def test_queries_drift_and_metrics_say_the_same_of_other_shots(engine, shots):
    """The toy has 8 outcomes: 0.5 - 0.9, corrected by 7/(4 shots), at twice the scale."""
    recorded(engine, ({}, {}), ({"shots": shots, **LOW}, {}))
    change, [drift], metrics = changes(engine)
    bias = 0 if shots == 1000 else 7 / (4 * shots) - 7 / 4000
    assert change.difference == pytest.approx(2 * (-0.4 + bias))
    assert (change.verdict, drift["verdict"], drift["runs"]) == ("worse", "worse", 1)
    figures = {"low": change.low, "estimate": change.difference, "high": change.high}
    assert metrics == pytest.approx(figures)
    assert [drift[name] for name in ("low", "difference", "high", "sigmas")] == pytest.approx(
        [*figures.values(), change.sigmas]
    )


@pytest.mark.parametrize(("outcomes", "compared"), [(2, True), (200, False)])
def test_outcomes_of_circuits_are_those_that_they_are_expected_to_measure(
    engine, outcomes, compared
):
    shares = dict.fromkeys(range(outcomes), 1 / outcomes)
    expected = Expectation.computed(8, shares).as_bytes()
    circuit = {"program": "own.qasm", "encoding": "none", "expected": expected}
    recorded(engine, ({}, {}), ({"shots": 2000}, {}), **circuit)
    with Session(engine) as session:
        [one] = compare_jobs(session, [2])
    assert (one.change is not None) is compared
