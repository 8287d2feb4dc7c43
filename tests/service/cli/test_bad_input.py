"""Every bad input ends in exit 2, one line that names it, and nothing written."""

import subprocess
import sys
from pathlib import Path

import pytest

from workers.untrusted_programs.files import MOST_EXPECTED_BYTES

FAST = ("--method", "fast", "--budget", "5", "--processes", "1")
QASM_2 = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[2];\ncreg c[2];\n'
QASM_3 = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[2] c;\n'
GARBAGE = bytes(range(128, 256)) * 4


def listing(folder: Path) -> dict[str, bytes | None]:
    """Return every path below a folder, and every file's content."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


BAD_GAMES = {
    "malformed TOML": ('game = "skat\n', "not a TOML document"),
    "binary TOML": (GARBAGE, "not a UTF-8 text"),
}


def qasm_2(body: str) -> str:
    return QASM_2 + body


def qasm_3(body: str) -> str:
    return QASM_3 + body


BAD_CIRCUITS = {
    "empty QASM": ("bad.qasm", "", "no OPENQASM statement"),
    "binary QASM": ("bad.qasm", GARBAGE, "not a UTF-8 text"),
    "no gates in QASM 2": ("bad.qasm", qasm_2("measure q -> c;"), "no gates"),
    "binary QPY": ("bad.qpy", GARBAGE, "cannot be read as QPY"),
}

COMPILE = ("compile", "toy.toml", *FAST)
RUN = ("run", "toy.toml", *FAST, "--backend")
SPARSE = (*RUN, "sparse")
EXPECT = ("run", "ghz3.qasm", *FAST, "--backend", "sparse", "--expect")

BAD_ARGUMENTS = {
    "no such file": (("compile", "gone.toml"), "gone.toml"),
    "a folder": (("compile", "folder.toml"), "folder.toml"),
    "wrong suffix": (("compile", "notes.txt"), "notes.txt"),
    "no such game in a run": (("run", "skat-44", "--backend", "sparse"), "skat-44"),
    "a circuit in games": (("games", "ghz3.qasm"), "ghz3.qasm"),
    "target too small": ((*COMPILE, "--target", "all:4"), "16 qubits"),
    "no such target": ((*COMPILE, "--target", "ring:17"), "'ring'"),
    "no such device": ((*COMPILE, "--target", "heavy-hex:nowhere"), "heavy-hex:nowhere"),
    "encoding of another game": (
        ("compile", "skat-9", "--encoding", "paper"),
        "encoding 'paper' does not support skat-9; available: lists, lists-win, lean",
    ),
    "fidelity without calibration": (
        (*COMPILE, "--target", "star", "--objective", "expected_fidelity"),
        "'star:16' lacks",
    ),
    "pass that must be": ((*COMPILE, "--without", "synthesise"), "'synthesise' can be left out"),
    "no budget": ((*COMPILE, "--budget", "0"), "--budget"),
    "no such suite": (("bench", "--suite", "huge"), "huge"),
    "backend's device": ((*RUN, "aer:nowhere"), "nowhere"),
    "backend not of the target": ((*RUN, "aer:torino", "--target", "star"), "not 'star'"),
    "no shots": ((*SPARSE, "--shots", "0"), "shots = 0"),
    "shots beyond every integer": ((*SPARSE, "--shots", "1" + "0" * 40), "1" + "0" * 40),
    "seed too large": ((*COMPILE, "--seed", "2147483648"), "--seed"),
    "too many processes": (("compile", "toy.toml", "--processes", "65"), "--processes"),
    "database in no folder": ((*COMPILE, "--database", "gone/r.sqlite"), "gone/r.sqlite"),
    "database is a text": ((*COMPILE, "--database", "notes.txt"), "notes.txt"),
    "database of a text in a report": (("report", "--database", "notes.txt"), "notes.txt"),
    "database scheme": ((*COMPILE, "--database", "foo://bar"), "foo://bar"),
    "output suffix": ((*COMPILE, "-o", "out.txt"), "out.txt"),
    "output in no folder": ((*COMPILE, "-o", "gone/out.qasm"), "gone/out.qasm"),
    "report suffix": (("report", "-o", "out.pdf"), "out.pdf"),
    "suite's report in no folder": (("bench", "--report", "gone/o.html"), "gone/o.html"),
    "nothing measured": (("run", "silent.qasm", *FAST, "--backend", "sparse"), "silent.qasm"),
    "counts that are not there": ((*EXPECT, "gone.json"), "gone.json: cannot be read: No such"),
    "counts of other bits": ((*EXPECT, "two.json"), "ghz3.qasm: outcomes of 2 bits are expected"),
    "counts that are too large": ((*EXPECT, "huge.json"), "huge.json: cannot be read: more than"),
    "counts for a game": ((*SPARSE, "--expect", "two.json"), "toy.toml: a game knows its own"),
    "unknown global option": (("--frob",), "--frob"),
    "no program": (("compile",), "PROGRAM"),
    "counts as a picture": ((*RUN, "sparse", "-o", "counts.png"), "must end in .json"),
    "one argument too many": (("compile", "toy.toml", "ghz.qpy"), "ghz.qpy"),
}

CASES = [
    *(("game: " + case, "bad.toml", text, (), part) for case, (text, part) in BAD_GAMES.items()),
    *(("circuit: " + case, *of[:2], (), of[2]) for case, of in BAD_CIRCUITS.items()),
    *(("arguments: " + case, "", "", *of) for case, of in BAD_ARGUMENTS.items()),
]


@pytest.fixture
def furnished(folder):
    """The folder with things in the way: folders with suffixes, a text, a silent circuit."""
    (folder / "folder.toml").mkdir()
    (folder / "folder.qasm").mkdir()
    (folder / "notes.txt").write_text("hello, this is a text and no database\n" * 100)
    (folder / "silent.qasm").write_text(qasm_3("h q[0];"))
    (folder / "two.json").write_text('{"00": 1, "11": 1}')
    (folder / "suite.toml").write_text('suite = "s"\nprograms = ["skat-4"]\nbackends = ["sparse"]')
    with (folder / "huge.json").open("wb") as huge:
        huge.truncate(MOST_EXPECTED_BYTES + 1)
    return folder


def put(folder: Path, name: str, content: str | bytes) -> None:
    """Write a file, unless a case has none."""
    if name:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.mark.parametrize(
    ("name", "content", "arguments", "part"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_bad_input_is_refused_in_one_line(furnished, stichwerk, name, content, arguments, part):
    put(furnished, name, content)
    before = listing(furnished)
    answer = stichwerk(*(arguments or ("compile", name, *FAST)))
    assert answer.code == 2
    assert answer.out == ""
    (line,) = answer.err.splitlines()
    assert line.startswith("stichwerk: ")
    assert part in line
    if name:
        assert name in line
    assert listing(furnished) == before


def test_the_installed_command_shows_no_traceback(furnished):
    put(furnished, "bad.qpy", GARBAGE)
    before = listing(furnished)
    command = Path(sys.executable).with_name("stichwerk")
    arguments = ("run", "bad.qpy", "--backend", "sparse")
    done = subprocess.run([command, *arguments], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "cannot be read as QPY" in line
    assert listing(furnished) == before
