"""What resets leave on paths of measured bits, against density matrices."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from scipy.sparse import csr_array

from compiler.errors import StateTooLargeError, VerificationError
from compiler.verification import mixtures
from compiler.verification.mixtures import Mixtures, traces
from compiler.verification.program import compared, program_state
from compiler.verification.sampled_paths import sampled_verdict

COLUMNS = np.array([0, 1, 0, 2, 2, 1, 2, 2])
"""The path of each column."""


def drawn(random, rows):
    """Return rows of amplitudes that lie on one path each, some of them 0."""
    path_of = random.integers(3, size=rows)
    amplitudes = random.normal(size=(rows, 8)) + 1j * random.normal(size=(rows, 8))
    amplitudes *= (path_of[:, None] == COLUMNS) & (random.random((rows, 8)) < 0.7)
    return Mixtures(csr_array(amplitudes), path_of)


def density(mixture, path):
    chosen = mixture.rows.toarray()[mixture.path_of == path][:, path == COLUMNS]
    return chosen.T @ chosen.conj()


@pytest.mark.parametrize("rows", [(1, 1), (2, 30), (30, 2), (4, 5), (40, 50)])
def test_traces_are_those_of_density_matrices(rows):
    random = np.random.default_rng(sum(rows))
    a, b = (drawn(random, number) for number in rows)
    found = traces(a, b, COLUMNS, 3)
    for path in range(3):
        rho, sigma = density(a, path), density(b, path)
        wanted = [np.trace(rho @ sigma), np.trace(rho @ rho), np.trace(sigma @ sigma)]
        assert [sums[path] for sums in found] == pytest.approx(np.real(wanted))


def scrambled(pairs, last=0.0):
    """Return pairs of qubits that are entangled and thrown away, and a toss of one of them."""
    circuit = QuantumCircuit(2 * pairs, 1)
    for qubit in range(0, 2 * pairs, 2):
        circuit.h(qubit)
        circuit.cx(qubit, qubit + 1)
    circuit.reset(range(2 * pairs))
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.ry(0.3 + last, 0)
    return circuit


def test_many_values_that_are_thrown_away_are_not_compared_in_pairs(monkeypatch):
    """There are 1,024 of them, on two paths of one pure state each."""
    monkeypatch.setattr(mixtures, "MOST_PRODUCTS", 1 << 15)
    circuit, layout = scrambled(10), tuple(range(20))
    assert compared(circuit, program_state(circuit), circuit, layout).verified == "exact"
    assert sampled_verdict(circuit, circuit, layout).verified == "sampled"
    with pytest.raises(VerificationError):
        compared(circuit, program_state(circuit), scrambled(10, last=1e-3), layout)


def test_mixtures_that_are_too_large_are_not_called_proven(monkeypatch):
    monkeypatch.setattr(mixtures, "MOST_PRODUCTS", 7)
    circuit, layout = scrambled(2), (0, 1, 2, 3)
    found = compared(circuit, program_state(circuit), circuit, layout)
    assert found.verified == "unverified"
    assert "mixtures too large to be compared" in found.detail
    with pytest.raises(StateTooLargeError):
        sampled_verdict(circuit, circuit, layout)
