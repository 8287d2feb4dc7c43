"""Simulators: sparse, dense, and of commuting gates."""

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit, transpile
from qiskit.circuit import library
from qiskit.quantum_info import Statevector, random_unitary

from compiler.errors import StateTooLargeError
from compiler.lowering.draft import Draft
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec
from compiler.verification.simulation.exact import (
    branched_state,
    commuted_state,
    exact_state,
    simulate,
    simulate_in_steps,
)
from compiler.verification.state_distance import MAX_QUBITS, dense_state, state_distance

ANGLES = st.sampled_from([0.0, pi / 2, pi, -pi / 4, 2 * pi]) | st.floats(-7, 7)
TOLERANCE = 1e-9


def dense(state, qubits):
    """Return the vector of a sparse state."""
    vector = np.zeros(1 << qubits, dtype=complex)
    np.add.at(vector, (state.bits.astype(np.int64) << np.arange(qubits)).sum(axis=1),
              state.amplitudes)  # fmt: skip
    return vector


def assert_same_up_to_phase(found, wanted):
    assert np.linalg.norm(found) == pytest.approx(1, abs=TOLERANCE)
    phase = np.vdot(wanted, found)
    assert abs(phase) == pytest.approx(1, abs=TOLERANCE)
    assert np.abs(found - phase * wanted).max() < 1e-8


def gadgets(count):
    """Pairs that are entangled and freed again, and meet one qubit while they are.

    All first meetings come before all second ones, which commute with them.
    """
    circuit = QuantumCircuit(2 * count + 1)
    circuit.h(0)
    for one in range(count):
        a, b = 2 * one + 1, 2 * one + 2
        circuit.h(a)
        circuit.cx(a, b)
        circuit.cz(0, a)
    for one in range(count):
        a, b = 2 * one + 1, 2 * one + 2
        circuit.cz(0, b)
        circuit.cx(a, b)
        circuit.h(a)
    return circuit


def test_what_commutes_is_played_pair_by_pair():
    circuit = gadgets(10)
    with pytest.raises(StateTooLargeError):
        branched_state(circuit, max_amplitudes=64)
    state = commuted_state(circuit, max_amplitudes=64)
    assert state.bits.sum(axis=0).tolist() == [1, *[0] * 20]
    assert np.abs(state.amplitudes) == pytest.approx([0.5**0.5] * 2)
    assert len(exact_state(circuit, max_amplitudes=64).amplitudes) == 2


def lowered(circuit, spec, seed=0):
    native = transpile(
        circuit, target=target_from_spec(spec), optimization_level=2, seed_transpiler=seed
    )
    initial = native.layout.initial_index_layout(filter_ancillas=True)
    return native, tuple(initial), tuple(native.layout.final_index_layout())


@pytest.mark.parametrize("spec", ["qft:5", "random-cx:6", "dicke:6", "grover:5"])
@pytest.mark.parametrize("wide", [1, 4])
def test_a_dense_state_is_qiskits(spec, wide):
    circuit = circuit_from_spec(spec, 1)
    circuit.append(library.UnitaryGate(random_unitary(1 << wide, seed=1)), range(wide))
    wanted = Statevector(circuit).data
    assert abs(np.vdot(wanted, dense_state(circuit))) == pytest.approx(1, abs=1e-12)


def test_a_routed_circuit_has_its_programs_state():
    program = circuit_from_spec("random-cx:6", 2)
    assert state_distance(program, Draft(*lowered(program, "heavy-hex:19"))) < 1e-13


def test_qubits_that_are_not_the_programs_must_end_in_zero():
    program = QuantumCircuit(1)
    program.x(0)
    native = QuantumCircuit(2)
    native.x(0)
    assert state_distance(program, Draft(native, (0,), (0,))) < 1e-15
    native.x(1)
    assert state_distance(program, Draft(native, (0,), (0,))) == pytest.approx(np.sqrt(2))


def test_too_many_qubits():
    wide = QuantumCircuit(MAX_QUBITS + 1)
    wide.h(range(MAX_QUBITS + 1))
    with pytest.raises(StateTooLargeError, match="25 qubits are more than the 24"):
        dense_state(wide)


def test_measuring_on_the_way_is_refused():
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    circuit.x(0)
    with pytest.raises(StateTooLargeError, match="before its end"):
        state_distance(circuit, Draft.of(circuit))


QUBITS = 5


