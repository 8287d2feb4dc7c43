"""What the commands answer when all is well."""

import json
import random
import re
from fractions import Fraction
from functools import cache

import pytest
from qiskit import QuantumCircuit, qasm3, qpy
from qiskit_ibm_runtime.fake_provider import FakeTorino

from compiler.circuit_files import qpy_bytes
from compiler.games.toml import game_from_toml
from compiler.measurement import final_measurements
from compiler.verification.program import outcome_distribution
from compiler.verification.sparse import simulate

FAST = ("--method", "fast", "--processes", "1")
COMMANDS = ("games", "targets", "backends", "compile", "run", "bench", "report")
COMPILE_KEYS = {
    "program": str,
    "target": str,
    "method": str,
    "encoding": str,
    "qubits": int,
    "two_qubit_gates": int,
    "two_qubit_depth": int,
    "depth": int,
    "gates": int,
    "duration_ns": float | None,
    "expected_fidelity": float | None,
    "verified": str,
    "compile_seconds": float,
    "versions": dict,
}
SCORE_KEYS = (
    "hellinger_fidelity",
    "normalized_fidelity",
    "tvd",
    "legal_fraction",
    "p_win",
    "p_win_exact",
)


@pytest.fixture
def answer_of(stichwerk):
    """Return a function that runs a command with `--json` and returns its answer."""

    def answer(*arguments):
        done = stichwerk(*arguments, "--json")
        assert done.code == 0, done.err
        return json.loads(done.out)

    return answer


def test_games_lists_the_toy(answer_of):
    (row,) = [row for row in answer_of("games")["games"] if row["game"] == "skat-4"]
    assert row["p_win"] == "5/12"
    assert row["expected_points"] == "14"
    assert row["qubits"].startswith("paper 17, lists 16")


def test_games_shows_a_game_of_ones_own(folder, answer_of):
    game = game_from_toml((folder / "toy.toml").read_text(), "toy.toml")
    answer = answer_of("games", "toy.toml")
    assert answer["game"] == "toy.toml"
    assert Fraction(answer["p_win"]) == game.p_win()
    assert Fraction(answer["expected_points"]) == game.expected_points()
    assert [step["title"] for step in answer["steps"]] == [
        "deal", "A plays 1 of 1", "B plays 1 of 1", "trick 1",
    ]  # fmt: skip
    # The stronger card takes both: one owner for both cards in play, and the skat.
    ends = ("AA-", "A-A", "-AA", "BB-", "B-B", "-BB")
    assert answer["distribution"] == dict.fromkeys(ends, "1/6")


def test_targets_and_backends_are_listed(answer_of):
    targets = {row["target"]: row["devices"] for row in answer_of("targets")["targets"]}
    assert {"all", "star", "heavy-hex"} <= targets.keys()
    assert "torino" in targets["heavy-hex"]
    assert {"aer", "sparse"} <= {row["backend"] for row in answer_of("backends")["backends"]}


@pytest.mark.parametrize("command", ["games", "targets", "backends"])
def test_lists_are_tables_without_json(stichwerk, command):
    answer = stichwerk(command)
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out.strip()
    with pytest.raises(json.JSONDecodeError):
        json.loads(answer.out)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(stichwerk, command):
    answer = stichwerk(command, "--help")
    assert answer.code == 0
    assert answer.err == ""
    assert "Example" in answer.out
    assert f"stichwerk {command}" in answer.out.split("Example", 1)[1]


@pytest.mark.parametrize("arguments", [(), ("--help",)])
def test_help_names_every_command(stichwerk, arguments):
    answer = stichwerk(*arguments)
    assert answer.code == 0
    for command in COMMANDS:
        assert f" {command} " in answer.out


def test_compile_answers_one_json_object_and_progress_elsewhere(folder, stichwerk):
    done = stichwerk("compile", "toy.toml", *FAST, "--json")
    answer = json.loads(done.out)
    for key, kind in COMPILE_KEYS.items():
        assert isinstance(answer[key], kind), key
    assert answer["program"] == "toy.toml"
    assert answer["target"] == "all:16"
    assert answer["method"] == "fast"
    assert answer["encoding"] == "paper"
    assert answer["verified"] == "exact"
    assert answer["duration_ns"] is None
    assert answer["expected_fidelity"] is None
    assert 0 < answer["two_qubit_depth"] <= answer["two_qubit_gates"] < answer["gates"]
    assert [candidate["chosen"] for candidate in answer["candidates"]] == [True]
    assert {"python", "stichwerk", "qiskit"} <= answer["versions"].keys()
    for line in done.err.splitlines():
        assert line.startswith("toy.toml on all:16: qiskit seed 0: ")


