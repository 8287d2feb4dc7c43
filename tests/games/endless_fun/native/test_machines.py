"""Rounds on qubits and on qutrits, and DITQASM read by the rules of its format."""

import re

import numpy as np
import pytest
from hypothesis import given, settings

from compiler.errors import GameError
from games.endless_fun.encodings.fused import fused
from games.endless_fun.named import round_named
from games.endless_fun.native.gates import ditqasm
from games.endless_fun.native.machines import Noise, played_on_machines
from games.endless_fun.rules.state import end_state
from games.game import named_game
from tests.games.endless_fun.rounds import rounds

GATE = re.compile(r"(\w+) q\[(\d+)\](?:,q\[(\d+)\])?;")
MEASURE = re.compile(r"measure q\[(\d+)\] -> c\[(\d+)\];")


def formats_gates(d):
    """Return x, z, h and s as MQT Qudits defines them."""
    root, level = np.exp(2j * np.pi / d), np.arange(d)
    return {
        "x": np.roll(np.eye(d), 1, axis=0),
        "z": np.diag(root**level),
        "h": root ** np.outer(level, level) / np.sqrt(d),
        "s": np.diag([1, 1j]) if d == 2 else np.diag(root ** (level * (level + 1) // 2 % d)),
    }


def read(text):
    """Run a DITQASM text; return the probabilities of register c."""
    header, qreg, creg, *rest = text.splitlines()
    assert header == "DITQASM 2.0;"
    n, dimensions = re.fullmatch(r"qreg q \[(\d+)\]\[([\d,]+)\];", qreg).groups()
    (d,) = set(map(int, dimensions.split(",")))
    n = int(n)
    assert creg == f"creg c[{n}];"
    state = np.zeros((d,) * n, complex)
    state[(0,) * n] = 1
    outputs = {}
    for line in rest:
        if found := MEASURE.fullmatch(line):
            outputs[int(found[2])] = int(found[1])
            continue
        name, one, other = GATE.fullmatch(line).groups()
        one = int(one)
        if name == "csum":
            moved = np.zeros_like(state)
            for index in np.ndindex(*state.shape):
                to = list(index)
                to[int(other)] = (index[int(other)] + index[one]) % d
                moved[tuple(to)] = state[index]
            state = moved
        else:
            assert other is None
            gate = formats_gates(d)[name]
            state = np.moveaxis(np.tensordot(gate, state, axes=(1, one)), 0, one)
    return np.moveaxis(np.abs(state) ** 2, [outputs[c] for c in range(n)], range(n))


@given(rounds())
@settings(deadline=None, max_examples=50)
def test_ditqasm_does_what_the_cards_do(played):
    found = read(ditqasm(fused(played)))
    expected = end_state(played).probabilities()
    for values, probability in np.ndenumerate(found):
        assert probability == pytest.approx(float(expected.get(values, 0)), abs=1e-9)


def test_a_round_is_exported_as_it_is_written():
    assert ditqasm(fused(round_named("endless-fun:pair").round)) == (
        "DITQASM 2.0;\nqreg q [2][3,3];\ncreg c[2];\nh q[0];\ncsum q[0],q[1];\n"
        "measure q[0] -> c[0];\nmeasure q[1] -> c[1];\n"
    )


def test_machines_of_three_levels_take_fewer_gates_and_play_better():
    found = {
        (played.machine, played.form): played
        for played in played_on_machines(named_game("endless-fun:three"), Noise(0.02, 200))
    }
    gates = {key: played.two_body_gates for key, played in found.items()}
    assert gates["qutrits", "relabelled"] == 2
    assert gates["qutrits", "cards"] == 5
    assert gates["qubits", "relabelled"] <= 5
    assert gates["qubits", "cards"] <= 19
    fidelity = {key: played.fidelity for key, played in found.items()}
    assert fidelity["qutrits", "relabelled"] > fidelity["qubits", "relabelled"]
    assert fidelity["qubits", "relabelled"] > fidelity["qubits", "cards"]
    # Nothing can fail more often than gates do.
    for key, played in found.items():
        assert played.fidelity >= (1 - 0.02) ** gates[key] - 1e-9
        assert played.exact_winning_state == pytest.approx(1 / 3)
        assert played.winning_state <= 1 / 3 + 0.05
        assert 0 <= played.legal <= 1 + 1e-9


def test_without_errors_all_machines_are_right():
    for played in played_on_machines(named_game("endless-fun:pair"), Noise(0.0, 1)):
        assert played.fidelity == pytest.approx(1)
        assert played.legal == pytest.approx(1)
        assert played.winning_state == pytest.approx(1 / 3)


def test_qubits_of_two_levels_are_no_qutrits():
    played = played_on_machines(named_game("endless-fun:qubits"), Noise(0.01, 10))
    assert {one.machine for one in played} == {"qubits"}


def test_only_rounds_of_endless_fun_are_played():
    with pytest.raises(GameError, match="skat-4 is no round of Endless Fun"):
        round_named("skat-4")
