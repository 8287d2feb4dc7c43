"""A game, an encoding and a backend: one decorator each, and the command line knows them."""

import json
from fractions import Fraction

import pytest
from qiskit import QuantumCircuit

from backends import LocalBackend, backend, backends
from compiler.judge import Kind, Observable
from games import Encoding, Game, encoding, encodings, game, games
from service.cli import bench
from workers.jobs.bench_suites import Case

FAST = ("--method", "fast", "--budget", "5", "--processes", "1")


class Matching(Game):
    """Two pennies that always fall alike; the party bets on heads."""

    name = "pennies"
    title = "two pennies that fall alike"
    observables = (
        Observable("win", Kind.EVENT, lambda outcome: int(outcome == 0b11)),
        Observable("points", Kind.NUMBER, lambda outcome: 2 * (outcome & 1)),
    )

    def exact_distribution(self):
        return {0b00: Fraction(1, 2), 0b11: Fraction(1, 2)}

    def is_legal(self, outcome):
        return outcome in (0b00, 0b11)

    def describe(self, outcome):
        return "heads" if outcome else "tails"


class TwoBits(Encoding):
    """A bit a penny."""

    family = Matching

    def supports(self, game):
        return True

    def program(self, game):
        circuit = QuantumCircuit(2, 2, name=game.name)
        circuit.h(0)
        circuit.cx(0, 1)
        circuit.measure([0, 1], [0, 1])
        return circuit


class Rigged(LocalBackend):
    """Half of the shots are illegal, and a quarter each falls on a legal outcome."""

    def __init__(self, argument):
        super().__init__()
        self.share = int(argument or 4)

    def run(self, job):
        legal = job.shots // self.share
        counts = {0b00: legal, 0b11: legal, 0b01: job.shots - 2 * legal}
        return {outcome: n for outcome, n in counts.items() if n}


@pytest.fixture
def extended():
    """A game and a backend, for the time of a test."""
    game("pennies")(Matching)
    encoding("two-bits")(TwoBits)
    backend("rigged", "a machine that cheats")(Rigged)
    yield
    games.unregister("pennies")
    encodings.unregister("two-bits")
    backends.unregister("rigged")


@pytest.mark.usefixtures("extended")
def test_a_new_game_runs_on_a_new_backend(stichwerk):
    done = stichwerk("run", "pennies", "--backend", "rigged", "--shots", "400", *FAST, "--json")
    assert done.code == 0
    answer = json.loads(done.out)
    assert answer["verified"] == "exact"
    assert answer["two_qubit_gates"] == 1
    assert answer["counts"] == {"00": 100, "01": 200, "11": 100}
    raw, selected = answer["scores"], answer["scores"]["post_selected"]
    assert raw["legal_fraction"] == 0.5
    assert raw["hellinger_fidelity"] == pytest.approx(0.5)
    assert raw["normalized_fidelity"] == pytest.approx(0)
    assert raw["tvd"] == pytest.approx(0.5)
    assert raw["observables"]["win"]["measured"] == 0.25
    assert selected["shots"] == 200
    assert selected["hellinger_fidelity"] == pytest.approx(1)
    assert selected["normalized_fidelity"] is None
    win = selected["observables"]["win"]
    assert win["measured"] == win["exact"] == 0.5
    # Clopper and Pearson: quantiles of Beta(100, 101) and of Beta(101, 100).
    assert win["low"] == pytest.approx(0.428658, abs=1e-6)
    assert win["high"] == pytest.approx(0.571342, abs=1e-6)


@pytest.mark.usefixtures("extended")
def test_lists_know_them(stichwerk):
    assert "two pennies that fall alike" in stichwerk("games").out
    assert "a machine that cheats" in stichwerk("backends").out


