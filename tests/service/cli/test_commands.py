"""What the commands answer when all is well."""

import json
import re
import subprocess
import sys

import pytest
from attrs import fields

from backends import UnavailableError
from backends.ibm.backend import IBMProvider
from compiler.compilation import Options
from games.toml import game_from_toml
from service.cli.front.application import all_commands
from service.cli.front.commands import COMMANDS, summary
from tests.backends.ibm.conftest import ibm, ibm_server  # noqa: F401
from tests.workers import poison_backend  # noqa: F401 - registers its backend

HEAVY = {
    "qiskit", "numba", "sqlalchemy", "celery", "compiler", "games", "backends", "workers", "play",
}  # fmt: skip


FAST = ("--method", "fast", "--budget", "5", "--processes", "1")


def test_targets_and_backends_are_listed(answer_of):
    targets = {row["target"]: row for row in answer_of("targets")["targets"]}
    assert {"all", "star", "heavy-hex", "square"} <= targets.keys()
    assert "boston" in targets["heavy-hex"]["devices"]
    assert "torino" in targets["heavy-hex"]["retired"]
    assert targets["square"]["devices"] == ["miami", "berlin"]
    listed = answer_of("backends")
    backends = {row["backend"]: row["devices"] for row in listed["backends"]}
    assert {"aer", "sparse"} <= backends.keys()
    assert {"boston", "miami"} <= set(backends["ibm"]) - {"torino"}
    devices = {row["backend"]: row for row in listed["account"]}
    assert devices.keys() >= {"ibm:miami", "braket:garnet"} > {"ibm:torino"} & devices.keys()
    assert devices["ibm:boston"] == {
        "backend": "ibm:boston", "family": "Heron r3", "qubits": 156, "queue": None,
        "status": "no account",
    }  # fmt: skip


@pytest.mark.usefixtures("ibm")
@pytest.mark.parametrize("command", ["targets", "backends"])
def test_devices_of_an_account_are_listed(answer_of, command):
    listed = {row["backend"]: row for row in answer_of(command)["account"]}
    assert listed["ibm:boston"] == {
        "backend": "ibm:boston", "family": "Heron r3", "qubits": 156, "queue": 0, "status": "online"
    }  # fmt: skip
    assert listed.keys() >= {"ibm:miami", "ibm:torino"}


@pytest.mark.usefixtures("ibm")
@pytest.mark.parametrize(
    ("backend", "hint"),
    [("ibm", "Devices of the account: "), ("ibm:ibm_boston", "did you mean 'ibm:boston'?"),
     ("ibm:bostn", "did you mean 'ibm:boston'?")],
)  # fmt: skip
def test_an_unknown_device_is_answered_with_those_of_the_account(stichwerk, backend, hint):
    answer = stichwerk("submit", "skat-4", "--backend", backend)
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert {hint in answer.err, "boston, pittsburgh" in answer.err} == {True}


@pytest.mark.usefixtures("ibm")
@pytest.mark.parametrize(
    ("options", "family"), [((), "device:ibm_boston"), (("--calibration", "snapshot"), "heavy-hex"),
                            (("--target", "heavy-hex:boston"), "heavy-hex")],
)  # fmt: skip
def test_the_calibration_of_now_is_the_default_with_an_account(answer_of, options, family):
    circuit = ("submit", "endless-fun", "--backend", "ibm:boston", "--method", "fast", *options)
    (job,) = answer_of(*circuit)["jobs"]
    assert answer_of("job", str(job))["target"].startswith(f"{family}:")


def test_the_list_of_commands_says_what_they_say_themselves():
    shown = {words: command.get_short_help_str(200) for words, command in all_commands().items()}
    assert shown == {words: summary(place) for words, place in COMMANDS.items()}


def test_commands_that_compile_take_the_same_options():
    own = {"pipeline", "encoding", "time_limit"}
    names = {field.name for field in fields(Options)} - {"pipelines"} | own
    commands = all_commands()
    first, *others = (
        {one.name: (one.opts, one.default, one.help)
         for one in commands[name].params if one.name in names}
        for name in ("compile", "run", "submit")
    )  # fmt: skip
    assert first.keys() == names
    assert others == [first, first]


def test_the_list_of_commands_imports_none_of_them():
    front = "from service.cli.front.application import command_line; command_line()"
    code = f"import sys; {front}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    assert {module.partition(".")[0] for module in loaded} & HEAVY == set()


def test_compile_answers_one_json_object_and_progress_elsewhere(folder, stichwerk):
    done = stichwerk("compile", "toy.toml", *FAST, "--json")
    answer = json.loads(done.out)
    assert answer["program"] == "toy.toml"
    assert answer["target"] == "all:16"
    assert answer["method"] == "fast"
    assert answer["encoding"] == "paper"
    assert answer["verified"] == "exact"
    assert answer["duration_ns"] is None
    assert answer["expected_fidelity"] is None
    assert 0 < answer["two_qubit_depth"] <= answer["two_qubit_gates"] < answer["gates"]
    assert [candidate["chosen"] for candidate in answer["candidates"]].count(True) == 1
    assert {"python", "stichwerk", "qiskit"} <= answer["versions"].keys()
    for line in done.err.splitlines():
        assert re.match(r"toy\.toml on all:16: [a-z-]*(qiskit|merge) seed 0: ", line)


def test_run_answers_counts_and_scores(folder, answer_of):
    game = game_from_toml((folder / "toy.toml").read_text(), "toy.toml")
    answer = answer_of("run", "toy.toml", "--backend", "sparse", "--shots", "600", *FAST)
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
        win = scores["observables"]["win"]
        assert win["measured"] == wins / 600
        assert win["exact"] == pytest.approx(float(game.average("win")))
        assert 0.98 < scores["hellinger_fidelity"] <= 1
    assert raw["legal_fraction"] == selected["legal_fraction"] == 1


def test_the_environment_names_the_database(folder, stichwerk, monkeypatch):
    monkeypatch.setenv("STICHWERK_DATABASE", "elsewhere.sqlite")
    assert stichwerk("compile", "ghz3.qasm", *FAST).code == 0
    assert (folder / "elsewhere.sqlite").is_file()
    assert not (folder / "stichwerk.sqlite").exists()
    assert stichwerk("compile", "ghz3.qasm", *FAST, "--database", "third.sqlite").code == 0
    assert (folder / "third.sqlite").is_file()


def test_workers_have_accounts_of_their_own(stichwerk, monkeypatch):
    monkeypatch.setenv("STICHWERK_REDIS", "redis://127.0.0.1:1/0")
    queued = ("--backend", "ibm:torino", "--queue", "--steps", "1", "--json")
    done = stichwerk("train", "skat-4", "--seat", "1", *queued)
    assert done.code == 0, done.err


def test_a_provider_that_is_away_is_waited_for(stichwerk, monkeypatch):
    """It may be there by the time that the circuit is compiled."""

    def away(*_):
        raise UnavailableError("'ibm:torino': the connection to IBM failed or took too long")

    def compiling(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(IBMProvider, "find", away)
    monkeypatch.setattr("service.cli.run.compile_and_verify", compiling)
    assert stichwerk("run", "toy.toml", "--backend", "ibm:torino").code == 130
