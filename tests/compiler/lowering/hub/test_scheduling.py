"""Hub schedules: exact from any state, and cheaper than stock routers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Operator, Statevector
from qiskit.transpiler import CouplingMap, Target

from compiler.circuits.cx_cost import cx_cost
from compiler.errors import TargetError
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.hub.blocks import blocks_of, bridged, schedule
from compiler.lowering.hub.problem import hub_problem, units_of
from compiler.lowering.hub.scheduling import hub_of, hub_scheduling, is_star, scheduled
from compiler.lowering.interactions.interactions import exponential, interactions_of
from compiler.lowering.interactions.merging import merged
from compiler.targets import target_from_spec

BUDGET = 20
Z = np.array([0.0, 0.0, 1.0])


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


def random_cx(qubits, gates, seed):
    """Return CX on random pairs with random Clifford+T gates between them."""
    rng = np.random.default_rng(seed)
    circuit = QuantumCircuit(qubits)
    for _ in range(gates):
        pair = [int(q) for q in rng.choice(qubits, 2, replace=False)]
        circuit.cx(*pair)
        for qubit in pair:
            (circuit.h, circuit.t, circuit.s, circuit.id)[rng.integers(4)](qubit)
    return circuit


def assert_on_star(circuit, hub):
    pairs = [
        {circuit.find_bit(q).index for q in item.qubits}
        for item in circuit.data
        if len(item.qubits) == 2
    ]
    assert all(hub in pair for pair in pairs)


@settings(max_examples=30)
@given(st.integers(3, 8), st.integers(0, 10_000), st.integers(0, 1))
def test_random_circuits_are_exact(qubits, seed, spare):
    circuit = random_circuit(qubits, 5, max_operands=3, seed=seed)
    target = target_from_spec(f"star:{qubits + spare}")
    draft = hub_scheduling.run(Draft.of(circuit), Setting(target, budget=BUDGET))
    assert_on_star(draft.circuit, 0)
    assert fidelity(circuit, draft) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_count_is_what_the_search_promises_at_most(seed):
    circuit = random_cx(6, 40, seed)
    found = merged(interactions_of(circuit))
    units = units_of(found)
    problem = hub_problem(units, 6)
    plan = schedule(problem, BUDGET)
    spent = sum(cx_cost(matrix) for _, matrix in blocks_of(problem, plan.stays).unitaries)
    assert spent <= units.plain.sum() + plan.excess
    draft = scheduled(circuit, target_from_spec("star:6"), BUDGET)
    assert draft.circuit.num_nonlocal_gates() == spent
    assert fidelity(circuit, draft) == pytest.approx(1, abs=1e-9)


def test_layouts_are_composed():
    circuit = random_cx(4, 10, 5)
    draft = Draft(circuit, (2, 0, 1), (1, 3, 0))
    plain = hub_scheduling.run(Draft.of(circuit), Setting(target_from_spec("star:5"), budget=4))
    lowered = hub_scheduling.run(draft, Setting(target_from_spec("star:5"), budget=4))
    assert lowered.initial_layout == tuple(plain.initial_layout[q] for q in (2, 0, 1))
    assert lowered.final_layout == tuple(plain.final_layout[q] for q in (1, 3, 0))


def test_nothing_to_route():
    circuit = QuantumCircuit(3)
    circuit.h(1)
    draft = scheduled(circuit, target_from_spec("star:3"), BUDGET)
    assert draft.circuit.num_nonlocal_gates() == 0
    assert fidelity(circuit, draft) == pytest.approx(1)


def test_hub_may_be_any_qubit():
    edges = [(2, 0), (2, 1), (2, 3)]
    target = Target.from_configuration(
        ["cx", "u"], 4, CouplingMap([*edges, *(e[::-1] for e in edges)])
    )
    assert hub_of(target) == 2
    circuit = random_cx(4, 12, 1)
    draft = scheduled(circuit, target, BUDGET)
    assert_on_star(draft.circuit, 2)
    assert fidelity(circuit, draft) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    ("spec", "star"), [("star:5", True), ("all:4", False), ("heavy-hex:7", False)]
)
def test_which_targets_are_stars(spec, star):
    assert is_star(target_from_spec(spec)) == star


def test_refusals():
    with pytest.raises(TargetError, match="no star"):
        scheduled(QuantumCircuit(3), target_from_spec("all:4"), BUDGET)
    with pytest.raises(TargetError, match="6 qubits do not fit on the 5"):
        scheduled(QuantumCircuit(6), target_from_spec("star:5"), BUDGET)


@pytest.mark.parametrize("sign", [1, -1])
def test_bridge_is_a_gate_between_leaves(sign):
    matrix = exponential(Z, Z, sign * np.pi / 4)
    through, wanted = QuantumCircuit(3), QuantumCircuit(3)
    for leaf, block in bridged(matrix, 1, 2):
        assert cx_cost(block) == 1
        through.unitary(block, [0, leaf])
    wanted.unitary(matrix, [1, 2])
    np.testing.assert_allclose(Operator(through).data, Operator(wanted).data, atol=1e-9)
