"""Rounds in DITQASM, and operators on two qubits each."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Operator as Gates
from scipy.stats import unitary_group

from compiler.synthesis.method import predictions
from compiler.verification.operators import verify_methods
from games.endless_fun.ditqasm import ditqasm
from games.endless_fun.encodings.fused import fused
from games.endless_fun.operators.cards import levels_moved
from games.endless_fun.operators.codes import moved
from games.endless_fun.operators.free_level import completed, drawn
from games.endless_fun.operators.qutrit import QutritCards, places
from games.endless_fun.rules.gates import Gate
from games.endless_fun.rules.state import end_state
from tests.games.endless_fun.rounds import rounds
from tests.games.endless_fun.test_rounds import SINGLE

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
        if measurement := MEASURE.fullmatch(line):
            outputs[int(measurement[2])] = int(measurement[1])
            continue
        name, first, other = GATE.fullmatch(line).groups()
        first = int(first)
        if name == "csum":
            moved = np.zeros_like(state)
            for index in np.ndindex(*state.shape):
                to = list(index)
                to[int(other)] = (index[int(other)] + index[first]) % d
                moved[tuple(to)] = state[index]
            state = moved
        else:
            assert other is None
            gate = formats_gates(d)[name]
            state = np.moveaxis(np.tensordot(gate, state, axes=(1, first)), 0, first)
    return np.moveaxis(np.abs(state) ** 2, [outputs[c] for c in range(n)], range(n))


@given(rounds())
@settings(deadline=None, max_examples=50)
def test_ditqasm_does_what_the_cards_do(played):
    probabilities = read(ditqasm(fused(played)))
    expected = end_state(played).probabilities()
    for values, probability in np.ndenumerate(probabilities):
        assert probability == pytest.approx(float(expected.get(values, 0)), abs=1e-9)


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
