"""Operators outside of Stichwerk: in files, and in the user's own `transpile`."""

import io
from itertools import islice

import pytest
from qiskit import QuantumCircuit, qasm3, qpy, transpile
from qiskit.circuit import Gate
from qiskit.transpiler.passes.synthesis.plugin import HighLevelSynthesisPluginManager

from compiler.verification.program import outcome_distribution, program_state
from compiler.verification.simulation.sparse import simulate
from games import encoded

BASIS = ["cx", "rz", "sx", "x"]


def through_qpy(circuit):
    file = io.BytesIO()
    qpy.dump(circuit, file)
    file.seek(0)
    return qpy.load(file)[0]


def from_basis_state(gate, basis_state):
    """Return a circuit that applies `gate` to a basis state."""
    circuit = QuantumCircuit(gate.num_qubits)
    for qubit in range(gate.num_qubits):
        if basis_state >> qubit & 1:
            circuit.x(qubit)
    circuit.append(gate, range(gate.num_qubits))
    return circuit


def assert_state(state, expected):
    """Check the probabilities of all basis states."""
    got = {int.from_bytes(k, "little"): abs(a) ** 2 for k, a in state.by_basis_state().items()}
    assert got == pytest.approx({key: float(p) for key, p in expected.items()}, abs=1e-9)


def test_qpy_gives_a_plain_gate_that_transpile_lowers(small_operator):
    circuit = QuantumCircuit(small_operator.num_qubits)
    circuit.append(small_operator, range(small_operator.num_qubits))
    gate = through_qpy(circuit).data[0].operation
    assert type(gate) is Gate
    assert gate.name == small_operator.name
    assert [float(p) for p in gate.params] == [float(p) for p in small_operator.params]
    for basis_state in islice(small_operator.legal_inputs(), 0, None, 29):
        lowered = transpile(from_basis_state(gate, basis_state), basis_gates=BASIS)
        assert set(lowered.count_ops()) <= set(BASIS)
        assert_state(simulate(lowered), small_operator.action(basis_state))


@pytest.mark.parametrize("name", ["uniform_deal", "card_play", "trick_taking"])
def test_plugins_are_registered_with_qiskit(name):
    assert {"default", "literal"} <= set(HighLevelSynthesisPluginManager().method_names(name))


def test_openqasm_3_of_an_operator_is_its_definition(small_operator):
    basis_state = next(iter(small_operator.legal_inputs()))
    text = qasm3.dumps(from_basis_state(small_operator, basis_state))
    assert text.startswith("OPENQASM 3")
    assert f"gate {small_operator.name}(" in text
    assert_state(simulate(qasm3.loads(text)), small_operator.action(basis_state))


@pytest.mark.parametrize("exchange", [lambda c: c, through_qpy], ids=["own", "qpy"])
@pytest.mark.parametrize("basis", [BASIS, ["cz", "r"]], ids=["cx", "cz"])
def test_plain_transpile_lowers_the_toy(toy, exchange, basis):
    lowered = transpile(
        exchange(encoded(toy, "paper").circuit), basis_gates=basis, seed_transpiler=1
    )
    assert set(lowered.count_ops()) <= {*basis, "measure"}
    distribution = outcome_distribution(lowered, program_state(lowered))
    exact = toy.exact_distribution()
    assert distribution.keys() == exact.keys()
    assert max(abs(distribution[o] - float(exact[o])) for o in exact) < 1e-9


def test_operators_have_no_matrix(small_operator):
    with pytest.raises(TypeError, match=rf"{small_operator.name} on \d+ qubits has no matrix"):
        small_operator.to_matrix()
