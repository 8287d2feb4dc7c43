"""The free phase of the illegal level: any unitary on a qutrit takes two CX."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit.quantum_info import Operator as Gates
from scipy.stats import unitary_group

from compiler.circuits.cx_cost import cx_cost
from games.endless_fun.operators.free_level import balancing_phase, completed, drawn

SEEDS = st.integers(0, 2**32 - 1)


def whole(wanted, phase):
    matrix = np.zeros((4, 4), complex)
    matrix[:3, :3], matrix[3, 3] = wanted, np.exp(1j * phase)
    return matrix


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


@given(SEEDS)
def test_other_phases_take_three(seed):
    """So the phase is not any one."""
    wanted = unitary_group.rvs(3, random_state=seed)
    phase = balancing_phase(wanted)
    assert cx_cost(whole(wanted, phase)) == 2
    assert cx_cost(whole(wanted, phase + 1)) == 3


@pytest.mark.parametrize(("a", "b"), [(0, 0), (1, 2), (2, 2)])
def test_phases_alone_take_none(a, b):
    wanted = np.diag(np.exp(2j * np.pi / 3 * np.array([0, a, b])))
    assert completed(wanted).cx_gates == 0
