"""Rounds on qutrit machines: gates, noise, and operators on two qubits each."""

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Operator as Gates
from scipy.stats import unitary_group

from compiler.synthesis.method import predictions
from compiler.verification.operators import verify_methods
from games.endless_fun.encodings.fused import fused
from games.endless_fun.native.gates import card_by_card, ditqasm, on_qudits
from games.endless_fun.native.machines import (
    Noise,
    final_state,
    merged,
    noisy_distribution,
    played_on_machines,
)
from games.endless_fun.operators.cards import levels_moved
from games.endless_fun.operators.codes import moved
from games.endless_fun.operators.free_level import completed, drawn
from games.endless_fun.operators.qutrit import (
    QutritCards,
    places,
)
from games.endless_fun.rules.gates import Gate
from games.endless_fun.rules.round import Round
from games.endless_fun.rules.state import end_state
from games.game import named_game
from tests.games.endless_fun.rounds import rounds
from tests.games.endless_fun.test_rounds import SINGLE, simulated

GATE = re.compile(r"(\w+) q\[(\d+)\](?:,q\[(\d+)\])?;")
MEASURE = re.compile(r"measure q\[(\d+)\] -> c\[(\d+)\];")


def formats_gates(d):
    """Return x, z, h and s as MQT Qudits defines them."""
    root, level = np.exp(2j * np.pi / d), np.arange(d)
    return {
        "x": np.roll(np.eye(d), 1, axis=0),
        "z": np.diag(root**level),
        "h": root ** np.outer(level, level) / np.sqrt(d),
        "s": np.diag([1, 1j]) if d == 2 else np.diag(root ** (level * (level + 1) // 2 % d)),
    }


def read(text):
    """Run a DITQASM text; return the probabilities of register c."""
    header, qreg, creg, *rest = text.splitlines()
    assert header == "DITQASM 2.0;"
    n, dimensions = re.fullmatch(r"qreg q \[(\d+)\]\[([\d,]+)\];", qreg).groups()
    (d,) = set(map(int, dimensions.split(",")))
    n = int(n)
    assert creg == f"creg c[{n}];"
    state = np.zeros((d,) * n, complex)
    state[(0,) * n] = 1
    outputs = {}
    for line in rest:
        if found := MEASURE.fullmatch(line):
            outputs[int(found[2])] = int(found[1])
            continue
        name, one, other = GATE.fullmatch(line).groups()
        one = int(one)
        if name == "csum":
            moved = np.zeros_like(state)
            for index in np.ndindex(*state.shape):
                to = list(index)
                to[int(other)] = (index[int(other)] + index[one]) % d
                moved[tuple(to)] = state[index]
            state = moved
        else:
            assert other is None
            gate = formats_gates(d)[name]
            state = np.moveaxis(np.tensordot(gate, state, axes=(1, one)), 0, one)
    return np.moveaxis(np.abs(state) ** 2, [outputs[c] for c in range(n)], range(n))


@given(rounds())
@settings(deadline=None, max_examples=50)
def test_ditqasm_does_what_the_cards_do(played):
    found = read(ditqasm(fused(played)))
    expected = end_state(played).probabilities()
    for values, probability in np.ndenumerate(found):
        assert probability == pytest.approx(float(expected.get(values, 0)), abs=1e-9)


def test_without_errors_all_machines_are_right():
    for played in played_on_machines(named_game("endless-fun:pair"), Noise(0.0, 1)):
        assert played.fidelity == pytest.approx(1)
        assert played.legal == pytest.approx(1)
        assert played.winning_state == pytest.approx(1 / 3)


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


SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS)
def test_any_unitary_takes_two_gates_at_most(seed):
    wanted = unitary_group.rvs(3, random_state=seed)
    completion = completed(wanted)
    assert completion.cx_gates <= 2
    circuit = drawn(completion)
    done = Gates(circuit).data
    assert abs(np.vdot(done[:3, :3], wanted)) == pytest.approx(3, abs=1e-8)
    assert abs(done[3, 3]) == pytest.approx(1, abs=1e-8)
    assert sum(item.operation.name == "cx" for item in circuit.data) == completion.cx_gates


CODE_NUMBERS = range(6)


@pytest.mark.parametrize("card", ["X1", "X2", "Y1", "Y2"])
def test_a_card_that_moves_levels_costs_nothing_if_it_is_relabelled(card):
    levels = levels_moved(SINGLE[3][card])
    for code in CODE_NUMBERS:
        operator = QutritCards(code, moved(code, levels), *places(Gate(card)))
        assert predictions(operator)["completed"] == 0
        verify_methods(operator)
