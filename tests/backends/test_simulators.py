"""The simulators on this machine: distributions, seeds, keys, bit order, noise."""

from fractions import Fraction
from math import asin, sqrt

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from backends import BackendError, CircuitJob, backend_from_spec, backends
from compiler.errors import InputError, UnknownNameError
from games import encoded, games

IDEAL = ("sparse", "aer")


def run(backend, circuit, shots=1000, seed=0, target="all"):
    machine = backend_from_spec(backend)
    return machine.run(CircuitJob(circuit, target, shots, seed))


def chi_square(counts, exact):
    """Return Σ (n - N·p)² / (N·p) over the possible outcomes; the impossible must not occur."""
    shots = sum(counts.values())
    assert counts.keys() <= exact.keys()
    return sum((counts.get(o, 0) - shots * p) ** 2 / (shots * p) for o, p in exact.items())


def biased():
    """Bit 0 is 1 with probability 1/4; bit 1 is its copy, turned around with probability 1/9."""
    circuit = QuantumCircuit(3, 2)
    circuit.ry(2 * asin(sqrt(1 / 4)), 0)
    circuit.ry(2 * asin(sqrt(1 / 9)), 2)
    circuit.cx(0, 1)
    circuit.cx(2, 1)
    circuit.measure([0, 1], [0, 1])
    return circuit


BIASED = {
    0b00: Fraction(3, 4) * Fraction(8, 9),
    0b10: Fraction(3, 4) * Fraction(1, 9),
    0b11: Fraction(1, 4) * Fraction(8, 9),
    0b01: Fraction(1, 4) * Fraction(1, 9),
}
CHI_SQUARE_3 = 16.27
"""Exceeded with probability 0.001 by chi-square of three degrees of freedom."""

CHI_SQUARE_7 = 24.32
"""The same of seven."""


@pytest.mark.parametrize("backend", IDEAL)
def test_shots_follow_the_exact_distribution(backend):
    counts = run(backend, biased(), shots=100_000, seed=3)
    assert sum(counts.values()) == 100_000
    assert chi_square(counts, BIASED) < CHI_SQUARE_3


def test_sparse_draws_a_game_from_its_rules():
    toy = games["skat-4"]()
    exact = toy.exact_distribution()
    assert len(exact) == 8
    counts = run("sparse", encoded(toy, "paper").circuit, shots=200_000, seed=5)
    assert chi_square(counts, exact) < CHI_SQUARE_7


@pytest.mark.parametrize("backend", IDEAL)
def test_a_seed_fixes_the_counts(backend):
    assert run(backend, biased(), seed=11) == run(backend, biased(), seed=11)
    assert run(backend, biased(), seed=11) != run(backend, biased(), seed=12)


def asymmetric():
    """X on one of four qubits; five classical bits in two registers, two of them unused."""
    qubits = QuantumRegister(4, "q")
    first, second = ClassicalRegister(2, "first"), ClassicalRegister(3, "second")
    circuit = QuantumCircuit(qubits, first, second)
    circuit.x(2)
    circuit.measure(3, first[1])
    circuit.measure(2, second[1])
    circuit.measure(0, second[2])
    return circuit


@pytest.mark.parametrize("backend", IDEAL)
def test_bit_i_of_an_outcome_is_classical_bit_i(backend):
    assert run(backend, asymmetric(), shots=7) == {1 << 2 + 1: 7}


@pytest.mark.parametrize("spec", ["aer:torino", "sparse:torino", "sparse:torino:idle"])
def test_a_noisy_device_takes_only_its_own_target(spec):
    machine = backend_from_spec(spec)
    assert machine.default_target() == "heavy-hex:torino"
    assert machine.accepts("heavy-hex:torino")
    for target in ("heavy-hex:marrakesh", "heavy-hex:133", "star:5", "all"):
        assert not machine.accepts(target)