def test_a_device_gives_durations_and_an_expected_fidelity(answer_of):
    answer = answer_of("compile", "ghz3.qasm", "--target", "heavy-hex:torino", *FAST)
    assert answer["encoding"] == "none"
    assert answer["two_qubit_gates"] == 2
    assert answer["duration_ns"] > 1000
    assert 0.8 < answer["expected_fidelity"] < 1


NATIVE = {
    "all": {"cx", "rz", "sx", "x"},
    "star:17": {"cx", "rz", "sx", "x"},
    "star:17:iqm": {"cz", "r"},
    "heavy-hex:torino": {"cz", "rz", "sx", "x", "id", "rx", "rzz"},
}


@cache
def torino():
    return frozenset(tuple(edge) for edge in FakeTorino().coupling_map)


def coupled(target, pair):
    """Tell whether a target couples two qubits, without asking Stichwerk."""
    if target.startswith("star"):
        return 0 in pair
    return target == "all" or pair in torino()


def places_in_qasm(text):
    """Yield the name and the physical qubits of every statement of an OpenQASM 3 program."""
    for name, operands in re.findall(
        r"^(\w+)(?:\(.*?\))? (\$\d+(?:, \$\d+)*);", text, re.MULTILINE
    ):
        yield name, tuple(int(qubit) for qubit in re.findall(r"\$(\d+)", operands))


def places_in(circuit):
    """Yield the name and the qubits of every gate of a circuit."""
    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    for item in circuit.data:
        if item.operation.name not in ("measure", "barrier"):
            yield item.operation.name, tuple(index[qubit] for qubit in item.qubits)


PAIR = 'game = "skat"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10"]\n'
"""Two cards and no skat: small enough for every target."""


@pytest.fixture
def pair(folder):
    """The name of the game of two cards."""
    (folder / "pair.toml").write_text(PAIR)
    return "pair.toml"


@pytest.mark.parametrize("target", NATIVE)
def test_written_circuits_are_native_and_measure_the_game(folder, answer_of, pair, target):
    game = game_from_toml(PAIR, pair)
    exact = {outcome: pytest.approx(float(p)) for outcome, p in game.exact_distribution().items()}
    for name in ("out.qasm", "out.qpy"):
        figures = answer_of("compile", pair, "--target", target, "-o", name, *FAST)
        path = folder / name
        if name == "out.qasm":
            circuit = qasm3.loads(path.read_text())
            places = list(places_in_qasm(path.read_text()))
        else:
            with path.open("rb") as file:
                (circuit,) = qpy.load(file)
            places = list(places_in(circuit))
        assert len(places) == figures["gates"]
        assert sum(len(qubits) == 2 for _, qubits in places) == figures["two_qubit_gates"]
        assert {gate for gate, _ in places} <= NATIVE[target]
        assert all(coupled(target, pair) for _, pair in places if len(pair) == 2)
        assert [(r.name, r.size) for r in circuit.cregs] == [("owner", 2)]
        gates, measured = final_measurements(circuit)
        assert list(measured) == [0, 1]
        got = outcome_distribution(circuit, simulate(gates))
        assert {outcome: p for outcome, p in got.items() if p > 1e-12} == exact


def test_the_papers_toy_on_a_star(answer_of):
    answer = answer_of("run", "skat-4", "--backend", "sparse", "--target", "star:17", *FAST)
    assert answer["target"] == "star:17"
    assert answer["verified"] == "exact"
    assert answer["operator_depths"] == [1, 30, 30, 15, 1, 1, 15]
    assert answer["scores"]["p_win_exact"] == pytest.approx(5 / 12)
    assert answer["scores"]["legal_fraction"] == 1
    assert answer["scores"]["p_win_low"] < 5 / 12 < answer["scores"]["p_win_high"]


