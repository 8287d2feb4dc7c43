"""What resets leave on paths of measured bits, against density matrices."""

from math import asin, sqrt

import numpy as np
import pytest
from qiskit import QuantumCircuit
from scipy.sparse import csr_array

from compiler.errors import StateTooLargeError, VerificationError
from compiler.verification import mixtures
from compiler.verification.mixtures import Mixtures, deviations
from compiler.verification.program import compared, outcome_distribution, program_state
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


def trace_distance(rho, sigma):
    return np.abs(np.linalg.eigvalsh(rho - sigma)).sum() / 2


@pytest.mark.parametrize("most", [1 << 24, 1 << 40], ids=["", "by unitaries"])
@pytest.mark.parametrize("rows", [(1, 1), (2, 30), (30, 2), (4, 5), (40, 50)])
def test_deviations_are_no_less_than_trace_distances(rows, most, monkeypatch):
    monkeypatch.setattr(mixtures, "PER_CUBE", most)
    random = np.random.default_rng(sum(rows))
    a, b = (drawn(random, number) for number in rows)
    found = deviations(a, b, COLUMNS, 3)
    for path in range(3):
        rho, sigma = density(a, path), density(b, path)
        weight = max(np.trace(rho).real, np.trace(sigma).real)
        assert found[path] * sqrt(weight) >= trace_distance(rho, sigma) - 1e-12


def test_what_was_thrown_away_may_be_turned_by_anything():
    random = np.random.default_rng(0)
    amplitudes = random.normal(size=(5, 8)) + 1j * random.normal(size=(5, 8))
    unitary, _ = np.linalg.qr(random.normal(size=(5, 5)) + 1j * random.normal(size=(5, 5)))
    of_one, columns = np.zeros(5, np.intp), np.zeros(8, np.intp)
    a, b = (Mixtures(csr_array(rows), of_one) for rows in (amplitudes, unitary @ amplitudes))
    assert deviations(a, b, columns, 1) == pytest.approx(0, abs=1e-13)
    turned = amplitudes * np.exp(1e-6j * np.arange(8))
    c = Mixtures(csr_array(turned), of_one)
    assert 1e-7 < deviations(a, c, columns, 1)[0] / np.linalg.norm(amplitudes) < 1e-5


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


def uneven(pairs, *, wrong):
    """Return a rare event of which resets leave a large mixture, in which it flips a qubit."""
    circuit = QuantumCircuit(2 * pairs + 3, 1)
    circuit.ry(2 * asin(sqrt(0.002)), 0)
    circuit.cx(0, 1)
    if wrong:
        circuit.cx(0, 2)
    for qubit in range(3, 2 * pairs + 3, 2):
        circuit.ch(0, qubit)
        circuit.cx(qubit, qubit + 1)
    circuit.reset([0, *range(4, 2 * pairs + 3, 2)])
    circuit.measure(2, 0)
    return circuit


def test_a_rare_part_of_a_mixture_is_not_overlooked_because_it_is_mixed():
    """Tr ρσ differs from Tr ρ² by 0.002² / 4,096; one outcome has the probability 0.002 or 0."""
    right, wrong = uneven(12, wrong=False), uneven(12, wrong=True)
    assert outcome_distribution(wrong, program_state(wrong))[1] == pytest.approx(0.002)
    layout = tuple(range(right.num_qubits))
    assert compared(right, program_state(right), right, layout).verified == "exact"
    with pytest.raises(VerificationError, match="the state's fidelity"):
        compared(right, program_state(right), wrong, layout)
    with pytest.raises(VerificationError, match="the state's fidelity"):
        sampled_verdict(right, wrong, layout)
