"""Scores of runs and of machines, and mitigation."""

from functools import reduce
from math import sqrt

import numpy as np
import pytest
from attrs import evolve
from qiskit import QuantumCircuit

from compiler.errors import InputError, MitigationError
from compiler.judge import enumerated
from compiler.program import Program
from compiler.scores import mitigation
from compiler.scores.intervals import Interval, fidelity_interval
from compiler.scores.machine_score import (
    NOTHING,
    bounded,
    machine_score,
    noise_fidelity,
    part_score,
)
from compiler.scores.mitigation import mitigate
from compiler.scores.scoring import score
from compiler.targets.readout import ReadoutError
from games import encoded, named_game
from games.sources import Source, read_program


def paper(game):
    """The game in an encoding whose measured bits are the outcome itself."""
    return encoded(game, "paper")


def perfect(toy):
    """Counts in exact proportion: 24 shots."""
    return {outcome: int(24 * p) for outcome, p in toy.exact_distribution().items()}


def test_counts_in_exact_proportion_score_one(toy):
    raw, selected = score(paper(toy), perfect(toy))
    for result in (raw, selected):
        assert result.shots == 24
        assert result.hellinger_fidelity == pytest.approx(1)
        assert result.normalized_fidelity == pytest.approx(1)
        assert result.tvd == pytest.approx(0)
        assert result.legal_fraction == 1
        assert (
            result.observables["win"].measured
            == result.observables["win"].exact
            == pytest.approx(5 / 12)
        )
        assert (
            result.observables["points"].measured
            == result.observables["points"].exact
            == pytest.approx(14)
        )
        assert result.observables["win"].low < 5 / 12 < result.observables["win"].high


def test_uniform_noise_scores_zero_when_normalised(toy):
    """Plain fidelity flatters noise: 0.466 raw, 0.933 post-selected."""
    raw, selected = score(paper(toy), dict.fromkeys(range(16), 10))
    amplitudes = 2 * sqrt(1 / 4) + 6 * sqrt(1 / 12)
    assert raw.hellinger_fidelity == pytest.approx(amplitudes**2 / 16)
    assert selected.hellinger_fidelity == pytest.approx(amplitudes**2 / 8)
    assert raw.normalized_fidelity == pytest.approx(0)
    # On the scale of raw scores, legal noise is well above 0.
    noise = amplitudes**2 / 16
    assert selected.normalized_fidelity == pytest.approx((2 * noise - noise) / (1 - noise))
    assert raw.legal_fraction == 0.5
    assert raw.shots == 160
    assert selected.shots == 80
    assert raw.tvd == pytest.approx(0.5 * (8 / 16 + 2 * 3 / 16 + 6 * (1 / 12 - 1 / 16)))
    assert selected.tvd == pytest.approx(0.5 * (2 / 8 + 6 * (1 / 8 - 1 / 12)))
    assert raw.observables["win"].measured == pytest.approx(3 / 16)
    assert selected.observables["win"].measured == pytest.approx(3 / 8)


def test_a_game_with_one_outcome_leaves_no_room_for_noise(make_game):
    """Post-selected counts are right whatever the machine does: no score can be given."""
    game = make_game(2, 2, "CA C10 CK CQ", known={"0": ["CA", "C10"]})
    raw, selected = score(paper(game), {0: 3, 1: 1})
    assert raw.hellinger_fidelity == pytest.approx(3 / 4)
    assert raw.normalized_fidelity == pytest.approx((3 / 4 - 1 / 16) / (15 / 16))
    assert selected.hellinger_fidelity == pytest.approx(1)
    assert selected.normalized_fidelity is None


def test_illegal_counts_have_no_post_selected_score(toy):
    raw, selected = score(paper(toy), {0b0001: 3, 0b0111: 1})
    assert selected is None
    assert (raw.hellinger_fidelity, raw.legal_fraction, raw.observables["win"].measured) == (
        0,
        0,
        0,
    )
    assert raw.tvd == pytest.approx(1)
    assert raw.observables["points"].measured is None
    assert raw.normalized_fidelity < 0
    assert raw.observables["win"].low == 0 < raw.observables["win"].high


