"""Circuits that measure on the way: what is known to be |0⟩ there is made use of, and no more."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import CXGate
from qiskit.quantum_info import Operator

from compiler.compilation import Options, compile
from compiler.lowering.dont_care import simplified
from compiler.program import Program
from compiler.verification.program import outcome_distribution, program_state
from tests.independent import distribution


def begun() -> QuantumCircuit:
    """Return two qubits of which nothing is known, and an ancilla."""
    circuit = QuantumCircuit(3, 4)
    circuit.ry(0.7, [0, 1, 2])
    circuit.cx(0, 1)
    circuit.cx(1, 2)
    return circuit


def finished(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return the circuit with gates that do less where q2 is |0⟩."""
    circuit.ccx(2, 0, 1)
    circuit.swap(1, 2)
    circuit.ry(0.4, 1)
    circuit.cx(1, 2)
    circuit.measure([0, 1, 2], [1, 2, 3])
    return circuit


def tossed(
    *measured: int, gate: str = "", value: int | None = 1, angle: float = 0.0
) -> QuantumCircuit:
    """Return the circuit with a gate on q2, if bit 0 has a value after these measurements.

    Args:
        measured: qubits that are measured into bit 0, one after the other.
        gate: name of the gate.
        value: of bit 0; the gate is unconditional without one.
        angle: of a rotation of q2 after the measurements.
    """
    circuit = begun()
    for qubit in measured:
        circuit.measure(qubit, 0)
    if angle:
        circuit.ry(angle, 2)
    if value is None:
        getattr(circuit, gate)(2)
    elif gate:
        with circuit.if_test((circuit.clbits[0], value)):
            getattr(circuit, gate)(2)
    return finished(circuit)


def gates(circuit: QuantumCircuit, **options: object) -> int:
    """Return two-qubit gates of a result that is proven, and measures what it should."""
    made = compile(
        Program.of_circuit(circuit),
        "all",
        Options("fast", **{"pipelines": ("qiskit",), "seeds": 1, **options}),
    )
    assert made.verified == "exact"
    found = outcome_distribution(made.circuit, program_state(made.circuit))
    assert found == pytest.approx(distribution(circuit), abs=1e-6)
    return made.figures.two_qubit_gates


@pytest.mark.parametrize(
    "circuit", [tossed(gate="reset", value=None), tossed(2, gate="x")], ids=["reset", "flip"]
)
def test_a_qubit_in_zero_saves_gates(circuit):
    assert gates(circuit) < gates(circuit, without=("dont-care",))
    assert gates(circuit) <= gates(circuit, pipelines=("plain-qiskit",))


@pytest.mark.parametrize(
    "circuit",
    [
        tossed(2),
        tossed(0, gate="reset"),
        tossed(2, gate="x", value=0),
        tossed(2, gate="x", angle=0.3),
        tossed(2, 1, gate="x"),
    ],
    ids=["measured", "reset on one path", "other flip", "late flip", "overwritten bit"],
)
def test_a_qubit_that_may_be_one_saves_none(circuit):
    assert gates(circuit) == gates(circuit, without=("dont-care",))


def test_qubits_that_were_not_used_are_zero_unless_any_input_is_asked_for():
    def late():
        circuit = QuantumCircuit(3, 2)
        circuit.h(0)
        circuit.measure(0, 0)
        circuit.ccx(0, 1, 2)
        circuit.measure(2, 1)
        return circuit

    assert gates(late()) == 0
    assert gates(late(), any_input=True) == 6


@pytest.mark.parametrize("seed", range(4))
def test_simplified_gates_do_the_same_for_any_state_of_the_unknown_qubits(seed):
    rng = np.random.default_rng(seed)
    circuit = QuantumCircuit(4)
    for _ in range(12):
        a, b, c = rng.permutation(4)[:3].tolist()
        match rng.integers(5):
            case 0:
                circuit.ry(float(rng.uniform(-3, 3)), a)
            case 1 | 2:
                circuit.append(CXGate(ctrl_state=int(rng.integers(2))), [a, b])
            case 3:
                circuit.ccx(a, b, c)
            case 4:
                circuit.swap(a, b)
    unknown = rng.permutation(4)[: rng.integers(1, 4)].tolist()
    simpler = simplified(circuit, tuple(unknown))
    inputs = [i for i in range(16) if all(q in unknown for q in range(4) if i >> q & 1)]
    wanted, got = (Operator(each).data[:, inputs] for each in (circuit, simpler))
    assert abs(np.vdot(wanted, got)) == pytest.approx(len(inputs))