def test_run_answers_counts_and_scores(folder, answer_of):
    game = game_from_toml((folder / "toy.toml").read_text(), "toy.toml")
    answer = answer_of("run", "toy.toml", "--backend", "sparse", "--shots", "600", *FAST)
    assert COMPILE_KEYS.keys() <= answer.keys()
    assert answer["backend"] == "sparse"
    assert answer["shots"] == sum(answer["counts"].values()) == 600
    assert {int(key, 2) for key in answer["counts"]} == set(game.exact_distribution())
    assert {len(key) for key in answer["counts"]} == {6}
    raw, selected = answer["scores"], answer["scores"]["post_selected"]
    wins = sum(n for key, n in answer["counts"].items() if game.is_win(int(key, 2)))
    # The six legal outcomes are equally likely: among them, noise cannot be told from the game.
    assert selected["normalized_fidelity"] is None
    assert 0.98 < raw["normalized_fidelity"] <= 1
    for scores in (raw, selected):
        assert scores.keys() >= set(SCORE_KEYS)
        assert scores["p_win"] == wins / 600
        assert scores["p_win_exact"] == pytest.approx(float(game.p_win()))
        assert 0.98 < scores["hellinger_fidelity"] <= 1
    assert raw["legal_fraction"] == selected["legal_fraction"] == 1


def test_one_seed_gives_the_same_circuit_and_counts(answer_of, pair):
    def run(seed):
        return answer_of("run", pair, "--backend", "sparse", "-t", "star", "--seed", seed, *FAST)

    first, again, other = run("7"), run("7"), run("8")
    for key in ("two_qubit_gates", "two_qubit_depth", "depth", "gates", "counts", "scores"):
        assert first[key] == again[key]
    assert first["counts"] != other["counts"]


@pytest.mark.parametrize("backend", ["sparse", "aer"])
@pytest.mark.parametrize("name", ["ghz2.qasm", "ghz3.qasm", "ghz.qpy"])
def test_circuits_of_ones_own_run_in_every_format(answer_of, name, backend):
    answer = answer_of("run", name, "--backend", backend, "--shots", "300", *FAST)
    assert answer["program"] == name
    assert answer["verified"] == "exact"
    assert answer["two_qubit_gates"] == 2
    assert answer["scores"] is None
    assert answer["counts"].keys() == {"000", "111"}
    assert sum(answer["counts"].values()) == 300


def test_bits_of_counts_are_in_qiskits_order(folder, answer_of):
    (folder / "bits.qasm").write_text(
        'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[4] q;\nbit[2] a;\nbit[3] b;\n'
        "x q[3];\ncx q[3], q[0];\ny q[1];\na[1] = measure q[3];\nb[0] = measure q[2];\n"
        "b[2] = measure q[0];\n"
    )
    for backend in ("sparse", "aer"):
        answer = answer_of("run", "bits.qasm", "--backend", backend, "--target", "star", *FAST)
        assert answer["counts"] == {"10010": 1000}


@pytest.mark.parametrize("suffix", [".qasm", ".qpy"])
def test_what_compile_writes_can_be_run_again(stichwerk, answer_of, suffix):
    written = stichwerk("compile", "ghz3.qasm", "-t", "star:4:iqm", "-o", "again" + suffix, *FAST)
    assert written.code == 0
    assert f"written to again{suffix}" in written.out
    answer = answer_of("run", "again" + suffix, "--backend", "sparse", *FAST)
    assert answer["counts"].keys() == {"000", "111"}


def test_what_cannot_be_simulated_is_unverified(folder, answer_of):
    chance = random.Random(1)
    circuit = QuantumCircuit(40, 40)
    for _ in range(2000):
        if chance.random() < 0.5:
            circuit.u(*(chance.uniform(0, 6) for _ in range(3)), chance.randrange(40))
        else:
            circuit.cx(*chance.sample(range(40), 2))
    circuit.measure(range(40), range(40))
    (folder / "wide.qpy").write_bytes(qpy_bytes(circuit))
    answer = answer_of("compile", "wide.qpy", *FAST)
    assert answer["verified"] == "unverified"
    assert [candidate["verified"] for candidate in answer["candidates"]] == ["unverified"]
    assert "amplitudes" in answer["verified_detail"]


def test_run_prints_tables_without_json(stichwerk):
    done = stichwerk("run", "toy.toml", "--backend", "sparse", *FAST)
    assert done.code == 0
    for title in ("Compiled", "Scores", "Most measured"):
        assert title in done.out
    assert "post_selected" in done.out
    assert "toy.toml: 1000 shots on sparse" in done.err
    assert "1000 shots on" not in done.out


