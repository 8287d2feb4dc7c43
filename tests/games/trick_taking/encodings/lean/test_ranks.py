"""The toy in the leanest encoding: its decoded outcomes, its branches, its cost."""

from qiskit import QuantumCircuit, transpile

from compiler.synthesis.method import predictions
from compiler.synthesis.operator import Operator
from games import encoded


def lowered(program):
    return transpile(
        program, basis_gates=["cx", "rz", "sx", "x"], optimization_level=3, seed_transpiler=0
    )


def two_qubit_gates(program):
    return lowered(program).num_nonlocal_gates()


def two_qubit_depth(program):
    return lowered(program).depth(lambda item: len(item.qubits) == 2)


def test_gates_after_the_deal(toy):
    """Nine two-qubit gates, as many as the operators' methods say, at depth nine."""
    program = encoded(toy, "lean").circuit
    gates = [item for item in program.data if isinstance(item.operation, Operator)]
    played = QuantumCircuit(*program.qregs)
    for item in gates[1:]:
        played.append(item)
    predicted = sum(min(predictions(item.operation).values()) for item in gates[1:])
    assert predicted == two_qubit_gates(played) == 9
    assert two_qubit_depth(played) == 9
