"""Circuits that are run for a match: the one so far, and the collapsed state afresh."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector, random_statevector

from compiler.verification.program import outcome_distribution, program_state
from games.playing.match_log import How
from games.playing.oracle import ExactOracle
from games.playing.playable import playables
from games.playing.trials import (
    EXPECTED,
    LEAST_SHOTS,
    NotRunnableError,
    afresh,
    preparation,
    replay,
)

ROUNDS = [{}, {"measured_qubit": "reset"}]


def matches_that_wait(options, seed=5):
    """Yield matches in which something is waited for that is not certain."""
    match = playables["six-nimmt"].start({"seats": 3, "seed": seed, "options": options})
    random, oracle = Random(seed), ExactOracle(3)
    while not match.over:
        if match.awaited:
            if len(match.chances()) > 1:
                yield match
            match = match.learnt(oracle.measured(match))
            continue
        seat = match.to_move[0]
        match = match.play(seat, random.choice(list(match.legal_moves(seat))))


def measured(circuit):
    found = outcome_distribution(circuit, program_state(circuit))
    return {tuple(bits >> i & 1 for i in range(circuit.num_clbits)): p for bits, p in found.items()}


@pytest.mark.parametrize("options", ROUNDS)
def test_what_is_selected_or_prepared_has_the_exact_probabilities(options):
    number = 0
    for match in matches_that_wait(options):
        number += 1
        exact = {outcomes: float(p) for outcomes, p in match.chances().items()}
        whole = measured(replay(match.program().circuit, match.known).circuit)
        kept = {
            outcomes[len(match.known) :]: p
            for outcomes, p in whole.items()
            if outcomes[: len(match.known)] == match.known and p > 1e-9
        }
        total = sum(kept.values())
        assert {way: p / total for way, p in kept.items()} == pytest.approx(exact)
        fresh = afresh(match.program().circuit, match.known)
        assert fresh.known == ()
        new = measured(fresh.circuit)
        assert {way: p for way, p in new.items() if p > 1e-9} == pytest.approx(exact)
        assert fresh.circuit.num_nonlocal_gates() <= 11 + match.awaited * 10
    assert number > 5


def test_shots_are_chosen_so_that_enough_agree():
    circuit = QuantumCircuit(2, 12)
    for bit in range(12):
        circuit.h(0)
        circuit.measure(0, bit)
    for known in range(1, 9):
        trial = replay(circuit, (0,) * known)
        assert trial.shots == max(LEAST_SHOTS, EXPECTED * 2**known)
        assert trial.how is How.SELECTED
    with pytest.raises(NotRunnableError, match="would take 16,384 shots, and at most 10,000"):
        replay(circuit, (0,) * 9)


def test_only_shots_that_can_be_count():
    circuit = QuantumCircuit(1, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.measure(0, 1)
    trial = replay(circuit, (1,))
    possible = {(1,): Fraction(1)}
    # Bit 0 is the first one; 1 and then 0 cannot be measured.
    assert trial.agreeing({0b11: 30, 0b01: 9, 0b10: 5, 0b00: 56}, possible) == {(1,): 30}
    assert trial.belongs({0b11: 100})
    assert not trial.belongs({0b11: 99})
    assert not trial.belongs({0b100: 100})
    assert not trial.belongs({0b11: 101, 0b00: -1})


def test_what_changes_no_outcome_is_not_run():
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.h(1)
    circuit.measure(0, 0)
    circuit.cx(0, 1)
    assert replay(circuit, ()).circuit.count_ops() == {"h": 1, "measure": 1}


def conditional():
    circuit = QuantumCircuit(1, 2)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(0)
    circuit.measure(0, 1)
    return circuit


def entangled_reset():
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.reset(0)
    circuit.measure(1, 0)
    return circuit


@pytest.mark.parametrize(
    ("circuit", "known", "message"),
    [
        (conditional(), (0,), "'if_else' on the way cannot be replayed"),
        (conditional(), (1,), "what is known of the circuit so far cannot be measured"),
        (entangled_reset(), (), "a reset of a qubit that is entangled cannot be replayed"),
        (QuantumCircuit(11, 1), (), "a state of 11 qubits is not prepared afresh, only up to 10"),
    ],
)
def test_what_cannot_be_replayed_is_told(circuit, known, message):
    with pytest.raises(NotRunnableError) as error:
        afresh(circuit, known)
    assert str(error.value) == message


@pytest.mark.parametrize("qubits", [1, 2, 3, 4])
def test_states_are_prepared(qubits):
    for seed in range(3):
        state = np.asarray(random_statevector(1 << qubits, seed).data)
        circuit = preparation(state)
        made = np.asarray(Statevector(circuit).data)
        assert abs(np.vdot(made, state)) == pytest.approx(1)
        assert circuit.num_nonlocal_gates() <= 2**qubits - qubits - 1


def test_qubits_that_are_not_entangled_cost_nothing():
    bell = np.array([1, 0, 0, 1j]) / np.sqrt(2)
    plus = np.array([1, -1]) / np.sqrt(2)
    # Qubit 0 is minus, qubits 1 and 3 are entangled, qubit 2 is one.
    state = np.zeros((2, 2, 2, 2), complex)
    for one in range(2):
        for three in range(2):
            state[three, 1, one, :] = bell[2 * three + one] * plus
    circuit = preparation(state.reshape(-1))
    assert abs(np.vdot(np.asarray(Statevector(circuit).data), state.reshape(-1))) == (
        pytest.approx(1)
    )
    assert circuit.num_nonlocal_gates() == 1
