"""Circuits with unbound parameters, compiled once for all their values."""

import numpy as np
import pytest
from attrs import evolve
from qiskit import QuantumCircuit, transpile
from qiskit.circuit import Parameter, ParameterVector
from qiskit.circuit.library import efficient_su2
from qiskit.quantum_info import Statevector

from compiler.compilation import Options, compile
from compiler.compilation.plan import plan
from compiler.compilation.proof import prove
from compiler.errors import InputError
from compiler.formats.circuit_files import qpy_bytes
from compiler.lowering.draft import no_clock
from compiler.measurement import final_measurements
from compiler.program import Program
from compiler.targets import target_from_spec


def rotations():
    """Return a circuit in which an angle is no linear function of parameters."""
    theta, phi = Parameter("θ"), Parameter("phi")
    circuit = QuantumCircuit(4)
    circuit.h(range(4))
    circuit.rx(theta**2 - phi, 0)
    circuit.crz(-theta, 0, 3)
    circuit.u(theta, phi, phi.sin(), 1)
    circuit.ccx(0, 1, 2)
    circuit.rxx(2 * phi, 3, 1)
    circuit.t(2)
    return circuit


def qaoa(qubits=6, layers=2):
    circuit = QuantumCircuit(qubits)
    circuit.h(range(qubits))
    for gamma, beta in zip(ParameterVector("γ", layers), ParameterVector("β", layers), strict=True):
        for a in range(qubits):
            circuit.rzz(gamma, a, (a + 1) % qubits)
            circuit.rzz(gamma / 2, a, (a + 3) % qubits)
        circuit.rx(2 * beta, range(qubits))
    return circuit


def two_local():
    return efficient_su2(5, reps=2, entanglement="full")


def measured(circuit):
    """Return the circuit with its qubits measured in other bases each."""
    wide = circuit.copy()
    for qubit in range(circuit.num_qubits):
        wide.u(0.3 + qubit, 0.7, -0.2 * qubit, qubit)
    wide.measure_all()
    return wide


def probabilities(circuit):
    """Return the probabilities of the measured bits, computed by Qiskit."""
    gates, bits = final_measurements(circuit)
    used = sorted({gates.find_bit(q).index for item in gates.data for q in item.qubits})
    small = QuantumCircuit(len(used))
    for item in gates.data:
        if item.name != "barrier":
            small.append(item.operation, [used.index(gates.find_bit(q).index) for q in item.qubits])
    read = [used.index(bits[bit]) for bit in range(circuit.num_clbits)]
    return Statevector(small).probabilities(read)


@pytest.mark.parametrize(
    ("make", "target", "any_input"),
    [(rotations, "star", True), (qaoa, "heavy-hex:torino", False), (two_local, "all", False)],
)
def test_one_circuit_for_all_values(make, target, any_input):
    circuit = measured(make())
    compiled = compile(Program.of_circuit(circuit), target, Options(any_input=any_input))
    native = compiled.circuit
    assert compiled.verified == "exact"
    assert compiled.chosen.verdict.detail.endswith("at 2 random bindings, so for all angles")
    assert native.parameters == circuit.parameters
    theirs = transpile(
        circuit, target=target_from_spec(compiled.target), optimization_level=3, seed_transpiler=0
    )
    assert compiled.figures.two_qubit_gates <= theirs.num_nonlocal_gates()
    for seed in range(3):
        values = np.random.default_rng(100 + seed).uniform(-4, 4, len(circuit.parameters))
        wanted = probabilities(circuit.assign_parameters(values))
        assert probabilities(native.assign_parameters(values)) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("place", [0, -1])
def test_another_angle_is_refuted(place):
    circuit = measured(qaoa(4, 1))
    program = Program.of_circuit(circuit)
    compiled = compile(program, "all", Options(pipelines=("qiskit",)))
    native = compiled.circuit
    wrong = native.copy_empty_like()
    free = [n for n, item in enumerate(native.data) if any(map(is_free, item.params))]
    for number, item in enumerate(native.data):
        gate = item.operation
        if number == free[place]:
            gate = type(gate)(1.001 * gate.params[0])
        wrong.append(gate, item.qubits, item.clbits)
    planned = plan(program, "all", Options(pipelines=("qiskit",)))
    candidate = evolve(compiled.chosen, native=qpy_bytes(wrong), verdict=None)
    assert prove(planned, no_clock, candidate).verdict.verified == "refuted"


def is_free(angle):
    return not isinstance(angle, float | int) and bool(angle.parameters)


def test_parameters_in_branches():
    theta = Parameter("θ")
    circuit = QuantumCircuit(3, 3)
    circuit.rx(theta, 0)
    circuit.measure(0, 0)
    with circuit.if_test((0, 1)):
        circuit.ry(2 * theta, 1)
    circuit.cx(1, 2)
    circuit.measure([1, 2], [1, 2])
    compiled = compile(Program.of_circuit(circuit), "heavy-hex:torino", Options())
    assert compiled.verified == "exact"
    assert compiled.circuit.parameters == circuit.parameters


def test_pipelines_that_need_numbers_are_refused():
    with pytest.raises(InputError, match="'hub' takes no unbound parameters"):
        compile(Program.of_circuit(measured(qaoa())), "star", Options(pipelines=("hub",)))