@st.composite
def gates(draw):
    """Any gate that a program or a native circuit may hold, on at most four qubits."""
    angle = draw(ANGLES)
    base = draw(
        st.sampled_from(
            [
                *(
                    library.XGate(),
                    library.HGate(),
                    library.SXGate(),
                    library.ZGate(),
                    library.SwapGate(),
                ),
                *(library.RYGate(angle), library.RZGate(angle), library.PhaseGate(angle)),
                *(library.UGate(angle, 0.3, -1.1),),
            ]
        )
    )
    controls = draw(st.integers(0, 4 - base.num_qubits))
    if controls == 0:
        return base
    ctrl_state = draw(st.integers(0, (1 << controls) - 1))
    return base.control(controls, ctrl_state=ctrl_state, annotated=False)


NAMED = ["cx", "cz", "ccx", "cswap", "ecr", "rzz", "rxx", "r", "u", "sdg", "t", "y", "iswap", "dcx"]


@st.composite
def circuits(draw):
    """Up to 25 gates on five qubits, some of them nested in a gate of no name."""
    circuit = QuantumCircuit(QUBITS)
    for _ in range(draw(st.integers(1, 25))):
        order = draw(st.permutations(range(QUBITS)))
        kind = draw(st.sampled_from(["gate", "gate", "gate", "named", "prepare", "nested"]))
        if kind == "gate":
            gate = draw(gates())
            circuit.append(gate, order[: gate.num_qubits])
        elif kind == "named":
            name = draw(st.sampled_from(NAMED))
            angles = {"rzz": 1, "rxx": 1, "r": 2, "u": 3}.get(name, 0)
            width = {"ccx": 3, "cswap": 3, "r": 1, "u": 1, "sdg": 1, "t": 1, "y": 1}.get(name, 2)
            getattr(circuit, name)(*(draw(ANGLES) for _ in range(angles)), *order[:width])
        elif kind == "prepare":
            vector = np.array([draw(st.integers(-3, 3)) for _ in range(4)], dtype=complex)
            vector[draw(st.integers(0, 3))] += 4j
            preparation = library.StatePreparation(vector / np.linalg.norm(vector))
            circuit.append(preparation, order[:2])
        else:
            inner = QuantumCircuit(2, global_phase=draw(ANGLES))
            inner.ch(0, 1)
            inner.sx(0)
            gate = inner.to_gate()
            circuit.append(gate.control(1, annotated=False), order[:3])
            circuit.barrier()
    return circuit


@given(circuit=circuits(), initial=st.integers(0, (1 << QUBITS) - 1))
def test_random_circuits_agree_with_qiskit(circuit, initial):
    wanted = Statevector.from_int(initial, 1 << QUBITS).evolve(circuit).data
    for engine in (simulate, branched_state):
        assert_same_up_to_phase(dense(engine(circuit, initial), QUBITS), wanted)
    for engine in (commuted_state, exact_state):
        assert_same_up_to_phase(dense(engine(circuit), QUBITS), Statevector(circuit).data)


@given(segments=st.lists(circuits(), min_size=1, max_size=4))
def test_steps_agree_with_qiskit(segments):
    wanted = Statevector.from_int(0, 1 << QUBITS)
    states = list(simulate_in_steps(segments))
    assert len(states) == len(segments)
    for segment, state in zip(segments, states, strict=True):
        wanted = wanted.evolve(segment)
        assert_same_up_to_phase(dense(state, QUBITS), wanted.data)


def hadamards(qubits):
    circuit = QuantumCircuit(qubits)
    circuit.h(range(qubits))
    return circuit


def test_bound_is_the_number_of_amplitudes():
    assert len(simulate(hadamards(5), max_amplitudes=32).amplitudes) == 32
    with pytest.raises(StateTooLargeError, match="the state has more than 32 amplitudes"):
        simulate(hadamards(6), max_amplitudes=32)


def test_probabilities_of_more_than_sixty_four_qubits():
    circuit = QuantumCircuit(80)
    circuit.ry(2 * pi / 3, 0)
    circuit.cx(0, 79)
    state = simulate(circuit)
    assert state.probabilities(range(80)) == pytest.approx({0: 0.25, 1 << 79 | 1: 0.75})


def test_what_has_no_state_is_refused_by_name():
    circuit = QuantumCircuit(1)
    circuit.reset(0)
    with pytest.raises(StateTooLargeError, match="'reset'"):
        simulate(circuit)
