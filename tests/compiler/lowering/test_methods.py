"""Synthesis methods by name, and the arrangement of operators."""

import pytest
from qiskit import QuantumCircuit

from compiler.errors import UnknownNameError
from compiler.lowering.methods import METHODS, lower_operators
from compiler.lowering.operators.lazy_copies import arranged
from compiler.measurement import final_measurements
from compiler.synthesis.method import Operator
from compiler.verification.operators import verify_operator
from compiler.verification.program import outcome_distribution
from compiler.verification.simulation.exact import simulate
from games import encoded
from games.trick_taking.operators.hand_play import HandPlay
from games.trick_taking.operators.uniform_deal import UniformDeal


@pytest.mark.parametrize("method", METHODS)
def test_every_method_lowers_the_toy(toy, method):
    program = encoded(toy, "paper").circuit
    gates, _ = final_measurements(program)
    gates.global_phase = 0.5
    lowered = lower_operators(gates, method)
    assert not any(isinstance(item.operation, Operator) for item in lowered.data)
    assert lowered.num_qubits == gates.num_qubits
    assert (lowered.name, lowered.global_phase) == (gates.name, 0.5)
    assert outcome_distribution(program, simulate(lowered)) == pytest.approx(
        {outcome: float(p) for outcome, p in toy.exact_distribution().items()}, abs=1e-9
    )


def test_other_gates_stay():
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.barrier()
    circuit.ccx(2, 0, 1)
    lowered = lower_operators(circuit, "literal")
    found = [
        (item.operation.name, [lowered.find_bit(qubit).index for qubit in item.qubits])
        for item in lowered.data
    ]
    assert found == [("h", [0]), ("barrier", [0, 1, 2]), ("ccx", [2, 0, 1])]


def test_unknown_methods_are_named():
    with pytest.raises(UnknownNameError) as error:
        lower_operators(QuantumCircuit(1), "litteral")
    assert str(error.value).startswith("unknown synthesis method 'litteral'; known: ")
    assert "literal" in str(error.value)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    "operator",
    [
        UniformDeal((2, 2), (None,) * 4),
        UniformDeal((1, 2, 1), (None, 0, None, None)),
        HandPlay(4, 2),
        HandPlay(5, 2, leaves=True),
        HandPlay(5, 4),
    ],
    ids=repr,
)
def test_arranged_operators_keep_their_promise(operator, seed):
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, circuit.qubits)
    turned = arranged(circuit, seed)
    assert turned.data[0].operation == operator
    assert sorted(turned.data[0].qubits, key=turned.qubits.index) == turned.qubits
    plain = QuantumCircuit(operator.num_qubits)
    plain.append(turned.data[0].operation.definition, turned.data[0].qubits)
    verify_operator(operator, plain)


def test_seed_0_changes_nothing_and_others_do():
    circuit = QuantumCircuit(4)
    circuit.append(UniformDeal((2, 2), (None,) * 4), range(4))
    assert arranged(circuit, 0) is circuit
    orders = {
        tuple(circuit.find_bit(q).index for q in arranged(circuit, seed).data[0].qubits)
        for seed in range(50)
    }
    assert len(orders) > 20
    assert arranged(circuit, 7) == arranged(circuit, 7)
