"""Digests of programs: what changes them, and what does not."""

import json
from pathlib import Path

import pytest

from games.game import Game, games
from games.sources import read_game
from workers.gate_counts.baseline import entry_digest
from workers.gate_counts.suite import suite_from_toml

ROOT = Path(__file__).parents[3]
GAME = 'game = "skat"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10"]\n'
RING = {"qubits": 3, "edges": [[0, 1], [1, 2], [2, 0]], "gates": {"cz": {"error": 0.01},
        "rz": {}, "sx": {}}, "measure": {"error": 0.01}}  # fmt: skip


def digest(folder, program, target="all"):
    """The digest of a program on a target."""
    text = f"programs = [{program!r}]\ntargets = [{target!r}]\nmethods = ['fast']\n"
    (entry,) = suite_from_toml(text, folder / "gates.toml")
    return entry_digest(entry)


@pytest.mark.parametrize(
    ("game", "same"),
    [
        (f"# a comment\n\n{GAME}", True),
        ('deck = ["CA", "C10"]\nhand = 1\ngame = "skat"\nplayers = 2', True),
        (f"{GAME}threshold = 5\n", False),
        (GAME.replace('"C10"', '"CK"'), False),
        (GAME.replace('"CA", "C10"', '"C10", "CA"'), False),
        (f'{GAME}rules = "paper"\n', True),
    ],
)
def test_a_game_is_known_by_its_rules(folder, game, same):
    (folder / "game.toml").write_text(GAME)
    before = digest(folder, "game.toml")
    (folder / "game.toml").write_text(game)
    assert (digest(folder, "game.toml") == before) is same


def test_games_that_differ_in_what_no_text_shows(folder):
    """The deck of a round of 6 Nimmt! is not part of its representation."""
    text = (ROOT / "examples" / "six-nimmt.toml").read_text()
    (folder / "round.toml").write_text(text)
    before = digest(folder, "round.toml")
    (folder / "round.toml").write_text(text.replace("98, 2, 99", "2, 98, 99"))
    assert digest(folder, "round.toml") != before


def test_a_digest_is_the_same_in_every_process():
    """Games may hold circuits and arrays, whose representations say nothing or differ."""
    held = json.loads((ROOT / "gate_counts.json").read_text())["entries"]
    suite = suite_from_toml((ROOT / "gates.toml").read_text(), ROOT / "gates.toml")
    digests = {entry.key[:3]: entry_digest(entry) for entry in suite}
    assert {line["program"]: line["digest"] for line in held} == {
        key[0]: digest_ for key, digest_ in digests.items()
    }


class Coin(Game):
    """A game as docs/extending.md has one, which is no value of `attrs`."""

    name = title = "coin"
    observables = ()

    def __init__(self, sides):
        self.sides = sides

    def exact_distribution(self):
        return dict.fromkeys(range(self.sides), 1 / self.sides)

    def is_legal(self, outcome):
        return outcome < self.sides

    def describe(self, outcome):
        return str(outcome)


def test_games_of_ones_own_are_known_by_their_attributes(folder):
    games.register("coin")(lambda sides="2": Coin(int(sides)))
    try:
        digests = [digest(folder, name) for name in ("coin", "coin:2", "coin:3")]
    finally:
        games.unregister("coin")
        read_game.cache_clear()
    assert digests[0] == digests[1] != digests[2]


def test_a_device_is_known_by_its_couplings_and_gates(folder):
    def with_device(**changed):
        (folder / "ring.json").write_text(json.dumps(RING | changed))
        return digest(folder, "ghz.qasm", "ring.json")

    before = with_device()
    assert with_device(measure={"error": 0.2}) == before
    assert with_device(edges=[[0, 1], [1, 2]]) != before
    assert before != digest(folder, "ghz.qasm", "all") == digest(folder, "ghz.qasm", "star")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("h q[0]; cx q[0], q[1]; c = measure q;", True),
        ("cx q[0], q[1]; h q[0]; c = measure q;", False),
        ("h q[0]; cx q[0], q[1]; c[1] = measure q[0]; c[0] = measure q[1];", False),
        ("h q[0]; cx q[0], q[1]; c = measure q; if (c[0]) { x q[1]; }", False),
        ("reset q; h q[0]; cx q[0], q[1]; c = measure q;", False),
        ("gate both a, b { h a; cx a, b; } both q[0], q[1]; c = measure q;", True),
        ("gate both a, b { h a; cz a, b; } both q[0], q[1]; c = measure q;", False),
        ("U(pi/2, 0, pi) q[0]; cx q[0], q[1]; c = measure q;", False),
    ],
)
def test_a_circuit_is_known_by_what_is_read(folder, text, same):
    head = 'OPENQASM 3.0; include "stdgates.inc"; '
    (folder / "a.qasm").write_text(f"{head}qubit[2] q; bit[2] c; "
                                   "h q[0]; cx q[0], q[1]; c = measure q;")  # fmt: skip
    before = digest(folder, "a.qasm")
    declared = text.partition("}")[0] + "} " if text.startswith("gate") else ""
    rest = text.removeprefix(declared)
    (folder / "a.qasm").write_text(f"{head}{declared}// two\nqubit[2] q;\nbit[2] c; {rest}")
    assert (digest(folder, "a.qasm") == before) is same
