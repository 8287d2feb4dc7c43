"""Circuits that measure on the way, on IQM's machines: `measure_ff` and `cc_prx`."""

from math import pi

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister

from backends import BackendError, CircuitJob, JobState, backend_from_spec
from backends.braket.feed_forward import feed_forward
from backends.braket.seeded_simulator import SeededSimulator
from compiler.compilation import Options, compile
from compiler.program import Program
from tests.backends.braket.garnet import job, native, started, steered
from tests.backends.braket.simulated import KEY, counted, tasks, wait
from tests.backends.braket.test_branching import improbability
from tests.independent import distribution


def mended() -> QuantumCircuit:
    """Return a measurement, an X under its outcome, and the qubit used again after a reset."""
    circuit = started(2, 3)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.r(pi, 0.0, 1)
    circuit.reset(0)
    circuit.r(0.7, 0.0, 0)
    circuit.measure([0, 1], [1, 2])
    return circuit


def random_steered(seed: int) -> QuantumCircuit:
    """Return PRX, CZ, measurements, resets and branches, such that qubit 0 steers all."""
    rng = np.random.default_rng(seed)
    circuit = QuantumCircuit(QuantumRegister(3, "q"), ClassicalRegister(4, "c"))

    def turn(qubit: int) -> None:
        circuit.r(*rng.uniform(-3, 3, 2).tolist(), qubit)

    for qubit in range(3):
        turn(qubit)
    circuit.cz(0, 1)
    for step in range(12):
        match rng.integers(6):
            case 0:
                circuit.cz(0, int(rng.integers(1, 3)))
            case 1:
                circuit.reset(0)
            case 2 | 3:
                circuit.measure(0, int(rng.integers(3)))
            case 4:
                turn(int(rng.integers(3)))
            case _:
                asked = (circuit.clbits[int(rng.integers(3))], int(rng.integers(2)))
                with circuit.if_test(asked) as otherwise:
                    turn(int(rng.integers(3)))
                    turn(1)
                if step % 2:
                    with otherwise:
                        turn(2)
                        turn(1)
    circuit.measure([1, 0], [3, 0])
    return circuit


def by_brakets_interpreter(circuit: QuantumCircuit, shots: int, seed: int) -> dict[int, int]:
    """Return what Braket's own simulator makes of a program for Garnet, by classical bits."""
    from braket.devices import LocalSimulator
    from braket.ir.openqasm import Program as Source

    source = Source(source=feed_forward(circuit, "garnet").source)
    ran = LocalSimulator(SeededSimulator(seed)).run(source, shots=shots).result()
    bit_of = backend_from_spec("braket:garnet").device.program(circuit).bit_of
    bits = [bit_of[label] for label in ran.measured_qubits]
    counts: dict[int, int] = {}
    for row in ran.measurements:
        outcome = sum(1 << bit for bit, one in zip(bits, row, strict=True) if one)
        counts[outcome] = counts.get(outcome, 0) + 1
    return counts


def test_no_qubit_is_read_into_two_bits():
    circuit = started()
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.r(pi, 0.0, 1)
    circuit.measure(0, 1)
    labels = backend_from_spec("braket:garnet").device.program(native(circuit)).bit_of
    assert sorted(labels.values()) == [0, 1]
    assert by_brakets_interpreter(native(circuit), 200, 1).keys() == {0b00, 0b11}


@pytest.mark.parametrize("seed", range(3))
def test_brakets_own_interpreter_agrees_with_density_matrices(seed):
    circuit = random_steered(seed)
    counts = by_brakets_interpreter(native(circuit), 1000, seed)
    assert improbability(counts, distribution(circuit)) > 0.001


@pytest.mark.parametrize("build", [mended, lambda: random_steered(1), lambda: random_steered(4)])
def test_a_job_runs_on_the_simulated_machine(server, garnet, build):
    circuit = build()
    asked = job(native(circuit))
    task = garnet.submit({KEY: asked}, KEY)
    assert wait(garnet, task).state is JobState.DONE
    assert improbability(dict(counted(garnet, task, asked)), distribution(circuit)) > 0.001


def test_a_program_is_compiled_proven_and_run(server, garnet):
    circuit = QuantumCircuit(3, 3, name="protected")
    circuit.ry(0.8, 0)
    circuit.cx(0, 1)
    circuit.measure(1, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(0)
    circuit.reset(1)
    circuit.h(2)
    circuit.cx(2, 1)
    circuit.measure([0, 1], [1, 2])
    made = compile(Program.of_circuit(circuit), "iqm:garnet:feed-forward", Options("fast"))
    assert made.verified == "exact"
    assert garnet.accepts("iqm:garnet:feed-forward")
    asked = CircuitJob(made.circuit, "iqm:garnet:feed-forward", 1000, seed=1)
    task = garnet.submit({KEY: asked}, KEY)
    assert wait(garnet, task).state is JobState.DONE
    assert improbability(dict(counted(garnet, task, asked)), distribution(circuit)) > 0.001


def two_sources() -> QuantumCircuit:
    circuit = started(3, 3)
    for qubit in (0, 1):
        circuit.measure(qubit, qubit)
        with circuit.if_test((circuit.clbits[qubit], 1)):
            circuit.r(pi, 0.0, 2)
    return circuit


def two_bits() -> QuantumCircuit:
    circuit = started()
    circuit.measure([0, 0], [0, 1])
    with circuit.if_test((circuit.cregs[0], 1)):
        circuit.r(pi, 0.0, 1)
    return circuit


def coupled_within() -> QuantumCircuit:
    circuit = started()
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.cz(0, 1)
    return circuit


def kept_bits() -> QuantumCircuit:
    """Return a circuit on all qubits that wants to keep what it measures on the way."""
    circuit = QuantumCircuit(20, 21)
    for qubit in range(20):
        circuit.r(1.0, 0.0, qubit)
    circuit.measure(0, 20)
    circuit.r(1.0, 0.0, 0)
    circuit.measure(range(20), range(20))
    return circuit


@pytest.mark.parametrize(
    ("circuit", "message"),
    [
        (native(two_sources()), "4 would on those of 1 and 2"),
        (native(two_bits()), "one bit at a time, not by 2"),
        (native(coupled_within()), "'cz'"),
        (native(steered(), places=(2, 7)), "8 would on 3"),
        (kept_bits(), "the group of 1"),
    ],
    ids=["two sources", "two bits", "coupled", "groups", "spare"],
)
def test_what_garnet_does_not_do_is_refused_before_anything_is_sent(
    server, garnet, circuit, message
):
    with pytest.raises(BackendError, match=message):
        garnet.submit({KEY: job(circuit)}, KEY)
    assert tasks(server) == []
