"""Figures counted by hand."""

from math import prod

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import CZGate, Measure, SXGate
from qiskit.transpiler import InstructionProperties, Target

from compiler.lowering.figures import Figures, figures
from compiler.targets import target_from_spec


def test_counts_and_depths():
    circuit = QuantumCircuit(5, 2)
    circuit.sx(0)
    circuit.rz(0.1, 0)
    circuit.cx(0, 1)
    circuit.cx(0, 2)
    circuit.barrier()
    circuit.x(2)
    circuit.measure([0, 3], [0, 1])
    assert figures(circuit, target_from_spec("star:5")) == Figures(
        qubits=4,
        two_qubit_gates=2,
        two_qubit_depth=2,
        depth=5,
        gates=5,
        duration_ns=None,
        expected_fidelity=None,
    )


def test_two_qubit_depth_counts_layers_of_two_qubit_gates_only():
    circuit = QuantumCircuit(4)
    circuit.cx(0, 1)
    circuit.x(0)
    circuit.x(0)
    circuit.cx(2, 3)
    circuit.cx(1, 2)
    figure = figures(circuit, target_from_spec("all:4"))
    assert (figure.two_qubit_gates, figure.two_qubit_depth) == (3, 2)
    assert (figure.gates, figure.depth) == (5, 3)


def calibrated():
    """Two qubits with errors and durations; readout takes 1 µs."""
    target = Target(num_qubits=2, dt=1e-9)
    single = [(0,), (1,)]
    target.add_instruction(CZGate(), {(0, 1): InstructionProperties(100e-9, 0.01)})
    target.add_instruction(SXGate(), {q: InstructionProperties(20e-9, 0.001) for q in single})
    target.add_instruction(Measure(), {q: InstructionProperties(1e-6, 0.05) for q in single})
    return target


def test_duration_and_expected_fidelity_of_a_calibrated_target():
    circuit = QuantumCircuit(2, 2)
    circuit.sx(0)
    circuit.sx(0)
    circuit.sx(1)
    circuit.cz(0, 1)
    circuit.barrier()
    circuit.measure([0, 1], [0, 1])
    figure = figures(circuit, calibrated())
    assert figure.duration_ns == pytest.approx(20 + 20 + 100 + 1000)
    assert figure.expected_fidelity == pytest.approx(0.999**3 * 0.99 * 0.95**2)


def test_figures_of_a_real_device():
    target = target_from_spec("heavy-hex:torino")
    (a, b), properties = next(iter(target["cz"].items()))
    circuit = QuantumCircuit(133, 1)
    circuit.cz(a, b)
    circuit.measure(b, 0)
    figure = figures(circuit, target)
    readout = target["measure"][b,]
    assert figure.expected_fidelity == pytest.approx(
        prod(1 - p.error for p in (properties, readout))
    )
    assert figure.duration_ns == pytest.approx(1e9 * (properties.duration + readout.duration))
    assert figure.qubits == 2