def test_report_writes_a_page_of_what_was_recorded(folder, stichwerk):
    assert stichwerk("run", "toy.toml", "--backend", "sparse", *FAST).code == 0
    done = stichwerk("report", "-o", "page.html")
    assert done.code == 0
    assert done.out == ""
    assert done.err == "written to page.html\n"
    page = (folder / "page.html").read_text()
    assert page.lower().startswith("<!doctype html>")
    assert "toy.toml" in page
    assert page.rstrip().endswith("</html>")


def test_games_lists_every_spec_and_what_cannot_be_enumerated(answer_of):
    rows = {row["game"]: row for row in answer_of("games")["games"]}
    assert rows.keys() >= {"skat-4", "skat-9[:HQ|H10|H7|paper]"}
    nine = rows["skat-9[:HQ|H10|H7|paper]"]
    assert (nine["deals"], nine["p_win"], nine["expected_points"]) == (12, "3/4", "63")
    (whole,) = [row for name, row in rows.items() if name.startswith("skat-32[:C|S|H|D|grand|")]
    assert whole["deals"] == 2753294408504640
    assert whole["p_win"] is None
    assert "lists 4" in whole["qubits"]


@pytest.mark.parametrize(
    ("spec", "paths", "p_win", "best"),
    [("skat-9", 72, "3/4", 11), ("skat-9:H10", 48, "1/2", 6), ("skat-9:H7", 60, "5/8", 9)],
)
def test_games_shows_the_nine_cards_of_the_papers(answer_of, spec, paths, p_win, best):
    answer = answer_of("games", spec)
    assert answer["game"] == spec
    assert (answer["paths"], answer["paths_won"], answer["p_win"]) == (96, paths, p_win)
    assert (answer["deals"], answer["deals_won_by_best_play"]) == (12, best)
    assert answer["verified"] == "exact"
    assert "gives the rules' distribution" in answer["verified_detail"]
    assert sum(Fraction(p) for p in answer["distribution"].values()) == 1


def test_games_shows_a_game_that_cannot_be_enumerated(answer_of):
    answer = answer_of("games", "skat-32:known")
    assert answer["deals"] == 42678636
    assert answer["verified"] == "unverified"
    assert "too many to enumerate" in answer["verified_detail"]
    assert (answer["paths"], answer["p_win"], answer["distribution"]) == (None, None, None)


def test_nine_cards_in_skat_rules_run(answer_of):
    answer = answer_of("run", "skat-9", "--backend", "sparse", "--shots", "400", *FAST)
    assert (answer["encoding"], answer["verified"]) == ("lists", "exact")
    assert answer["operator_depths"] is None
    assert sum(answer["counts"].values()) == sum(answer["outcomes"].values()) == 400
    assert answer["outcomes"].keys() <= answer_of("games", "skat-9")["distribution"].keys()
    assert {len(bits) for bits in answer["counts"]} == {42}
    raw = answer["scores"]
    assert (raw["legal_fraction"], raw["normalized_fidelity"]) == (1, None)
    assert raw["p_win_exact"] == 0.75
    assert raw["p_win_low"] < 0.75 < raw["p_win_high"]
    assert raw["hellinger_fidelity"] > 0.95


def test_counts_stay_as_measured_and_outcomes_are_decoded(answer_of):
    answer = answer_of("run", "toy.toml", "-b", "sparse", "--encoding", "lists", *FAST)
    assert set(answer["outcomes"]) == {"AA-", "A-A", "-AA", "BB-", "B-B", "-BB"}
    assert sum(answer["outcomes"].values()) == 1000
    assert answer["scores"]["legal_fraction"] == 1
    assert answer["scores"]["p_win_exact"] == pytest.approx(0.5)


@pytest.mark.full
def test_whole_games_of_skat_run(stichwerk, answer_of):
    """Sampled game by game; what needs the exact distribution is null."""
    answer = answer_of("run", "skat-32:known", "--backend", "sparse", "--shots", "20", *FAST)
    assert answer["verified"] == "sampled"
    assert "200 games legal move by move" in answer["verified_detail"]
    assert 9_000 < answer["two_qubit_gates"] < 16_000
    scores = answer["scores"]
    assert scores["legal_fraction"] == 1
    assert scores["p_win_low"] <= scores["p_win"] <= scores["p_win_high"]
    assert 0 <= scores["points"] <= 120
    for name in ("hellinger_fidelity", "normalized_fidelity", "tvd", "p_win_exact"):
        assert scores[name] is None
    assert stichwerk("report").code == 0
