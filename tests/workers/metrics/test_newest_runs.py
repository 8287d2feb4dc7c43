"""What is told of the newest circuits, runs and comparisons, on both databases."""

from datetime import timedelta

import pytest

from compiler.lowering.pipeline import passes_from_zero
from tests.workers.metrics.rows import TODAY, add, compilation, job, score, told
from workers.records.tables import (
    Candidate,
    PeerResult,
)

C = {"program": "skat-4", "target": "star:17", "method": "best", "encoding": "paper", "variant": ""}


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


def test_the_newest_estimate_of_every_kind(engine):
    def estimated(n, backend="aer:torino", estimator="counting", **found):
        asked = {"observable": "win", "estimator": estimator, "confidence": 0.95}
        told = {
            "estimate": 0.45, "low": 0.4, "high": 0.5, "exact": 0.42, "calls": 900, "deepest": 4,
            "sampling_calls": 1800, "reached": True, "method": "best", "encoding": "paper",
            "variant": "", "rounds": [], "title": "P(win)",
        }  # fmt: skip
        return job(n, "done", backend, program="skat-4", target="star:17", kind="estimation",
                   request=asked, result=told | found, finished_at=TODAY)  # fmt: skip

    far = estimated(4, "aer", exact=None, sampling_calls=None)
    (parent, *_) = add(
        engine, estimated(1, estimate=0.1), estimated(2), estimated(3, estimator="bayesian"), far
    )
    round_ = compilation(program="skat-4, 4 iterates.qpy")
    add(engine, job(5, "done", "aer:torino", parent_id=parent.id, compilation=round_))
    series = told(engine)
    labels = C | {"backend": "aer:torino", "observable": "win", "estimator": "counting"}
    for name, value in (
        ("probability", 0.45), ("exact", 0.42), ("error", 0.03), ("half_width", 0.05),
        ("calls", 900), ("sampling_calls", 1800), ("iterates", 4),
        ("timestamp_seconds", TODAY.timestamp()),
    ):  # fmt: skip
        found = series.get(f"stichwerk_estimate_{name}", **labels)
        assert found == pytest.approx(value, rel=1e-9), name
    assert len(series.of("stichwerk_estimate_calls")) == 3
    # Unknown values are left out.
    assert len(series.of("stichwerk_estimate_exact")) == 2
    assert series.of("stichwerk_benchmark_gates") == {}