def coin_twice():
    """A coin that is tossed and turned back, with a barrier between."""
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.barrier()
    circuit.cx(0, 1)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    return circuit


def test_barriers_mean_nothing_unless_the_job_says_so():
    """Measured at the barrier the coin stays undecided; nobody but the caller knows better."""
    assert run("sparse", coin_twice(), shots=400) == {0: 400}
    machine = backend_from_spec("sparse")
    job = CircuitJob(coin_twice(), "all", 400, 1, forgetful=True)
    counts = machine.run(job)
    assert counts.keys() == {0b00, 0b01}
    assert 140 < counts[0b01] < 260


def test_too_many_qubits_for_a_state_vector():
    circuit = QuantumCircuit(27, 1)
    circuit.h(range(27))
    circuit.measure(0, 0)
    with pytest.raises(BackendError, match=r"27 active qubits.*try 'sparse'"):
        run("aer", circuit)


@pytest.mark.parametrize("spec", ["sparse", "aer", "aer:torino"])
def test_what_is_measured_on_the_way_decides_what_follows(spec):
    circuit = QuantumCircuit(2, 3)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(1)
    circuit.measure(1, 1)
    circuit.reset(1)
    circuit.measure(1, 2)
    counts = backend_from_spec(spec).run(CircuitJob(circuit, "all", 200, 0))
    assert counts[0b011] >= (200 if spec != "aer:torino" else 150)


@pytest.mark.parametrize(
    "spec",
    [
        "sparse:torino:thermal",
        "aer:atlantis",
        "aer:torino:noisy",
        "aer::thermal",
    ],
)
def test_arguments_that_a_backend_does_not_know(spec):
    with pytest.raises(InputError, match=f"backend '{spec}'"):
        backend_from_spec(spec)


@pytest.mark.parametrize(
    ("spec", "hint"),
    [("spares", "did you mean 'sparse'"), ("bostn", "write ibm:boston, or aer:boston"),
     ("abacus", "known: aer, ")],
)  # fmt: skip
def test_a_near_miss_of_a_backend_is_named(spec, hint):
    with pytest.raises(UnknownNameError, match=f"unknown backend '{spec}'; {hint}"):
        backend_from_spec(spec)
    assert {"aer", "sparse"} <= set(backends)


@pytest.mark.parametrize(("qubits", "fits"), [(24, 23), (26, 23), (23, None)])
def test_a_state_vector_that_does_not_fit_is_refused(qubits, fits):
    """16 bytes an amplitude: 2²³ of them are 128 MiB."""
    circuit = QuantumCircuit(30, 1)
    circuit.h(range(qubits))
    circuit.measure(0, 0)
    job, memory = CircuitJob(circuit, "all", 1, 0), 128 << 20
    if fits is None:
        backend_from_spec("aer").check_memory(job, memory)
        return
    with pytest.raises(BackendError) as caught:
        backend_from_spec("aer").check_memory(job, memory)
    assert str(caught.value) == (
        f"backend 'aer': {qubits} active qubits take {16 << qubits >> 20} MiB as a state vector, "
        f"and there are 128 MiB for it, in which {fits} qubits fit; try 'sparse'"
    )
    backend_from_spec("aer:torino").check_memory(job, memory)


def test_a_simulator_without_memory_says_so(monkeypatch):
    class Empty:
        success, status = False, "ERROR: [Experiment 0] Cannot allocate memory by posix_memalign"

        def result(self):
            return self

    monkeypatch.setattr("backends.aer.AerSimulator.run", lambda *_, **__: Empty())
    with pytest.raises(MemoryError):
        run("aer", biased())


def test_sparse_refuses_loops_without_a_bound():
    circuit = QuantumCircuit(1, 1)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.h(0)
        circuit.measure(0, 0)
    with pytest.raises(BackendError, match="'sparse': 'while_loop' is neither a gate nor"):
        backend_from_spec("sparse").run(CircuitJob(circuit, "all", 10, 0))
