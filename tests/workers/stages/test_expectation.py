"""What circuits should measure: found out apart from the worker, once, and kept for who scores."""

import os
from math import sqrt

import pytest
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Statevector
from sqlalchemy.orm import Session

from compiler.errors import StateTooLargeError
from compiler.expectation import Expectation, expectation_of
from compiler.formats.circuit_files import qpy_bytes
from games.sources import Source
from workers.jobs.control import rescore
from workers.records.tables import Compilation, Order
from workers.sandbox.sandbox import (
    CallDiedError,
    Sandbox,
    shared_sandbox,
)
from workers.scoring import counts_of
from workers.stages import scoring
from workers.stages.scoring import MAX_AMPLITUDES, exact_expectation

UNEVEN = expectation_of({"000": 3, "111": 1}, "uneven").as_bytes()


@pytest.fixture(scope="module", autouse=True)
def sandbox():
    """The sandbox of this process, which takes long to start on a machine that is busy."""
    limits = {"most_bytes": 1 << 40, "seconds": 300.0, "attend": lambda: None}
    assert shared_sandbox().call(os.getpid, **limits) != os.getpid()


def fidelity(counts, exact):
    """Return the Hellinger fidelity, from its definition."""
    shots = sum(counts.values())
    return sum(sqrt(n / shots * exact.get(outcome, 0)) for outcome, n in counts.items()) ** 2


def plus(qubits):
    """Return a circuit that has as many outcomes as there are."""
    circuit = QuantumCircuit(qubits, qubits)
    circuit.h(range(qubits))
    circuit.measure(range(qubits), range(qubits))
    return Source("plus.qpy", qpy_bytes(circuit))


@pytest.mark.parametrize("seed", range(2))
def test_it_is_the_distribution_of_qiskits_state(seed):
    gates = random_circuit(5, 6, max_operands=3, seed=seed)
    exact = Statevector(gates).probabilities_dict([3, 0, 4])
    circuit = QuantumCircuit(5, 4)
    circuit.compose(gates, inplace=True)
    for clbit, qubit in ((0, 3), (3, 0), (1, 4)):
        circuit.measure(qubit, clbit)
    found = Expectation.from_bytes(exact_expectation(Source("own.qpy", qpy_bytes(circuit))))
    # Qiskit writes the first qubit on the right.
    wanted = {
        int(bits[2]) | int(bits[1]) << 3 | int(bits[0]) << 1: p
        for bits, p in exact.items()
        if p > 1e-12
    }
    assert (found.bits, found.given) == (4, False)
    assert found.shares == pytest.approx(wanted, abs=1e-9)


def test_states_up_to_the_bound_are_computed():
    most = MAX_AMPLITUDES.bit_length() - 1
    found = Expectation.from_bytes(exact_expectation(plus(most)))
    assert len(found.shares) == MAX_AMPLITUDES
    assert list(found.shares.values()) == pytest.approx([1 / MAX_AMPLITUDES] * MAX_AMPLITUDES)
    with pytest.raises(StateTooLargeError):
        exact_expectation(plus(most + 1))


def test_a_circuit_is_scored_by_its_state_which_is_computed_once(context, monkeypatch):
    computed = []

    def call(self, function, *arguments, **limits):
        computed.append(function)
        return called(self, function, *arguments, **limits)

    called = Sandbox.call
    monkeypatch.setattr(Sandbox, "call", call)
    first, second = context.submit(repeat=2)
    for job_id in (first, second):
        job = context.until(job_id)
        (row,) = job.scores
        assert (row.kind, row.legal_fraction) == ("raw", 1)
        exact = fidelity(counts_of(job), {0b000: 0.5, 0b111: 0.5})
        assert row.hellinger_fidelity == pytest.approx(exact)
    assert computed.count(exact_expectation) == 1
    with Session(context.engine) as session:
        kept = session.query(Compilation).one()
        assert Expectation.from_bytes(kept.expected).shares == pytest.approx({0: 0.5, 7: 0.5})
        assert kept.unscored is None


def test_what_a_user_expects_is_what_scores(context, ghz):
    (job_id,) = context.submit(evolve(ghz, expected=UNEVEN))
    job = context.until(job_id)
    (row,) = job.scores
    exact = fidelity(counts_of(job), {0b000: 0.75, 0b111: 0.25})
    assert row.hellinger_fidelity == pytest.approx(exact)
    (other,) = context.submit()
    assert context.until(other).scores[0].hellinger_fidelity != row.hellinger_fidelity
    with Session(context.engine) as session:
        assert {one.expected for one in session.query(Order)} == {UNEVEN, None}
        assert session.query(Compilation).count() == 2


@pytest.mark.parametrize(
    "error",
    [
        StateTooLargeError("more than 16384 amplitudes"),
        CallDiedError("the process that computed it is gone"),
    ],
)
def test_what_is_too_much_has_no_scores_and_says_so(context, monkeypatch, error):
    tried = []

    def call(self, function, *arguments, **limits):
        if function is not exact_expectation:
            return called(self, function, *arguments, **limits)
        tried.append(limits["seconds"])
        raise error

    called = Sandbox.call
    with monkeypatch.context() as patch:
        patch.setattr(Sandbox, "call", call)
        first, second = context.submit(repeat=2)
        for job_id in (first, second):
            assert (context.until(job_id).state, context.job(job_id).scores) == ("done", [])
    assert tried == [scoring.MAX_SECONDS]
    why = (
        f"no scores: the exact distribution of ghz.qasm is too large to compute ({error}); "
        "specify it with --expect"
    )
    for job_id in (first, second):
        assert ("scoring", why) in context.events(job_id)
    context.control(rescore, first)
    again = context.until(first)
    assert [row.kind for row in again.scores] == ["raw"]
    with Session(context.engine) as session:
        assert session.query(Compilation).one().unscored is None
