"""Bad input: exit code 2, one line that names it, and nothing written or recorded."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tests.service.conftest import TWO_CARDS, write_programs
from workers.records.database import open_database
from workers.records.tables import Compilation, Job
from workers.untrusted_programs.files import MAX_EXPECTED_BYTES

ROOT = Path(__file__).parents[3]
QASM_2 = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[2];\ncreg c[2];\n'
QASM_3 = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[2] c;\n'
GARBAGE = bytes(range(128, 256)) * 4
DEVICE = """\
qubits = 3
edges = [[0, 1], [1, 3]]
gates = { cz = {}, rz = {}, sx = {} }
"""
START = {"game": "six-nimmt", "setup": {}, "log": []}
MATCH = {"match": START, "bots": ["greedy"] * 2, "seed": 0, "backend": ""}
FILES = {
    "notes.txt": "hello, this is a text and no database\n" * 100,
    "two-cards.toml": TWO_CARDS,
    "open.toml": 'game = "skat\n',
    "empty.qasm": "",
    "no-gates.qasm": QASM_2 + "measure q -> c;",
    "binary.qpy": GARBAGE,
    "silent.qasm": QASM_3 + "h q[0];",
    "ladder.qasm": QASM_3.replace("[2]", "[20]")
    + "".join(f"cx q[{q}], q[{q + 1}];\n" for q in range(19))
    + "c = measure q;\n",
    "two.json": '{"00": 1, "11": 1}',
    "bad-device.toml": DEVICE,
    "gates.toml": 'programs = ["ghz2.qasm"]\ntargets = ["star"]\nmethods = ["fast"]\n',
    "idle.toml": 'campaign = "e"\nschedule = "0 2 * * *"\n',
    "nightly.toml": 'campaign = "n"\nschedule = "0 2 * * *"\n'
    '[[case]]\nprograms = ["toy.toml"]\nbackends = ["sparse"]\n',
    "no.json": "{",
    "list.json": "[1]",
    "match.json": json.dumps(MATCH | {"match": START | {"log": [{"seat": 5, "move": "1"}]}}),
    "bots.json": json.dumps(MATCH | {"bots": ["greedy"]}),
    "fun.json": json.dumps(
        MATCH | {"match": START | {"game": "endless-fun"}, "bots": ["greedy"] * 3}
    ),
    "five.sgf": "(;GM[4])",
    "board.sgf": "(;)",
}


REFUSED = Path(__file__).with_name("bad_input.txt").read_text()
"""A command line a row, and what the refusal must name."""

ROWS = [line.partition("|") for line in REFUSED.splitlines()]
CASES = [
    *((words.strip(), named.strip()) for words, _, named in ROWS),
    ("submit toy.toml -b sparse --tag " + "x" * 81, "tag: must have 1 to 80"),
    ("score -b sparse --run " + "x" * 90, "run 'xxx"),
    ("games caf\udce9.toml", "argument 'caf\\udce9.toml': not UTF-8"),
    ("compile toy.toml -o \udcff.qasm", "argument '\\udcff.qasm': not UTF-8"),
    ("submit toy.toml -b sparse --tag \udce9", "'\\udce9': not UTF-8"),
    ("jobs --database \udce9", "'\\udce9': not UTF-8"),
]


def listing(folder):
    """Return size and time of change of every path below a folder but the records."""
    return {
        path: (path.lstat().st_size, path.lstat().st_mtime_ns)
        for path in folder.rglob("*")
        if not path.name.startswith("stichwerk.sqlite")
    }


@pytest.fixture(scope="module")
def furnished(tmp_path_factory):
    """A folder of good and bad files, and records of one job that is queued."""
    folder = tmp_path_factory.mktemp("furnished")
    write_programs(folder)
    for name, content in FILES.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    for name in ("folder.toml", "empty"):
        (folder / name).mkdir()
    with (folder / "huge.json").open("wb") as huge:
        huge.truncate(MAX_EXPECTED_BYTES + 1)
    shutil.copy(ROOT / "examples/weighted-skat-4.toml", folder / "weighted.toml")
    shutil.copy(ROOT / "tests/games/trick_taking/skat/iss-games.sgf", folder / "iss.sgf")
    engine = open_database(str(folder / "stichwerk.sqlite"))
    with Session(engine) as session:
        session.add(Job(program="toy.toml", target="all:16", backend="sparse", shots=1, seed=0,
                        state="queued"))  # fmt: skip
        session.commit()
        yield folder
        assert [session.scalar(select(func.count(kind.id))) for kind in (Job, Compilation)] == [
            1,
            0,
        ]
    engine.dispose()


@pytest.fixture
def here(folder, furnished, monkeypatch):
    """The current folder, with neither a Redis nor an account of IBM."""
    monkeypatch.chdir(furnished)
    monkeypatch.setenv("STICHWERK_REDIS", "redis://127.0.0.1:1/0")
    monkeypatch.setenv("HOME", str(folder))
    for name in ("QISKIT_IBM_TOKEN", "QISKIT_IBM_INSTANCE"):
        monkeypatch.delenv(name, raising=False)
    return furnished


@pytest.mark.parametrize(("words", "named"), CASES, ids=[words[:60] for words, _ in CASES])
def test_bad_input_is_refused_in_one_line(here, stichwerk, words, named):
    before = listing(here)
    done = stichwerk(*shlex.split(words))
    assert (done.code, done.out) == (2, "")
    *progress, line = done.err.splitlines()
    assert line.startswith("stichwerk: ")
    assert named in line
    assert not any("Traceback" in other or other.startswith("stichwerk: ") for other in progress)
    assert listing(here) == before


@pytest.mark.parametrize(
    ("variable", "value"),
    [("DATABASE", "\udce9"), ("PRICES", "\udce9"), ("LEASE_SECONDS", "0"),
     ("LEASE_SECONDS", "soon"), ("LEASE_SECONDS", "nan"), ("MOST_JOBS", "-1")],
)  # fmt: skip
def test_bad_variables_are_refused_in_one_line(stichwerk, monkeypatch, variable, value):
    monkeypatch.setenv(f"STICHWERK_{variable}", value)
    done = stichwerk("jobs")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    shown = value.encode("unicode_escape").decode()
    assert done.err.startswith(f"stichwerk: STICHWERK_{variable}='{shown}': ")
