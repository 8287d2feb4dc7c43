"""The method `fast` returns nothing worse than one call of Qiskit, by any objective."""

from random import Random

import pytest
from qiskit import QuantumCircuit, transpile

from compiler.compilation import Options, compile
from compiler.lowering.figures import figures
from compiler.lowering.pipeline import OBJECTIVES, T_COUNT
from compiler.program import Program
from compiler.public_circuits import circuit_from_spec
from compiler.targets import sized_spec, target_from_spec


def w_state():
    circuit = QuantumCircuit(6)
    circuit.x(5)
    for qubit in range(5, 0, -1):
        circuit.cry(1.1 + qubit / 7, qubit, qubit - 1)
        circuit.cx(qubit - 1, qubit)
    return circuit


def line(angle):
    circuit = QuantumCircuit(9)
    for layer in range(3):
        circuit.rzz(0.3 + layer, range(8), range(1, 9))
        circuit.rx(0.4, circuit.qubits)
    circuit.rzz(angle, 2, 7)
    return circuit


def measured_phases():
    circuit = QuantumCircuit(4, 4)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.rzz(0.3, 1, [2, 3])
    circuit.measure(range(4), range(4))
    return circuit


def toffoli_gates():
    random, circuit = Random(0), QuantumCircuit(9)
    for _ in range(8):
        circuit.ccx(*random.sample(range(9), 3))
    return circuit


def negligible_angles():
    random, circuit = Random(1), QuantumCircuit(13)
    for _ in range(12):
        circuit.cx(*random.sample(range(13), 2))
        circuit.ry(random.random(), random.randrange(13))
        circuit.rzz(5e-8, *random.sample(range(13), 2))
    return circuit


CIRCUITS = {
    "Toffoli gates": toffoli_gates,
    "negligible angles": negligible_angles,
    "phases before measurements": measured_phases,
    "W state": w_state,
    "slight angle": lambda: line(1e-5),
    **{spec: lambda spec=spec: circuit_from_spec(spec, 1) for spec in ("qft:5", "random-cx:7")},
}


LONG = [pytest.param(spec, marks=pytest.mark.full) for spec in ("heavy-hex:torino", "all")]


@pytest.mark.parametrize("target", ["star", *LONG])
@pytest.mark.parametrize("name", CIRCUITS)
def test_no_objective_is_worse_than_by_qiskit(name, target):
    circuit = CIRCUITS[name]()
    spec = sized_spec(target, circuit.num_qubits)
    device = target_from_spec(spec)
    # Qiskit leaves a slight angle out, and keeps a larger one.
    theirs = transpile(
        line(1e-3) if name == "slight angle" else circuit,
        target=device,
        optimization_level=3,
        seed_transpiler=0,
        qubits_initially_zero=False,
    )
    for objective in {*OBJECTIVES} - {T_COUNT}:
        if objective == "expected_fidelity" and target != "heavy-hex:torino":
            continue
        options = Options("fast", any_input=True, objective=objective)
        ours = compile(Program.of_circuit(circuit), spec, options)
        both = ours.figures, figures(theirs, device)
        mine, their = [(OBJECTIVES[objective](f), f.two_qubit_gates, f.depth) for f in both]
        assert mine <= their, objective
        assert ours.verified == "exact"


@pytest.mark.parametrize("spec", ["qft:5", "adder:6", "dicke:5"])
def test_the_objective_of_errors_has_fewer_than_the_fewest_gates(spec):
    program = Program.of_circuit(circuit_from_spec(spec))
    fidelities = [
        compile(
            program, "heavy-hex:boston", Options(any_input=True, objective=objective)
        ).figures.expected_fidelity
        for objective in ("two_qubit_gates", "expected_fidelity")
    ]
    assert fidelities[0] <= fidelities[1]
