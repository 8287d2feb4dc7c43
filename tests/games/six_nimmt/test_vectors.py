"""Whole rounds and states that were worked out elsewhere."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from games.six_nimmt.game import SixNimmtRound
from games.six_nimmt.paths import ExactState
from games.six_nimmt.rules.cards import Choice, Operation, Options

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text())
H, Z, CNOT, HSWAP = Operation.H, Operation.Z, Operation.CNOT, Operation.HSWAP


def round_of(vector, **options):
    (only,) = vector["rounds"]
    turns = tuple(
        tuple(Choice(choice["card"], Operation(choice["op"])) for choice in turn)
        for turn in only["turns"]
    )
    return SixNimmtRound(
        "vector",
        vector["players"],
        tuple(only["deck"]),
        turns,
        tuple(only["prompts"]),
        Options(**options),
    )


@pytest.mark.parametrize("name", VECTORS)
def test_whole_rounds_have_their_exact_distribution_of_points(name):
    game, vector = round_of(VECTORS[name]), VECTORS[name]
    found = Counter()
    for path, probability in game.exact_distribution().items():
        found[game.points(path), game.winners(path)] += probability
    assert found == {
        (tuple(map(Fraction, branch["points"])), tuple(branch["winners"])): Fraction(
            branch["probability"]
        )
        for branch in vector["branches"]
    }
    assert [str(points) for points in game.expected_points()] == vector["expected_points"]
    for seat, points in enumerate(vector["expected_points"]):
        assert game.average(f"player_{seat}_points") == Fraction(points)


@pytest.mark.parametrize("name", ["random_P2_seed1", "random_P3_seed3"])
def test_two_qubit_operations_can_stay_idle(name):
    game = round_of(VECTORS[name], two_qubit_operations="idle")
    expected = VECTORS[name]["expected_points_if_two_qubit_operations_never_act"]
    assert [str(points) for points in game.expected_points()] == expected


def state(basis_state=0, *steps):
    """Return |q0 q1 q2 q3⟩ after operations."""
    found = ExactState(tuple(int(x == basis_state) for x in range(16)))
    for operation, *rows in steps:
        found = found.applied(operation, rows)
    return found


def by_label(found):
    return {"".join(str(x >> q & 1) for q in range(4)): p for x, p in found.probabilities().items()}


def test_hswap_of_one_excitation():
    amplitudes = state(0b0001, (HSWAP, 0, 1)).amplitudes()
    expected = [0] * 16
    expected[0b0001], expected[0b0010] = (1 + 1j) / 2, (1 - 1j) / 2
    assert amplitudes == pytest.approx(expected)


def test_a_long_sequence():
    found = by_label(
        state(0, (H, 0), (HSWAP, 0, 1), (H, 0), (HSWAP, 0, 2), (H, 0), (CNOT, 0, 3), (HSWAP, 3, 1),
              (H, 1))
    )  # fmt: skip
    expected = {f"{x:04b}": Fraction(1, 128) for x in range(16)}
    expected |= dict.fromkeys(["0001", "0010", "0101", "1000", "1011", "1100"], Fraction(5, 128))
    expected |= dict.fromkeys(["0100", "1101"], Fraction(13, 128))
    expected["0000"] = Fraction(65, 128)
    assert found == expected


def test_measurements_on_the_way():
    before = state(0, (H, 0), (CNOT, 0, 1), (HSWAP, 1, 2))
    first = before.probability_of_1(2)
    between = before.collapsed(2, 1).applied(H, [1]).applied(CNOT, [1, 3])
    second = 1 - between.probability_of_1(3)
    after = between.collapsed(3, 0).applied(H, [0])
    assert first * second == Fraction(1, 8)
    assert by_label(after) == {"0010": Fraction(1, 2), "1010": Fraction(1, 2)}


def test_what_is_never_measured_is_refused():
    with pytest.raises(ValueError, match="row 2's qubit is never 1"):
        state().collapsed(2, 1)


def test_a_reset_qubit_is_0_whatever_was_measured():
    bell = state(0, (H, 0), (CNOT, 0, 1))
    assert by_label(bell.collapsed(0, 1).reset(0, 1)) == {"0100": 1}
    assert by_label(bell.collapsed(0, 0).reset(0, 0)) == {"0000": 1}
