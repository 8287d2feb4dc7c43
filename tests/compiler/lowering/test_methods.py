"""Synthesis methods by name."""

import pytest
from qiskit import QuantumCircuit

from compiler.errors import UnknownNameError
from compiler.lowering.methods import OPERATORS, lower_operators, synthesis_methods
from compiler.measurement import final_measurements
from compiler.verification.program import outcome_distribution
from compiler.verification.sparse import simulate


def test_methods_are_named_without_the_default():
    assert "literal" in synthesis_methods()
    assert "default" not in synthesis_methods()
    assert list(synthesis_methods()) == sorted(synthesis_methods())


@pytest.mark.parametrize("method", synthesis_methods())
def test_every_method_lowers_the_toy(toy, method):
    program = toy.program("paper")
    gates, _ = final_measurements(program)
    gates.global_phase = 0.5
    lowered = lower_operators(gates, method)
    assert not set(lowered.count_ops()) & set(OPERATORS)
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
