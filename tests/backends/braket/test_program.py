import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from backends import BackendError, CircuitJob, backend_from_spec
from backends.braket.program import (
    simulator_labels,
    simulator_source,
    verbatim_labels,
    verbatim_source,
)
from compiler.measurement import final_measurements
from tests.backends.braket.garnet import machine_circuit


def wide_circuit() -> QuantumCircuit:
    """Return every gate that is simulated, on 4 of 133 qubits, with all amplitudes different."""
    circuit = QuantumCircuit(133, 5)
    circuit.sx(60)
    circuit.r(0.7, 0.4, 100)
    circuit.rz(0.9, 60)
    circuit.cx(60, 7)
    circuit.sx(7)
    circuit.r(1.1, -0.3, 7)
    circuit.cz(7, 100)
    circuit.r(0.5, 2.0, 100)
    circuit.x(132)
    circuit.sx(60)
    circuit.measure([100, 7, 132, 60], [0, 4, 1, 3])
    return circuit


def test_a_machine_is_sent_a_verbatim_box_on_its_own_qubits():
    assert verbatim_source(machine_circuit()) == (
        "OPENQASM 3.0;\n"
        "bit[3] b;\n"
        "#pragma braket verbatim\n"
        "box {\n"
        "prx(3.141592653589793, 0.25) $5;\n"
        "cz $2, $5;\n"
        "}\n"
        "b[0] = measure $5;\n"
        "b[2] = measure $2;\n"
    )
    assert verbatim_labels(machine_circuit()) == {5: 0, 2: 2}


def test_a_simulator_is_sent_the_touched_qubits():
    source = simulator_source(wide_circuit())
    assert source.splitlines()[2:6] == ["qubit[4] q;", "v q[1];", "rz(-0.4) q[2];", "rx(0.7) q[2];"]
    assert source.splitlines()[-1] == "b[4] = measure q[0];"
    assert simulator_labels(wide_circuit()) == {2: 0, 3: 1, 1: 3, 0: 4}


def exact(circuit: QuantumCircuit) -> dict[int, float]:
    """Return the probability of each outcome, by Qiskit, on the touched qubits alone."""
    gates, measured = final_measurements(circuit)
    touched = sorted({gates.find_bit(q).index for item in gates.data for q in item.qubits})
    small = QuantumCircuit(len(touched))
    for item in gates.data:
        small.append(item.operation, [touched.index(gates.find_bit(q).index) for q in item.qubits])
    probabilities = Statevector(small).probabilities([touched.index(q) for q in measured.values()])
    bits = list(measured)
    return {
        sum(1 << bit for i, bit in enumerate(bits) if index >> i & 1): p
        for index, p in enumerate(probabilities)
        if p > 1e-12
    }


@pytest.mark.parametrize("seed", [1, 2])
def test_brakets_own_simulator_agrees_with_qiskit(seed):
    shots = 40_000
    job = CircuitJob(wide_circuit(), "all", shots, seed)
    local = backend_from_spec("braket-local")
    counts, wanted = local.run(job), exact(wide_circuit())
    assert counts == local.run(job)
    assert set(counts) <= set(wanted)
    assert len(wanted) == 8
    assert sum(counts.values()) == shots
    for outcome, p in wanted.items():
        assert abs(counts.get(outcome, 0) / shots - p) < 5 * np.sqrt(p / shots)


def test_brakets_own_interpreter_reads_what_a_machine_is_sent():
    from braket.devices import LocalSimulator
    from braket.ir.openqasm import Program

    program = Program(source=verbatim_source(machine_circuit()))
    ran = LocalSimulator().run(program, shots=20).result()
    assert ran.measured_qubits == [5, 2]
    assert ran.measurement_counts == {"10": 20}


def test_circuits_that_cannot_be_sent():
    foreign = QuantumCircuit(2, 1)
    foreign.cx(0, 1)
    with pytest.raises(BackendError, match="measures nothing"):
        verbatim_source(foreign)
    foreign.measure(0, 0)
    with pytest.raises(BackendError, match="no gate 'cx'"):
        verbatim_source(foreign)
    foreign.x(0)
    with pytest.raises(BackendError, match="final measurements only"):
        verbatim_source(foreign)
    swapped = QuantumCircuit(2, 1)
    swapped.swap(0, 1)
    swapped.measure(0, 0)
    with pytest.raises(BackendError, match="not sent the gate 'swap'"):
        simulator_source(swapped)


def test_what_is_too_wide_is_refused():
    wide = QuantumCircuit(40, 1)
    for qubit in range(40):
        wide.sx(qubit)
    wide.measure(0, 0)
    with pytest.raises(BackendError, match="40 active qubits are more than 20"):
        backend_from_spec("braket-local").run(CircuitJob(wide, "all", 10, seed=1))
    with pytest.raises(BackendError, match="braket:sv1 takes 34 qubits, not 40"):
        backend_from_spec("braket:sv1").submit(CircuitJob(wide, "all", 10, seed=1), "0" * 32)
