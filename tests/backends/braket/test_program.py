import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector
from qiskit.transpiler import CouplingMap

from backends import BackendError, CircuitJob, ResultError, backend_from_spec
from backends.braket.compiled import compiled_circuit
from backends.braket.devices import sdk_devices
from backends.braket.program import (
    simulator_program,
    verbatim_program,
)
from backends.devices.formats.braket import first_label
from compiler.measurement import final_measurements
from tests.backends.braket.garnet import machine_circuit
from tests.servers.provider_simulators.braket.devices import native_gates
from tests.servers.provider_simulators.braket.program import Limits, read_program


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

    program = Program(source=verbatim_program(machine_circuit(), "iqm").source)
    ran = LocalSimulator().run(program, shots=20).result()
    assert ran.measured_qubits == [5, 2]
    assert ran.measurement_counts == {"10": 20}


def test_circuits_that_cannot_be_sent():
    foreign = QuantumCircuit(2, 1)
    foreign.cx(0, 1)
    with pytest.raises(BackendError, match="measures nothing"):
        verbatim_program(foreign, "iqm")
    foreign.measure(0, 0)
    with pytest.raises(BackendError, match="no gate 'cx'"):
        verbatim_program(foreign, "iqm")
    foreign.x(0)
    with pytest.raises(BackendError, match="final measurements only"):
        verbatim_program(foreign, "iqm")
    swapped = QuantumCircuit(2, 1)
    swapped.swap(0, 1)
    swapped.measure(0, 0)
    with pytest.raises(BackendError, match="not sent the gate 'swap'"):
        simulator_program(swapped)


def test_what_is_too_wide_is_refused():
    wide = QuantumCircuit(40, 1)
    for qubit in range(40):
        wide.sx(qubit)
    wide.measure(0, 0)
    with pytest.raises(BackendError, match="40 active qubits are more than 20"):
        backend_from_spec("braket-local").run(CircuitJob(wide, "all", 10, seed=1))
    with pytest.raises(BackendError, match="braket:sv1 takes 34 qubits, not 40"):
        backend_from_spec("braket:sv1").submit(
            {"0" * 32: CircuitJob(wide, "all", 10, seed=1)}, "0" * 32
        )


NATIVE_GATES = {
    "aqt": [("r", (0.4, 0.3), (0,)), ("r", (-2.5, 1), (1,)), ("rz", (0.7,), (0,)),
            ("rxx", (-0.6,), (0, 1)), ("rxx", (2.2,), (1, 2)), ("rxx", (-2.0,), (2, 0))],
    "ionq": [("r", (0.4, 0.3), (0,)), ("r", (np.pi, 0.2), (1,)), ("r", (-np.pi / 2, 0.9), (2,)),
             ("rzz", (np.pi / 2,), (0, 1)), ("r", (1.1, -0.4), (0,)), ("rzz", (-2.2,), (1, 2)),
             ("rz", (0.6,), (2,)), ("r", (2.0, 0.1), (1,)), ("r", (0.9, 0.1), (2,))],
    "iqm": [("r", (0.4, 0.3), (0,)), ("cz", (), (0, 1)), ("r", (1.4, 2.3), (1,))],
    "rigetti": [("sx", (), (0,)), ("rz", (0.4,), (0,)), ("sx", (), (0,)), ("iswap", (), (0, 1)),
                ("cz", (), (1, 2)), ("x", (), (2,)), ("sx", (), (1,))],
}  # fmt: skip


@pytest.mark.parametrize("provider", NATIVE_GATES)
def test_native_gates_do_what_the_circuit_does_within_their_ranges(provider):
    circuit = QuantumCircuit(3, 3)
    for name, angles, qubits in NATIVE_GATES[provider]:
        getattr(circuit, name)(*angles, *qubits)
    circuit.measure(range(3), range(3))
    source, first = verbatim_program(circuit, provider).source, first_label(provider)
    read = compiled_circuit(source.encode(), circuit, first)
    assert compare_distributions(circuit, read) < 1e-9
    device = next(one for one in sdk_devices().values() if one.provider == provider)
    native = [*native_gates(device), "iswap"]
    limits = Limits(CouplingMap.from_full(3), first, provider, native)
    strict = read_program(source, limits).circuit
    assert compare_distributions(circuit, strict) < 1e-9


def compare_distributions(one: QuantumCircuit, other: QuantumCircuit) -> float:
    states = [Statevector(final_measurements(each)[0]) for each in (one, other)]
    return max(abs(np.subtract(*(state.probabilities() for state in states))))


QUIL = """DECLARE ro BIT[2]
PRAGMA PRESERVE_BLOCK
RX(pi/2) 4
RZ(-0.5*pi) 4
CZ 4 7
MEASURE 4 ro[0]
MEASURE 7 ro[1]
"""


def test_quil_is_read_on_the_bits_of_the_circuit():
    sent = QuantumCircuit(9, 4)
    sent.measure([4, 7], [1, 3])
    read = compiled_circuit(QUIL.encode(), sent, 0)
    assert [(one.name, [read.find_bit(q).index for q in one.qubits]) for one in read.data] == [
        ("rx", [4]), ("rz", [4]), ("cz", [4, 7]), ("measure", [4]), ("measure", [7])
    ]  # fmt: skip
    assert [read.find_bit(one.clbits[0]).index for one in read.data[-2:]] == [1, 3]


@pytest.mark.parametrize(
    "text", ["nonsense", "rz(__import__('os')) $1;", "h $0;", "c[0] = measure $0;", "rx(1, 2) $1;"]
)
def test_a_program_in_no_known_form_is_refused(text):
    sent = QuantumCircuit(2, 2)
    sent.measure([0, 1], [0, 1])
    with pytest.raises(ResultError):
        compiled_circuit(text.encode(), sent, 0)
