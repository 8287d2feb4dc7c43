"""Measured bits, and expectation values."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from compiler.errors import InputError, StateTooLargeError
from compiler.expectation import MAX_OUTCOMES, Expectation, expectation_from_json, expectation_of
from compiler.measurement import (
    final_measurements,
    measure_at,
    with_layout,
    without_measured_phases,
)
from compiler.program import Program
from compiler.scores.scoring import score
from tests.independent import distribution


def test_gates_and_measurements_are_split():
    circuit = QuantumCircuit(3, 3, name="three", global_phase=0.25)
    circuit.h(0)
    circuit.barrier()
    circuit.cx(0, 2)
    circuit.measure(2, 0)
    circuit.h(1)
    circuit.barrier(0, 1)
    circuit.measure(0, 2)
    gates, measured = final_measurements(circuit)
    assert [item.operation.name for item in gates.data] == ["h", "barrier", "cx", "h"]
    assert (gates.num_clbits, gates.qubits) == (0, circuit.qubits)
    assert (gates.name, gates.global_phase) == ("three", 0.25)
    assert list(measured.items()) == [(0, 2), (2, 0)]
    assert len(circuit.data) == 7


@pytest.mark.parametrize("seed", range(30))
def test_phases_that_measurements_discard_are_left_out(seed):
    random, circuit = Random(seed), QuantumCircuit(3, 3)
    for name in random.choices(["h", "t", "cx", "cz", "rzz", "ccz", "measure", "reset"], k=20):
        *angles, qubits = {"rzz": (0.7, 2), "ccz": (3,), "cx": (2,), "cz": (2,)}.get(name, (1,))
        bits = [random.randrange(3)] if name == "measure" else []
        getattr(circuit, name)(*angles, *random.sample(range(3), qubits), *bits)
    circuit.cp(0.3, 0, 1)
    circuit.measure(range(3), range(3))
    without = without_measured_phases(circuit)
    assert without.size() < circuit.size()
    assert distribution(without) == pytest.approx(distribution(circuit), abs=1e-12)


def condition_on_an_outcome(circuit):
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], True)):
        circuit.x(1)


@pytest.mark.parametrize(
    "append",
    [
        lambda circuit: (circuit.measure(0, 0), circuit.x(0)),
        condition_on_an_outcome,
        lambda circuit: circuit.reset(0),
    ],
)
def test_what_no_single_state_describes_is_refused(append):
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    append(circuit)
    with pytest.raises(StateTooLargeError, match="measures, resets or branches before its end"):
        final_measurements(circuit)


def test_measurements_go_where_the_qubits_ended_up():
    program = QuantumCircuit(QuantumRegister(3, "q"), ClassicalRegister(2, "owner"))
    program.x(0)
    program.measure([2, 0], [0, 1])
    native = QuantumCircuit(5, global_phase=0.5)
    native.x(3)
    circuit = with_layout(measure_at(native, (3, 0, 4), program), program, (3, 4, 1), (3, 0, 4))
    assert circuit.layout.initial_index_layout(filter_ancillas=True) == [3, 4, 1]
    assert circuit.layout.final_index_layout(filter_ancillas=True) == [3, 0, 4]
    assert ({r.name: r.size for r in circuit.cregs}, circuit.num_qubits) == ({"owner": 2}, 5)
    gates, measured = final_measurements(circuit)
    assert dict(measured) == {0: 4, 1: 3}
    assert [(i.operation.name, gates.find_bit(i.qubits[0]).index) for i in gates.data] == [("x", 3)]
    assert (native.num_clbits, gates.global_phase) == (0, 0.5)


@pytest.mark.parametrize(
    "text",
    [
        '{"00": 1, "01": 1, "10": 0, "11": 2}',
        '{"00": 0.25, "01": 0.25, "11": 0.5}',
        '{"00": "1/4", "01": "1/4", "11": "1/2"}',
        '{"0 0": 250, "0 1": 2.5e2, "1 1": "500"}',
        '{"backend": "sparse", "counts": {"00": 1, "01": 1, "11": 2}, "shots": 4}',
    ],
)
def test_counts_and_probabilities_become_a_distribution(text):
    found = expectation_from_json(text, "counts.json")
    assert found.bits == 2
    assert found.shares == {0b00: 0.25, 0b01: 0.25, 0b11: 0.5}
    assert found.given


@given(st.dictionaries(st.integers(0, 2**70 - 1), st.integers(1, 10**6), min_size=1, max_size=20))
def test_shares_are_those_of_exact_fractions_and_outlive_being_kept(counts):
    found = expectation_of({f"{one:070b}": n for one, n in counts.items()}, "counts")
    exact = {one: Fraction(n, sum(counts.values())) for one, n in counts.items()}
    assert found.shares.keys() == exact.keys()
    for one, share in found.shares.items():
        assert abs(Fraction(share) - exact[one]) < Fraction(1, 10**14)
    assert Expectation.from_bytes(found.as_bytes()) == found


def test_the_same_distribution_is_kept_as_the_same_bytes():
    one = expectation_of({"01": 3, "10": 1}, "a")
    assert one.as_bytes() == expectation_of({"1 0": 0.25, "01": "3/4", "11": 0}, "b").as_bytes()
    assert one.as_bytes() != Expectation.computed(2, one.shares).as_bytes()
    assert one.as_bytes() != expectation_of({"001": 3, "010": 1}, "a").as_bytes()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ('{"02": 1}', "outcome '02': write a string of bits"),
        ('{"0": 1, "01": 1}', "outcomes of 1 and of 2 bits"),
        ('{"00": 1, "00": 1}', "'00' is there twice"),
        ('{"00": NaN}', "NaN is no number"),
        ('{"00": true}', "has 'True'; write a number"),
        ('{"00": 0, "11": 0.0}', "every outcome has the weight 0"),
    ],
)
def test_bad_files_are_refused_in_one_line(text, says):
    with pytest.raises(InputError) as refused:
        expectation_from_json(text, "counts.json")
    message = str(refused.value)
    assert message.startswith("counts.json: ")
    assert says in message
    assert message.isprintable()
    assert len(message) < 200


def test_too_many_outcomes_are_refused():
    most = {f"{one:020b}": 1 for one in range(MAX_OUTCOMES)}
    assert len(expectation_of(most, "a").shares) == MAX_OUTCOMES
    with pytest.raises(InputError, match="a: 65,537 outcomes; 65,536 are allowed"):
        expectation_of(most | {"1" * 20: 1}, "a")


def test_its_judge_calls_every_outcome_legal_and_scores_the_others_as_wrong():
    circuit = QuantumCircuit(2, 2, name="bell")
    judge = expectation_of({"00": 1, "11": 1}, "a").judge("bell.qasm")
    assert judge.name == (
        "bell.qasm, against the distribution that was given; the last classical bit comes first"
    )
    found, _ = score(Program.of_circuit(circuit, judge), {0b00: 30, 0b11: 30, 0b01: 40})
    # (√(0.3 · 0.5) · 2)², and uniform noise scores (√(0.25 · 0.5) · 2)² = 0.5.
    assert found.hellinger_fidelity == pytest.approx(0.6)
    assert found.normalized_fidelity == pytest.approx(0.2)
    assert found.tvd == pytest.approx(0.4)
    assert (found.legal_fraction, found.observables) == (1, {})
