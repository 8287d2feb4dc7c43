"""Readout mitigation against confusion matrices inverted by hand."""

from functools import reduce

import numpy as np
import pytest
from qiskit import QuantumCircuit

from compiler.errors import MitigationError
from compiler.scores import mitigation
from compiler.scores.mitigation import mitigate
from compiler.targets.readout import ReadoutError, readout_errors

ERRORS = {
    4: ReadoutError(0.02, 0.05),
    2: ReadoutError(0.10, 0.04),
    7: ReadoutError(0.01, 0.15),
}
QUBITS = (4, 2, 7)
"""Read into bits 0, 1 and 2."""


def read(qubits, clbits=None, width=None):
    clbits = list(range(len(qubits))) if clbits is None else clbits
    circuit = QuantumCircuit(max(qubits) + 1, width or len(qubits))
    circuit.measure(list(qubits), clbits)
    return circuit


def confusion(qubits=QUBITS):
    """P(read row | prepared column), bit 0 the lowest, by Kronecker products."""
    single = [
        np.array([[1 - e.one_for_zero, e.zero_for_one], [e.one_for_zero, 1 - e.zero_for_one]])
        for e in (ERRORS[q] for q in qubits)
    ]
    return reduce(lambda low, high: np.kron(high, low), single)


def test_all_outcomes_measured_the_inverse_is_exact():
    """Counts in proportion to what a known distribution is read as give it back."""
    wanted = np.array([0.30, 0.05, 0.10, 0.05, 0.20, 0.05, 0.05, 0.20])
    counts = np.rint(confusion() @ wanted * 10**7).astype(int)
    found = mitigate({o: int(n) for o, n in enumerate(counts)}, read(QUBITS), ERRORS)
    worth = sum(found.values())
    assert np.array([found[o] for o in range(8)]) / worth == pytest.approx(wanted, abs=1e-5)


def test_weights_add_up_to_what_the_shots_are_worth():
    """The overhead is the square of the inverse's 1-norm."""
    counts = dict.fromkeys(range(8), 500)
    overhead = np.abs(np.linalg.inv(confusion())).sum(axis=0).max() ** 2
    found = mitigate(counts, read(QUBITS), ERRORS)
    assert sum(found.values()) == pytest.approx(4000 / overhead, rel=1e-3)
    perfect = dict.fromkeys(QUBITS, ReadoutError(0.0, 0.0))
    assert mitigate(counts, read(QUBITS), perfect) == pytest.approx(counts)


def test_negative_quasi_probabilities_become_the_nearest_distribution():
    counts = {0b00: 400, 0b01: 100, 0b10: 50, 0b11: 450}
    qubits = QUBITS[:2]
    quasi = np.linalg.solve(confusion(qubits), np.array([400, 100, 50, 450]) / 1000)
    assert quasi.min() < 0
    # One negative value is set to zero, and the others share what it lacked.
    nearest = np.where(quasi < 0, 0, quasi + quasi.min() / 3)
    found = mitigate(counts, read(qubits), ERRORS)
    worth = sum(found.values())
    got = np.array([found.get(o, 0.0) for o in range(4)]) / worth
    assert got == pytest.approx(nearest, abs=1e-6)
    assert min(found.values()) >= 0


def test_bits_keep_their_places():
    """Bits 4 and 1 of six are measured; the others stay 0."""
    circuit = read((7, 4), clbits=[4, 1], width=6)
    found = mitigate({0b010010: 800, 0b000010: 150, 0b010000: 40, 0: 10}, circuit, ERRORS)
    worth = sum(found.values())
    # Listed by bit 4 (qubit 7), bit 1 (qubit 4): 00, 01, 10, 11.
    exact = np.linalg.solve(confusion((4, 7)), np.array([10, 150, 40, 800]) / 1000)
    assert exact.max() == pytest.approx(0.97, abs=0.05)
    assert found[0b010010] / worth == pytest.approx(exact[3], abs=0.02)
    assert found.keys() <= {0b010010, 0b000010, 0b010000, 0}


def test_a_qubit_whose_error_is_not_known_is_refused():
    with pytest.raises(MitigationError, match="readout error of qubit 3 is not known"):
        mitigate({0: 1}, read((4, 3)), ERRORS)


def test_a_qubit_that_reads_like_a_coin_is_refused():
    with pytest.raises(MitigationError, match="qubit 4 reads no better than a coin"):
        mitigate({0: 1}, read((4,)), {4: ReadoutError(0.5, 0.5)})


def test_too_many_outcomes_are_refused(monkeypatch):
    monkeypatch.setattr(mitigation, "MOST_OUTCOMES", 3)
    with pytest.raises(MitigationError, match=r"4 different outcomes.*up to 3"):
        mitigate(dict.fromkeys(range(4), 1), read(QUBITS), ERRORS)


def test_a_circuit_that_measures_nothing_is_refused():
    with pytest.raises(MitigationError, match="measures nothing"):
        mitigate({0: 1}, QuantumCircuit(2), ERRORS)


def test_devices_know_both_directions_and_cuts_of_a_lattice_none():
    torino = readout_errors("heavy-hex:torino")
    assert len(torino) == 133
    assert torino[0] == ReadoutError(0.16845703125, 0.1650390625)
    assert readout_errors("heavy-hex:30") == {}
    assert readout_errors("star:5") == {}