@pytest.mark.usefixtures("extended")
def test_a_game_shows_what_it_knows_of_itself_and_nothing_of_other_families(stichwerk):
    answer = json.loads(stichwerk("games", "pennies", "--json").out)
    assert {**answer, "verified_detail": ""} == {
        "game": "pennies",
        "title": "two pennies that fall alike",
        "encoding": "two-bits",
        "encodings": {"two-bits": 2},
        "qubits": 2,
        "observables": {"win": "1/2", "points": "1"},
        "favourable_outcomes": 1,
        "undecomposed_depth": None,
        "verified": "exact",
        "verified_detail": "",
        "steps": [],
        "distribution": {"tails": "1/2", "heads": "1/2"},
    }
    said = stichwerk("games", "pennies").out
    assert "too large" not in said
    assert "(outcome:" not in said
    rows = {row["game"]: row for row in json.loads(stichwerk("games", "--json").out)["games"]}
    assert (rows["pennies"]["size"], rows["skat-4"]["size"]) == ({}, {"deals": 6})
    assert rows["pennies"].keys() == rows["skat-4"].keys()


@pytest.mark.usefixtures("extended")
def test_fidelity_asks_for_what_noise_falls_on_and_takes_any_family(stichwerk, monkeypatch):
    refused = stichwerk("fidelity", "pennies")
    assert refused.code == 2
    (line,) = refused.err.splitlines()
    assert "pennies: has no outcome_bits" in line
    monkeypatch.setattr(Matching, "outcome_bits", 2)
    done = stichwerk(
        "fidelity", "pennies", "--device", "torino", "--pipeline", "qiskit", "--shots", "200",
        "--objective", "two_qubit_gates", "--processes", "1", "--json",
    )  # fmt: skip
    assert done.code == 0
    answer = json.loads(done.out)
    assert (answer["owner_bits"], answer["observables"]) == (2, {"win": 0.5, "points": 1.0})
    # No encoding says that it is small or literal: the default one is run, and it alone.
    assert [(run["method"], run["encoding"]) for run in answer["runs"]] == [("best", "two-bits")]
    (noise,) = answer["uniform_noise"]
    assert noise["scores"]["raw"]["legal_fraction"] == 0.5


@pytest.mark.usefixtures("extended")
def test_no_legal_shot_leaves_no_post_selected_score(stichwerk):
    arguments = ("run", "pennies", "--backend", "rigged:1000", "--shots", "10", *FAST, "--json")
    answer = json.loads(stichwerk(*arguments).out)
    assert answer["counts"] == {"01": 10}
    assert answer["scores"]["hellinger_fidelity"] == 0
    assert answer["scores"]["post_selected"] is None


@pytest.mark.usefixtures("extended")
def test_a_suite_is_compiled_run_and_reported(folder, stichwerk, monkeypatch):
    suite = (Case("pennies", "star:3", (("sparse", 100), ("rigged", 40))),)
    monkeypatch.setattr(bench, "SUITES", {"tiny": suite})
    done = stichwerk("bench", "--suite", "tiny", "--processes", "1", "--json")
    assert done.code == 0
    answer = json.loads(done.out)
    assert [one["target"] for one in answer["compilations"]] == ["star:3"]
    assert [(job["backend"], job["shots"]) for job in answer["jobs"]] == [
        ("sparse", 100),
        ("rigged", 40),
    ]
    assert "pennies" in (folder / "report.html").read_text()
    assert "pennies on star:3: 40 shots on rigged" in done.err
    assert "two-qubit gates, exact; sparse: Hellinger fidelity" in done.err


def test_without_the_decorators_they_are_unknown(stichwerk):
    assert "pennies" not in stichwerk("games").out
    assert "rigged" not in stichwerk("backends").out
    answer = stichwerk("run", "toy.toml", "--backend", "rigged", *FAST)
    assert answer.code == 2
    assert "unknown backend 'rigged'" in answer.err


def test_the_environment_names_the_database(folder, stichwerk, monkeypatch):
    monkeypatch.setenv("STICHWERK_DATABASE", "elsewhere.sqlite")
    assert stichwerk("compile", "ghz3.qasm", *FAST).code == 0
    assert (folder / "elsewhere.sqlite").is_file()
    assert not (folder / "stichwerk.sqlite").exists()
    assert stichwerk("compile", "ghz3.qasm", *FAST, "--database", "third.sqlite").code == 0
    assert (folder / "third.sqlite").is_file()