def test_equal_shots_leave_room_for_what_they_did_not_show(toy):
    """Points of the toy are 0 to 28: twenty shots of 28 leave 0.025^(1/20) of them certain."""
    points = score(paper(toy), {0b0000: 20})[0].observables["points"]
    assert (points.measured, points.high) == (28, 28)
    assert points.low == pytest.approx(28 * 0.025 ** (1 / 20))
    one = score(paper(toy), {0b0000: 1})[0].observables["points"]
    assert (one.low, one.high) == (pytest.approx(28 * 0.025), 28)


def test_a_game_too_large_to_enumerate_has_wins_and_points_only():
    work = read_program(Source("skat-32:known"), "lists")
    raw, selected = score(work, {0: 3, 12345: 1})
    assert selected is None
    assert (raw.shots, raw.legal_fraction, raw.observables["win"].measured) == (4, 0, 0)
    assert (raw.hellinger_fidelity, raw.normalized_fidelity, raw.tvd) == (None, None, None)
    assert (
        raw.observables["win"].exact,
        raw.observables["points"].exact,
        raw.observables["points"].measured,
    ) == (None, None, None)
    assert raw.observables["win"].low == 0 < raw.observables["win"].high


def test_a_circuit_without_a_judge_has_no_score(toy):
    with pytest.raises(InputError, match="no exact result"):
        score(Program(encoded(toy, "paper").circuit, None), {0: 1})


ERRORS = {4: ReadoutError(0.02, 0.05), 2: ReadoutError(0.10, 0.04), 7: ReadoutError(0.01, 0.15)}
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


@pytest.mark.parametrize(
    ("counts", "circuit", "errors", "named"),
    [
        ({0: 1}, read((4, 3)), ERRORS, "qubit 3"),
        ({0: 1}, read((4,)), {4: ReadoutError(0.5, 0.5)}, "qubit 4"),
        (dict.fromkeys(range(4), 1), read(QUBITS), ERRORS, "4 different outcomes"),
        ({0: 1}, QuantumCircuit(2), ERRORS, "measures nothing"),
    ],
)
def test_what_cannot_be_mitigated_is_refused(monkeypatch, counts, circuit, errors, named):
    monkeypatch.setattr(mitigation, "MAX_OUTCOMES", 3)
    with pytest.raises(MitigationError, match=named):
        mitigate(counts, circuit, errors)


def test_mean_by_weight_with_the_interval_of_independent_parts():
    parts = [(3, Interval(0.5, 0.4, 0.6)), (1, Interval(0.9, 0.7, 0.95)), (4, NOTHING)]
    found = machine_score(parts)
    assert found.value == pytest.approx((3 * 0.5 + 0.9) / 8)
    assert found.value - found.low == pytest.approx(sqrt((3 * 0.1) ** 2 + 0.2**2) / 8)
    assert found.high - found.value == pytest.approx(sqrt((3 * 0.1) ** 2 + 0.05**2) / 8)


def test_a_part_is_between_noise_and_perfection():
    assert part_score(Interval(1.01, 0.98, 1.02), 0.3).value == 1
    assert bounded(part_score(Interval(0.1, 0.05, 0.15), 0.3)) == NOTHING
    middle = part_score(Interval(0.65, 0.58, 0.72), 0.3)
    assert (middle.value, middle.low, middle.high) == pytest.approx((0.5, 0.4, 0.6))


@pytest.mark.parametrize(("name", "encoding"), [("skat-4", "lean"), ("weiqi", "points")])
def test_random_bits_score_nothing(name, encoding):
    game = named_game(name)
    program = encoded(game, encoding)
    noise, exact = noise_fidelity(program, game.outcome_bits), enumerated(game)
    bits = program.circuit.num_clbits
    random = np.random.default_rng(1).integers(0, 1 << bits, 1000)
    values, counts = np.unique(random, return_counts=True)
    outcomes = program.outcomes(dict(zip(values.tolist(), counts.tolist(), strict=True)))
    assert part_score(fidelity_interval(outcomes, exact), noise).value < 0.01


def test_noise_of_a_circuit_without_a_judge_is_not_known():
    program = encoded(named_game("skat-4"), "lean")
    assert noise_fidelity(evolve(program, judge=None), 4) is None
