"""Tables of amplitudes, and branches of a state."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import Statevector, random_unitary

from compiler.circuits.amplitude_table import AmplitudeTable
from compiler.circuits.branches import Branches
from compiler.circuits.gate_steps import steps_of
from compiler.errors import StateTooLargeError, VerificationError
from compiler.lowering.methods import lower_operators
from compiler.lowering.qiskit_level_3 import level_3
from compiler.measurement import final_measurements
from compiler.targets import target_from_spec
from compiler.verification.program import compared, program_state
from compiler.verification.simulation.exact import (
    SparseState,
    branched_state,
    exact_state,
    simulate,
)
from games import encoded, named_game
from tests.compiler.verification.test_simulation import ANGLES, assert_same_up_to_phase, dense

WIDE = 66


def colliding(marks):
    """Return places of which the marks cancel out, by Gaussian elimination over GF(2)."""
    basis = {}
    for place, mark in enumerate(map(int, marks)):
        left, members = mark, {place}
        while left:
            if (top := left.bit_length()) not in basis:
                basis[top] = left, members
                break
            left, members = left ^ basis[top][0], members ^ basis[top][1]
        else:
            return sorted(members)
    raise AssertionError("the marks are independent")


@pytest.fixture
def collision():
    """Qubits of a wide circuit whose marks cancel out, and one that is not among them."""
    marks = AmplitudeTable.of(np.zeros((1, WIDE), dtype=bool), 1).marks
    chain = colliding(marks)
    assert not np.bitwise_xor.reduce(marks[chain])
    return chain, next(qubit for qubit in range(WIDE) if qubit not in chain)


def entangled(chain, last):
    """Return a circuit that is all 0 or all 1 on some qubits, and reads two of them."""
    circuit = QuantumCircuit(WIDE, 2)
    circuit.h(chain[0])
    for a, b in zip(chain, [*chain[1:], last], strict=True):
        circuit.cx(a, b)
    circuit.measure([chain[0], last], [0, 1])
    return circuit


def test_a_circuit_that_only_looks_right_by_its_fingerprints_is_refused(collision):
    chain, last = collision
    program = entangled(chain, last)
    wrong = QuantumCircuit(WIDE, 2)
    wrong.h(last)
    wrong.measure([chain[0], last], [0, 1])
    with pytest.raises(VerificationError):
        compared(program, program_state(program), wrong, tuple(range(WIDE)))


@st.composite
def circuits(draw):
    """Up to 60 gates on two to eight qubits, some of them as wide as programs have them."""
    qubits = draw(st.integers(2, 8))
    circuit = QuantumCircuit(qubits)
    for _ in range(draw(st.integers(1, 60))):
        order = draw(st.permutations(range(qubits)))
        kinds = ["h", "ry", "rz", "x", "cx", "cz", "cx", "cz", "ch", "swap", "ccx", "barrier"]
        match draw(st.sampled_from(kinds)):
            case "ry" | "rz" as name:
                getattr(circuit, name)(draw(ANGLES), order[0])
            case "h" | "x" as name:
                getattr(circuit, name)(order[0])
            case "ccx" if qubits > 2:
                circuit.ccx(*order[:3])
            case "barrier":
                circuit.barrier()
            case "ccx":
                circuit.t(order[0])
            case name:
                getattr(circuit, name)(*order[:2])
    return circuit


def in_order_written(circuit, starts):
    """Return the branches of a circuit that begins in several basis states side by side."""
    qubits = range(circuit.num_qubits)
    branches = Branches(np.array([[s >> q & 1 for q in qubits] for s in starts], dtype=bool))
    branches.play(steps_of(circuit))
    branches.settle()
    return branches


@given(circuit=circuits(), data=st.data())
def test_random_circuits_agree_with_qiskit(circuit, data):
    qubits = circuit.num_qubits
    initial = data.draw(st.integers(0, (1 << qubits) - 1))
    wanted = Statevector.from_int(initial, 1 << qubits).evolve(circuit).data
    assert_same_up_to_phase(dense(branched_state(circuit, initial), qubits), wanted)
    assert_same_up_to_phase(dense(simulate(circuit, initial), qubits), wanted)
    if not initial:
        assert_same_up_to_phase(dense(exact_state(circuit), qubits), wanted)


@given(circuit=circuits(), data=st.data())
def test_runs_side_by_side_do_not_mix(circuit, data):
    """Each run has the amplitudes that it would have alone; runs may begin alike."""
    qubits = circuit.num_qubits
    starts = data.draw(st.lists(st.integers(0, (1 << qubits) - 1), min_size=1, max_size=6))
    branches = in_order_written(circuit, starts)
    for run, start in enumerate(starts):
        rows = branches.table.run_of == run
        state = SparseState(
            branches.table.bits(range(qubits))[rows], branches.table.amplitudes[rows]
        )
        wanted = Statevector.from_int(start, 1 << qubits).evolve(circuit).data
        assert_same_up_to_phase(dense(state, qubits), wanted)


def test_routed_circuits_stay_small():
    gates, _ = final_measurements(encoded(named_game("skat-9"), "lists").circuit)
    lowered = level_3(lower_operators(gates, "cheapest"), target_from_spec("heavy-hex:torino"), 0)
    state = branched_state(lowered.circuit, max_amplitudes=1 << 15)
    assert len(state.amplitudes) == 384


@pytest.mark.parametrize("engine", [branched_state, exact_state])
def test_products_of_small_angles_are_kept(engine):
    """Smaller amplitudes than 10⁻⁹ are part of a state: an inverse brings them back."""
    circuit = QuantumCircuit(6)
    circuit.ry(0.06, range(6))
    circuit.cx(range(5), range(1, 6))
    amplitudes = dense(engine(circuit), 6)
    wanted = Statevector(circuit).data
    assert 0 < np.abs(wanted).min() < 1e-9
    assert np.abs(np.abs(amplitudes) - np.abs(wanted)).max() < 1e-15


def test_bounds_are_kept():
    circuit = QuantumCircuit(8)
    for layer in range(6):
        for qubit in range(layer % 2, 7, 2):
            circuit.append(
                UnitaryGate(random_unitary(4, seed=layer * 8 + qubit)), [qubit, qubit + 1]
            )
    assert len(exact_state(circuit).amplitudes) == 256
    for engine in (branched_state, exact_state):
        with pytest.raises(StateTooLargeError, match="amplitudes"):
            engine(circuit, max_amplitudes=64)
