"""Signs: right wherever they have to be, with controls and with clean qubits."""

from itertools import combinations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator

from compiler.amplification.sign import Sign, Term, append_sign, cheapest_sign, price

QUBITS = 5

functions = st.dictionaries(
    st.integers(0, (1 << QUBITS) - 1), st.integers(0, 1), min_size=1, max_size=1 << QUBITS
)


def _diagonal(sign: Sign, clean: int, control: int | None = None) -> np.ndarray:
    """Return the matrix's diagonal on states in which the clean qubits are 0."""
    qubits = QUBITS + clean + (control is not None)
    circuit = QuantumCircuit(qubits)
    append_sign(circuit, evolve(sign, clean=tuple(range(qubits - clean, qubits))), control)
    matrix = Operator(circuit).data[:, : 1 << qubits - clean]
    kept = np.zeros_like(matrix)
    np.fill_diagonal(kept, np.diag(matrix))
    assert np.allclose(matrix, kept)
    return np.diag(matrix)


@given(functions)
@settings(max_examples=40, deadline=None)
def test_sign_is_right_on_states_that_occur(states: dict[int, int]) -> None:
    """Up to its constant, with enough clean qubits, with one, and with none."""
    sign = cheapest_sign(states, QUBITS)
    wanted = np.array([(-1) ** (value ^ sign.constant) for value in states.values()])
    for clean in (0, 1, 2):
        assert np.allclose(_diagonal(sign, clean)[list(states)], wanted)


@given(functions)
@settings(max_examples=15, deadline=None)
def test_controlled_sign_has_its_constant(states: dict[int, int]) -> None:
    """Where the control is 0 nothing happens, where it is 1 the whole sign."""
    diagonal = _diagonal(cheapest_sign(states, QUBITS), 0, control=QUBITS)
    assert np.allclose(diagonal[: 1 << QUBITS], 1)
    wanted = np.array([(-1) ** value for value in states.values()])
    assert np.allclose(diagonal[1 << QUBITS :][list(states)], wanted)


@pytest.mark.parametrize(
    ("states", "gates"),
    [
        ({state: state.bit_count() % 2 for state in range(32)}, 0),
        ({state: (state & 3 == 3) ^ (state & 12 == 12) for state in range(16)}, 2),
        ({state: int(state == 0) for state in range(8)}, 6),
        ({state: int(state == 0) for state in range(16)}, 12),
        ({state: int(state == 0) for state in (0, *(1 << q for q in range(4)))}, 0),
        ({state: int(state >= 3) for state in (0, 1, 3)}, 0),
    ],
)
def test_gates_of_known_functions(states: dict[int, int], gates: int) -> None:
    """Parity is free, a pair costs one; so is |0⟩ among one-hot states."""
    assert cheapest_sign({state: int(value) for state, value in states.items()}, 5)\
        .two_qubit_gates == gates  # fmt: skip


def test_no_sum_of_four_pairs_is_missed() -> None:
    """Against all sums of pairs over four qubits, by their number."""
    pairs = list(combinations(range(4), 2))
    for chosen in range(1 << len(pairs)):
        some = [pair for i, pair in enumerate(pairs) if chosen >> i & 1]
        states = {
            state: sum(state >> a & state >> b & 1 for a, b in some) % 2 for state in range(16)
        }
        found = cheapest_sign(states, 4).two_qubit_gates
        assert found == len(some) if len(some) <= 4 else found >= 5


def test_price_is_what_a_term_takes() -> None:
    """Six more for each literal beyond three, by a ladder of Toffoli gates up to a phase."""
    assert [price(literals) for literals in range(1, 7)] == [0, 1, 6, 12, 18, 24]
    circuit = QuantumCircuit(7)
    append_sign(circuit, Sign((Term((0, 1, 2, 3, 4), (1, 0, 1, 1, 1)),), clean=(5, 6)))
    assert circuit.decompose(["rccx", "rccx_dg", "ccz"], reps=3).num_nonlocal_gates() <= 20


def test_factors_are_shared() -> None:
    """a·b·(c + d + e + f) takes one AND in a clean qubit and four pairs, not four Toffoli gates."""
    states = {state: (state & 3 == 3) * (state >> 2).bit_count() % 2 for state in range(1 << 6)}
    sign = cheapest_sign(states, 7)
    assert (sign.shared, sign.two_qubit_gates) == (((6, (0, 1)),), 10)
    circuit = QuantumCircuit(7)
    append_sign(circuit, sign)
    diagonal = np.diag(Operator(circuit).data)[: 1 << 6]
    wanted = [(-1) ** (value ^ sign.constant) for value in states.values()]
    assert np.allclose(diagonal, wanted)
    assert cheapest_sign(states, 6).two_qubit_gates > 10
