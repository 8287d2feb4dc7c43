"""How large a program is, counted without lowering it."""

import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.circuit import Gate
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import random_unitary

from compiler.compilation import Options
from compiler.compilation.plan import plan
from compiler.compilation.size import size_up_to
from compiler.errors import InputError
from compiler.lowering.methods import lower_operators
from compiler.lowering.pipeline import LARGE
from compiler.measurement import final_measurements
from compiler.program import Program
from compiler.public_circuits import circuit_from_spec
from compiler.synthesis import method as synthesis
from compiler.synthesis.method import methods
from games import encoded, named_game

MOST = 10**9


def transpiled_size(circuit, synthesis):
    lowered = lower_operators(circuit, synthesis)
    return transpile(lowered, basis_gates=["cx", "rz", "sx", "x"], optimization_level=0).size()


@pytest.mark.parametrize(
    ("game", "encoding"),
    [
        ("skat-4", "paper"),
        ("skat-4", "lean"),
        ("skat-4", "lists-win"),
        ("skat-9", "lists"),
        ("skat-9:paper", "paper"),
    ],
)
def test_it_is_nearly_what_the_whole_program_takes(game, encoding):
    gates, _ = final_measurements(encoded(named_game(game), encoding).circuit)
    exact = transpiled_size(gates, "cheapest")
    assert size_up_to(gates, "cheapest", MOST) == pytest.approx(exact, rel=0.04)


@pytest.mark.parametrize("spec", ["adder:10", "qft:12", "grover:6", "quantum-volume:6"])
def test_circuits_are_counted_by_the_kinds_of_their_gates(spec):
    circuit, _ = final_measurements(circuit_from_spec(spec, 0))
    assert size_up_to(circuit, "cheapest", MOST) == pytest.approx(
        transpiled_size(circuit, "cheapest"), rel=0.01
    )


def test_counting_stops_where_it_does_not_matter():
    gates, _ = final_measurements(encoded(named_game("skat-9"), "lists").circuit)
    whole = size_up_to(gates, "cheapest", MOST)
    assert size_up_to(gates, "cheapest", whole) == whole
    assert 100 < size_up_to(gates, "cheapest", 100) < 120


def test_a_huge_program_is_not_built_to_be_accepted(monkeypatch):
    built = []
    synthesis._price.cache_clear()
    synthesis._circuit.cache_clear()
    for method in methods.values():
        build = type(method).build

        def counting(self, *params, _build=build):
            circuit = _build(self, *params)
            built.append(circuit.size())
            return circuit

        monkeypatch.setattr(type(method), "build", counting)
    circuit = encoded(named_game("skat-32"), "lists").circuit
    gates, _ = final_measurements(circuit)
    assert size_up_to(gates, "cheapest", LARGE) > LARGE
    assert LARGE / 10 < sum(built) < 3 * LARGE


@pytest.mark.parametrize("qubits", [1, 2, 3, 5])
def test_unitaries_count_by_their_qubits(qubits):
    circuit = QuantumCircuit(qubits)
    circuit.append(UnitaryGate(random_unitary(1 << qubits, seed=3)), range(qubits))
    counted = size_up_to(circuit, "cheapest", MOST)
    assert counted == pytest.approx(transpiled_size(circuit, "cheapest"), rel=0.15)


def test_barriers_count_nothing():
    circuit = QuantumCircuit(2)
    circuit.barrier()
    assert size_up_to(circuit, "cheapest", MOST) == 0


def test_gates_that_nobody_defined_are_refused_however_late_they_come():
    circuit = QuantumCircuit(2)
    for _ in range(LARGE + 1):
        circuit.cx(0, 1)
    circuit.append(Gate("riddle", 1, []), [0])
    with pytest.raises(InputError, match="gate 'riddle' has no definition"):
        plan(Program.of_circuit(circuit), "all", Options("fast"))
