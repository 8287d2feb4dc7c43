"""Scheduling around a hub and around a resonator."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Statevector

from compiler.errors import VerificationError
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.hub.scheduling import hub_scheduling
from compiler.lowering.native import translated
from compiler.lowering.resonator.scheduling import resonator_scheduling
from compiler.targets import target_from_spec
from compiler.targets.resonator import MoveGate
from compiler.verification.program import require_moves

BUDGET = 20


def fidelity(circuit, draft):
    """Return how well a draft does what a circuit does, from a random state."""
    size, wires = draft.circuit.num_qubits, circuit.num_qubits
    state = np.random.default_rng(3).normal(size=(2, 2**wires))
    state = (state[0] + 1j * state[1]) / np.linalg.norm(state)
    wanted = Statevector(state).evolve(circuit)
    zero = Statevector.from_int(0, 2 ** (size - wires))
    spare = [q for q in range(size) if q not in draft.initial_layout]
    start = placed(zero.tensor(Statevector(state)), [*draft.initial_layout, *spare])
    spare = [q for q in range(size) if q not in draft.final_layout]
    end = placed(zero.tensor(wanted), [*draft.final_layout, *spare])
    return abs(end.inner(start.evolve(draft.circuit)))


def placed(state, places):
    """Return a state whose qubit k is put at `places[k]`."""
    size = len(places)
    axes = [size - 1 - places.index(qubit) for qubit in reversed(range(size))]
    return Statevector(state.data.reshape([2] * size).transpose(axes).reshape(-1))


def assert_on_star(circuit, hub):
    pairs = [
        {circuit.find_bit(q).index for q in item.qubits}
        for item in circuit.data
        if len(item.qubits) == 2
    ]
    assert all(hub in pair for pair in pairs)


@given(st.integers(3, 8), st.integers(0, 10_000), st.integers(0, 1))
def test_random_circuits_are_exact(qubits, seed, spare):
    circuit = random_circuit(qubits, 5, max_operands=3, seed=seed)
    target = target_from_spec(f"star:{qubits + spare}")
    draft = hub_scheduling.run(Draft.of(circuit), Setting(target, budget=BUDGET))
    assert_on_star(draft.circuit, 0)
    assert fidelity(circuit, draft) == pytest.approx(1, abs=1e-9)


def lowered(circuit, qubits, budget=10):
    """Return a circuit's draft on a resonator, after checking its moves."""
    target = target_from_spec(f"resonator:{qubits}")
    draft = resonator_scheduling.run(Draft.of(circuit), Setting(target, budget=budget))
    require_moves(draft.circuit)
    return draft, target


def assert_same(circuit, native, draft):
    """Compare the states that result from a random product state."""
    wanted, found = QuantumCircuit(native.num_qubits), QuantumCircuit(native.num_qubits)
    start = QuantumCircuit(circuit.num_qubits)
    for qubit, angles in enumerate(np.random.default_rng(4).uniform(0, 6, (start.num_qubits, 3))):
        start.u(*angles, qubit)
    wanted.compose(start.compose(circuit), draft.final_layout, inplace=True)
    found.compose(start, draft.initial_layout, inplace=True)
    found.compose(native, inplace=True)
    assert abs(Statevector(wanted).inner(Statevector(found))) == pytest.approx(1, abs=1e-9)


@given(st.integers(2, 5), st.integers(0, 10_000), st.integers(0, 1))
def test_random_circuits(qubits, seed, spare):
    circuit = random_circuit(qubits, 5, max_operands=3, seed=seed)
    draft, target = lowered(circuit, qubits + spare)
    native = translated(draft.circuit, target)
    require_moves(native)
    assert set(native.count_ops()) <= {"r", "cz", "move"}
    assert_same(circuit, draft.circuit, draft)
    assert_same(circuit, native, draft)


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (["move 0", "move 1"], "holds the state of 0"),
        (["move 0"], "qubit 0 stays in the resonator"),
        (["move 0", "x 0", "move 0"], "'x' on qubit 0, whose state is in the resonator"),
        (["move 0", "cz 0", "move 0"], "'cz' on qubit 0, whose state is in the resonator"),
        (["cz 1"], "uses an empty resonator"),
        (["move 0", "x 2", "move 0"], r"'x' on \[2\] uses an empty resonator, or it alone"),
    ],
)
def test_broken_rules(steps, message):
    circuit = QuantumCircuit(3)
    for name, qubit in (step.split() for step in steps):
        if name == "move":
            circuit.append(MoveGate(), [int(qubit), 2])
        elif name == "cz":
            circuit.cz(int(qubit), 2)
        else:
            circuit.x(int(qubit))
    with pytest.raises(VerificationError, match=message):
        require_moves(circuit)
