"""Figures of a comparison: ratios, who is to be credited, and what gates cost in seconds."""

import pytest
from attrs import evolve

from tests.workers.peers.cases import QFT, TOY
from workers.peers.comparison import Result
from workers.peers.costs import costs, mean_costs
from workers.peers.ratios import ProofShare, credits_of, proof_shares, ratios
from workers.peers.subjects import Form, Kind, Subject
from workers.peers.trials import ANY, ZERO


def result(name, gates, case=QFT, verified="exact", holds=ANY):
    return Result(case, name, 1, 0.0, 0.0, gates, 1, median=gates, verified=verified, holds=holds)


def test_ratios_are_taken_to_the_best_proven_peer():
    results = [
        result("qiskit", 20),
        result("tket", 16, verified="unverified"),
        result("stichwerk-any-input", 15),
        result("stichwerk", 10, holds=ZERO),
    ]
    any_input, from_zero = ratios(results)
    assert (any_input.peer, any_input.value, any_input.from_zero) == ("qiskit", 0.75, False)
    assert (from_zero.value, from_zero.from_zero) == (0.5, True)


@pytest.mark.parametrize(
    ("objective", "ratio"), [("two_qubit_depth", 0.5), ("expected_fidelity", 0.25)]
)
def test_ratios_are_those_of_the_objective(objective, ratio):
    case = evolve(QFT, target="heavy-hex:boston", objective=objective)
    figures = {"qiskit": (8, 0.1), "tket": (10, 0.2), "stichwerk-fast": (4, 0.8)}
    results = [
        evolve(result(name, 10, case), two_qubit_depth=depth, expected_fidelity=fidelity)
        for name, (depth, fidelity) in figures.items()
    ]
    (row,) = ratios(results)
    assert row.value == pytest.approx(ratio)


def test_shares_are_of_circuits_that_were_lowered():
    verdicts = ("exact", "exact", "unverified", "refuted", "failed", "skipped")
    results = [result("tket", 9, verified=verdict) for verdict in verdicts]
    (share,) = proof_shares([*results, result("tket", 9, TOY)])
    assert share == ProofShare("circuits", "tket", 4, 2, 1, 1)
    assert share.share == 0.5


def test_credits_split_synthesis_and_lowering():
    literal = evolve(TOY, form=Form.LITERAL)
    results = [
        result("qiskit", 1000, literal),
        result("stichwerk", 900, literal),
        result("tket", 50, TOY),
        result("stichwerk", 40, TOY),
    ]
    (credit,) = credits_of(ratios(results))
    assert (credit.literal, credit.logical, credit.ours) == (1000, 50, 40)


def cost(name, gates, cpu, case=QFT, verified="exact"):
    return evolve(result(name, gates, case, verified), cpu_seconds=cpu)


def test_costs_are_ratios_of_gates_and_of_cpu_seconds():
    wide = evolve(QFT, subject=Subject(Kind.CIRCUIT, "qft:48"), target="star:48")
    found = costs(
        [
            cost("qiskit", 100, 2.0, wide),
            cost("stichwerk-fast", 80, 4.0, wide),
            cost("qiskit", 20, 1.0),
            cost("tket", 10, 4.0, verified="unverified"),
            cost("stichwerk-fast", 5, 2.0),
            result("bqskit", None, verified="failed"),
        ]
    )
    assert [
        (c.peer, c.reference, c.qubits, c.gates_ratio, c.cpu_ratio, c.gates_won_per_cpu_second)
        for c in found
    ] == [
        ("qiskit", "tket", 5, 2.0, 0.25, -10.0),
        ("tket", "qiskit", 5, 0.5, 4.0, 2.5),
        ("stichwerk-fast", "qiskit", 5, 0.25, 2.0, 7.5),
        ("stichwerk-fast", "tket", 5, 0.5, 0.5, 2.5),
        ("stichwerk-fast", "qiskit", 48, 0.8, 2.0, 5.0),
    ]
    means = {(m.peer, m.reference, m.sizes): m for m in mean_costs(found)}
    assert len(means) == 5
    assert means["stichwerk-fast", "qiskit", (17, 59)].gates == pytest.approx(0.8)
    alike = [evolve(c, qubits=5) for c in found if c.reference == "qiskit"]
    (ours,) = [m for m in mean_costs(alike) if m.peer == "stichwerk-fast"]
    assert (ours.gates, ours.cpu, ours.circuits) == (
        pytest.approx((0.25 * 0.8) ** 0.5),
        pytest.approx(2.0),
        2,
    )
