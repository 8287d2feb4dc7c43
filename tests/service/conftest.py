"""The command line, called in an empty folder, and small programs to give it."""

import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest
from attrs import frozen
from pydantic import TypeAdapter
from qiskit import QuantumCircuit

from compiler.compilation import Listener, Options
from compiler.formats.circuit_files import qpy_bytes
from compiler.lowering import Pass, Pipeline, pipeline, pipelines
from compiler.lowering.draft import ALL, Run
from compiler.lowering.methods import synthesis
from service.cli import main
from service.cli.front.schema import RESULTS
from tests.servers.commands import RunningCommand
from tests.service.play.serving import running
from tests.workers.compiled_once import compiled_once

__all__ = ["compiled_once"]

TWO_CARDS = """game = "skat"
rules = "skat"
trump = "C"
players = 2
hand = 2
deck = ["CA", "CK", "SA", "H7"]
threshold = 23
known = { 0 = ["CA", "H7"] }
"""
"""A game of two cards each in which seat 0 leads."""

TOY = 'game = "skat"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10", "CK"]\n'
"""Three cards: one each, one in the skat; seat 0 always takes the only trick with the better."""

GHZ_2 = """OPENQASM 2.0;
include "qelib1.inc";
qreg q[3];
creg c[3];
h q[0];
cx q[0], q[1];
cx q[1], q[2];
measure q -> c;
"""

GHZ_3 = """OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q;
bit[3] c;
h q[0];
cx q[0], q[1];
cx q[1], q[2];
c = measure q;
"""


def ghz_circuit() -> QuantumCircuit:
    """Return the same circuit as a Python value."""
    circuit = QuantumCircuit(3, 3)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.cx(1, 2)
    circuit.measure(range(3), range(3))
    return circuit


def write_programs(folder: Path) -> None:
    """Write one game, and one circuit in all three formats."""
    (folder / "toy.toml").write_text(TOY)
    (folder / "ghz2.qasm").write_text(GHZ_2)
    (folder / "ghz3.qasm").write_text(GHZ_3)
    (folder / "ghz.qpy").write_bytes(qpy_bytes(ghz_circuit()))


@frozen
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: str


Stichwerk = Callable[..., Answer]


@pytest.fixture(scope="module")
def server_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def server(server_folder: Path) -> Iterator[RunningCommand]:
    """One for all tests of a file."""
    with running(server_folder) as started:
        yield started


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: it holds one game and one circuit in all three formats."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STICHWERK_DATABASE", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    write_programs(tmp_path)
    return tmp_path


@pytest.fixture
def stichwerk(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Stichwerk:
    """Return a function that runs the command line in `folder`.

    It computes in this process unless it is told `--processes`: others would import everything
    first, which takes longer than what most tests compute.
    """

    def run(*arguments: str) -> Answer:
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_, monkeypatch.context() as patched:
            if "--processes" not in arguments:
                patched.setattr("workers.parallel.Pool", lambda *_: nullcontext(Listener()))
            main(arguments)
        streams = capsys.readouterr()
        assert isinstance(exit_.value.code, int)
        return Answer(exit_.value.code, streams.out, streams.err)

    return run


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningCommand]:
    """A running `stichwerk serve`, one for all tests that need nothing of their own in it."""
    with running(tmp_path_factory.mktemp("site")) as found:
        yield found


@pytest.fixture
def brief_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the circuits of estimates, which take no `--pipeline`, be lowered by one alone."""
    for module in ("estimate.command", "advise.measuring"):
        options = partial(Options, budget=5, pipelines=("qiskit",))
        monkeypatch.setattr(f"service.cli.{module}.Options", options)


@pytest.fixture
def only_pipelines() -> Iterator[Callable[..., None]]:
    """Return a function that replaces all pipelines, which come back afterwards."""
    known = dict(pipelines)

    def clear() -> None:
        for name in list(pipelines):
            pipelines.unregister(name)

    def replace(**runs: Run) -> None:
        clear()
        for name, run in runs.items():
            passes = [synthesis, Pass(name, run, establishes=ALL)]
            pipeline(Pipeline(name=name, passes=passes, seeded=False))

    yield replace
    clear()
    for name, entry in known.items():
        pipelines.register(name)(entry)


@pytest.fixture
def answer_of(stichwerk):
    """Return a function that runs a command with `--json` and returns its result.

    The result is validated by the model that its schema is published from.
    """

    def answer(*arguments):
        done = stichwerk(*arguments, "--json")
        assert done.code == 0, done.err
        model = RESULTS.get(" ".join(arguments[:2])) or RESULTS[arguments[0]]
        TypeAdapter(model).validate_json(done.out)
        return json.loads(done.out)

    return answer
