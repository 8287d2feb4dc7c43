"""The command `endless`: what it answers, and what it refuses."""

import json
from fractions import Fraction

import pytest

PAPER = ("endless", "evaluate", "--start", "0210", "--gates",
         "SWAPr X1 I H3 Z2 I I CNOTl I I I Y1")  # fmt: skip


def test_worked_example_as_json(stichwerk):
    done = stichwerk(*PAPER, "--seed", "3", "--json")
    assert done.code == 0
    answer = json.loads(done.out)
    states = {one["state"]: one for one in answer["states"]}
    assert {name: one["amplitude"] for name, one in states.items()} == {
        "2100": "ω/√3", "2111": "ω⁻¹/√3", "2122": "1/√3",
    }  # fmt: skip
    assert {one["probability"] for one in states.values()} == {"1/3"}
    assert sum(Fraction(one["wins"]) for one in states.values()) == 1
    assert Fraction(states["2111"]["wins"]) == Fraction(1, 3)
    assert sum(answer["measured"].values()) == answer["measurements"] == 100
    most = max(answer["measured"].values())
    assert answer["measured"][answer["winning_state"]] == most
    assert answer["expected_points"][:2] == [2.0, 1.0]


def test_gates_are_read_by_any_spelling(stichwerk):
    wanted = stichwerk(*PAPER, "--json").out
    spelled = PAPER[-1].lower().replace("swapr", "SWAP→").replace("cnotl", "←cnot")
    assert stichwerk(*PAPER[:-1], spelled, "--json").out == wanted


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_picture_of_the_circuit(stichwerk, tmp_path, suffix, start):
    path = tmp_path / f"round.{suffix}"
    done = stichwerk(*PAPER, "-o", str(path), "--json")
    assert done.code == 0
    assert path.read_bytes().startswith(start)


def test_games_lists_rounds(stichwerk):
    listed = stichwerk("games", "--json")
    shown = {one["game"]: one["title"] for one in json.loads(listed.out)["games"]}
    assert shown["endless-fun[:paper|pair|three|qubits]"] == "Endless Fun, 4 qudits, 3D, 3 rows"
