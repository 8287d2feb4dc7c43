"""Rounds on lanes of their own levels: without errors, and with them."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from games.endless_fun.encodings.fused import fused
from games.endless_fun.native.gates import card_by_card, on_qudits
from games.endless_fun.native.machines import final_state, merged, noisy_distribution
from games.endless_fun.rules.round import Round
from tests.games.endless_fun.dense import simulated
from tests.games.endless_fun.rounds import rounds

TRAJECTORIES = 1500


def values(circuit, lanes):
    """Return an array over lanes as one over qudits."""
    return np.moveaxis(lanes, circuit.outputs, range(circuit.width))


def density(circuit, error):
    """Return the exact distribution of lanes by a density matrix, each error summed."""
    d, n = circuit.dimension, circuit.width
    state = np.zeros((d**n, d**n), complex)
    state[0, 0] = 1
    clock, shift = np.diag(np.exp(2j * np.pi * np.arange(d) / d)), np.roll(np.eye(d), 1, axis=0)
    power = np.linalg.matrix_power
    weyl = [power(shift, x) @ power(clock, z) for x, z in product(range(d), repeat=2)]
    for gate in circuit.gates:
        matrix = whole(gate.matrix, gate.lanes, d, n)
        state = matrix @ state @ matrix.conj().T
        if len(gate.lanes) == 2:
            errors = [whole(np.kron(a, b), gate.lanes, d, n) for a, b in product(weyl, repeat=2)]
            struck = sum(e @ state @ e.conj().T for e in errors[1:]) / (d**4 - 1)
            state = (1 - error) * state + error * struck
    return state.diagonal().real.reshape((d,) * n)


def whole(matrix, lanes, d, n):
    """Return a gate's matrix on all lanes, entry by entry."""
    found = np.zeros((d**n, d**n), complex)
    for column, before in enumerate(product(range(d), repeat=n)):
        at = int("".join(str(before[lane]) for lane in lanes), d)
        for row, to in enumerate(product(range(d), repeat=len(lanes))):
            after = list(before)
            for lane, value in zip(lanes, to, strict=True):
                after[lane] = value
            found[int("".join(map(str, after)), d), column] = matrix[row, at]
    return found


@given(rounds())
@settings(deadline=None)
def test_both_forms_give_the_distribution_of_the_truth_tables(played):
    rows = [[gate.value for gate in row] for row in played.rows]
    if played.pauli and any("Y" in row for row in rows):
        return
    expected = np.abs(simulated(played.dimension, played.start, rows)) ** 2
    for circuit in (on_qudits(fused(played)), card_by_card(played)):
        for same in (circuit, merged(circuit)):
            found = values(same, np.abs(final_state(same)) ** 2).reshape(-1)
            assert found == pytest.approx(expected, abs=1e-9)


@given(rounds())
@settings(deadline=None)
def test_merging_keeps_gates_on_two_lanes(played):
    circuit = card_by_card(played)
    assert merged(circuit).two_body == circuit.two_body
    assert merged(circuit).two_body_depth == circuit.two_body_depth
    assert on_qudits(fused(played)).two_body <= circuit.two_body


@pytest.mark.parametrize("dimension", [2, 3])
def test_errors_are_those_of_a_density_matrix(dimension):
    gates = {2: "H1 I CNOTr I SWAPr X CNOTr I", 3: "H3 I CNOTr I SWAPr X1 CNOTr I"}[dimension]
    circuit = card_by_card(Round.parsed("01", gates, dimension))
    exact = density(circuit, 0.1)
    found = noisy_distribution(merged(circuit), 0.1, TRAJECTORIES, seed=3)
    assert found.sum() == pytest.approx(1)
    assert found == pytest.approx(exact, abs=2 / np.sqrt(TRAJECTORIES))
    clean = noisy_distribution(circuit, 0.0, 1)
    assert clean == pytest.approx(density(circuit, 0), abs=1e-9)
    assert np.abs(clean - exact).max() > 0.02


def test_a_gate_that_always_fails_is_never_right():
    """CNOT of |1, 0⟩ gives |1, 1⟩ only if the error does nothing but phases: 8 of 80."""
    circuit = card_by_card(Round.parsed("10", "CNOTr I", 3))
    assert density(circuit, 1)[1, 1] == pytest.approx(8 / 80)
    found = noisy_distribution(circuit, 1, TRAJECTORIES, seed=1)
    assert found[1, 1] == pytest.approx(8 / 80, abs=4 * np.sqrt(0.1 * 0.9 / TRAJECTORIES))


def test_gates_and_layers_on_two_lanes_are_counted():
    played = Round.parsed("000", "H3 I I CNOTr SWAPr I I I CNOTl", 3)
    assert card_by_card(played).two_body == 1 + 3 + 1
    assert card_by_card(played).two_body_depth == 5
    assert on_qudits(fused(played)).two_body == 2
