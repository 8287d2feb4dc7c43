"""Circuits that measure on the way, on Amazon Braket's local simulator."""

from itertools import product
from pathlib import Path

import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.circuit import Clbit
from scipy.stats import chi2

from backends import CircuitJob, backend_from_spec
from backends.braket.branching import condition
from compiler.formats.circuit_files import circuit_from_qasm
from tests.compiler.dynamic.circuits import random_dynamic
from tests.independent import distribution

EXAMPLES = Path("examples")
FEW = 5.0
"""Expected shots below which outcomes are counted together."""


def native(circuit: QuantumCircuit) -> QuantumCircuit:
    gates = ["rz", "sx", "x", "cx"]
    return transpile(circuit, basis_gates=gates, optimization_level=1, seed_transpiler=0)


def ran(circuit: QuantumCircuit, shots: int = 1000, seed: int = 1) -> dict[int, int]:
    job = CircuitJob(circuit, "all", shots, seed)
    return dict(backend_from_spec("braket-local").run(job))


def improbability(counts: dict[int, int], exact: dict[int, float]) -> float:
    """Return how seldom chi-square is as large; 0 if something impossible was counted."""
    shots = sum(counts.values())
    if not counts.keys() <= exact.keys():
        return 0.0
    pairs = [(shots * p, counts.get(outcome, 0)) for outcome, p in exact.items()]
    kept = [pair for pair in pairs if pair[0] >= FEW]
    rest = [sum(column) for column in zip(*(p for p in pairs if p[0] < FEW), strict=True)]
    kept += [(rest[0], rest[1])] if rest and rest[0] else []
    statistic = sum((n - expected) ** 2 / expected for expected, n in kept)
    return float(chi2.sf(statistic, len(kept) - 1)) if len(kept) > 1 else 1.0


def tilted(seed: int) -> QuantumCircuit:
    """Return a random circuit whose qubits start between |0⟩ and |1⟩."""
    later = random_dynamic(seed, size=7)
    circuit = later.copy_empty_like()
    for qubit, angle in enumerate((0.9, 1.4, 2.0)):
        circuit.ry(angle, qubit)
    return circuit.compose(later)


@pytest.mark.parametrize("seed", range(2))
def test_random_circuits_follow_their_density_matrices(seed):
    circuit = tilted(seed)
    exact = distribution(circuit)
    counts = ran(native(circuit), shots=800, seed=seed)
    assert sum(counts.values()) == 800
    assert len(exact) > 1
    assert improbability(counts, exact) > 0.001


@pytest.mark.parametrize("name", ["teleported-ghz", "repetition-code"])
def test_the_examples_run(name):
    circuit = native(circuit_from_qasm((EXAMPLES / f"{name}.qasm").read_text(), name))
    exact = backend_from_spec("sparse").run(CircuitJob(circuit, "all", 10**6, 5))
    counts = ran(circuit, shots=300)
    shares = {outcome: n / 10**6 for outcome, n in exact.items()}
    assert improbability(counts, shares) > 0.001


@pytest.mark.parametrize("number", [0, 6, 105, 255])
def test_conditions_say_what_was_chosen(number):
    every = list(product((False, True), repeat=3))
    chosen = {values for place, values in enumerate(every) if number >> place & 1}
    bits = [Clbit() for _ in range(3)]
    cases = [dict(zip(bits, values, strict=True)) for values in sorted(chosen)]
    text = condition(dict(zip(bits, "abc", strict=True)), cases)
    read = text.replace("&&", "and").replace("||", "or").replace("true", "True")
    found = {
        (a, b, c)
        for a, b, c in every
        if eval(read.replace("false", "False"), {"a": int(a), "b": int(b), "c": int(c)})
    }
    assert found == chosen
