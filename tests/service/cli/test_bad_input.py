"""Every bad input ends in exit 2, one line that names it, and nothing written."""

import subprocess
import sys
from pathlib import Path

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import Parameter

from compiler.formats.circuit_files import qpy_bytes
from workers.untrusted_programs.files import MOST_EXPECTED_BYTES

FAST = ("--method", "fast", "--budget", "5", "--processes", "1")
CARDS = 'game = "skat"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10", "CK"]\n'
QASM_2 = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[2];\ncreg c[2];\n'
QASM_3 = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[2] c;\n'
GARBAGE = bytes(range(128, 256)) * 4


def listing(folder: Path) -> dict[str, bytes | None]:
    """Return every path below a folder, and every file's content."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def deck(*names: str) -> str:
    """Return the toy's document with another deck."""
    return CARDS.replace('"CA", "C10", "CK"', ", ".join(f'"{name}"' for name in names))


SKAT = CARDS + 'rules = "skat"\ntrump = "C"\n'
BAD_GAMES = {
    "unknown card": (deck("CA", "C10", "C1"), "'C1'"),
    "card that is a number": (CARDS.replace('"CA"', "7"), "unknown card 7"),
    "duplicate card": (deck("CA", "C10", "CA"), "duplicate card 'CA'"),
    "no deck": ('game = "skat"\nplayers = 2\nhand = 1\n', "deck = None"),
    "empty deck": (deck(), "deck = []"),
    "deck that is a text": (CARDS.replace('["CA", "C10", "CK"]', '"CA"'), "deck = 'CA'"),
    "hands larger than the deck": (CARDS.replace("hand = 1", "hand = 2"), "hand = 2"),
    "hand of nothing": (CARDS.replace("hand = 1", "hand = 0"), "hand = 0"),
    "no hand": (CARDS.replace("hand = 1\n", ""), "hand: missing"),
    "skat that does not fit": (CARDS + "skat = 2\n", "skat = 2"),
    "one player": (CARDS.replace("players = 2", "players = 1"), "players = 1"),
    "four players": (CARDS.replace("players = 2", "players = 4"), "players = 4"),
    "players in words": (CARDS.replace("players = 2", 'players = "two"'), "players = 'two'"),
    "players true": (CARDS.replace("players = 2", "players = true"), "players = True"),
    "party of a stranger": (CARDS + "party = [2]\n", "party = [2]"),
    "party of nobody": (CARDS + "party = []\n", "party = []"),
    "party of everybody": (CARDS + "party = [0, 1]\n", "party = [0, 1]"),
    "party twice": (CARDS + "party = [1, 1]\n", "party = [1, 1]"),
    "threshold 0": (CARDS + "threshold = 0\n", "threshold = 0"),
    "threshold too high": (CARDS + "threshold = 26\n", "threshold = 26"),
    "threshold with a fraction": (CARDS + "threshold = 1.5\n", "threshold = 1.5"),
    "base points below 0": (CARDS + "base_points = -1\n", "base_points = -1"),
    "nobody can win": (deck("C9", "C8", "C7"), "nobody can win"),
    "points of an unknown rank": (CARDS + "points = { B = 2 }\n", "points.B"),
    "points below 0": (CARDS + "points = { A = -11 }\n", "points.A = -11"),
    "unknown key": (CARDS + 'trumps = "S"\n', "trumps"),
    "unknown kind of game": (CARDS.replace('"skat"', '"chess"'), "'chess'"),
    "no kind of game": (CARDS.replace('game = "skat"\n', ""), "'game' is missing"),
    "rules that nobody knows": (CARDS + 'rules = "bridge"\n', "rules = 'bridge'"),
    "skat rules without trumps": (CARDS + 'rules = "skat"\n', "trump: missing"),
    "trump in paper rules": (CARDS + 'trump = "C"\n', "trump: has no meaning in paper rules"),
    "trump that is no suit": (SKAT.replace('"C"\n', '"X"\n'), "trump = 'X'"),
    "trump and a contract": (SKAT + 'contract = "grand"\n', "contract = 'grand'"),
    "party of truth": (CARDS + "party = [true]\n", "party = [True]"),
    "first card of nobody": (SKAT + 'first_card = "CA"\n', "first_card = 'CA'"),
    "leader of a stranger": (SKAT + "leader = 2\n", "leader = 2"),
    "whole trick on the table": (SKAT + 'table = ["CA", "C10"]\n', "table: 2 cards"),
    "half a trick taken": (SKAT + 'taken = { 0 = ["CA"] }\n', "taken.0: 1 cards"),
    "more of a class than a hand": (SKAT + "class_counts = { 0 = { T = 2 } }\n", "T = 2"),
    "class that is none": (SKAT + "class_counts = { 0 = { C = 1 } }\n", "class_counts.0.C"),
    "classes that do not fit": (SKAT + "class_counts = { 0 = { S = 1 } }\n", "1 cards of class S"),
    "known card not in the deck": (CARDS + '[known]\n0 = ["SA"]\n', "'SA'"),
    "known card twice": (CARDS + '[known]\n0 = ["CA"]\n1 = ["CA"]\n', "'CA'"),
    "known hand too large": (CARDS + '[known]\n0 = ["CA", "CK"]\n', "known.0"),
    "known hand of a stranger": (CARDS + '[known]\n2 = ["CA"]\n', "known.2"),
    "known without a table": (CARDS + 'known = "CA"\n', "known = 'CA'"),
    "malformed TOML": ('game = "skat\n', "not a TOML document"),
    "key twice": (CARDS + "hand = 1\n", "not a TOML document"),
    "empty TOML": ("", "'game' is missing"),
    "binary TOML": (GARBAGE, "not a UTF-8 text"),
}


def qasm_2(body: str) -> str:
    return QASM_2 + body


def qasm_3(body: str) -> str:
    return QASM_3 + body


def unbound() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    circuit.rx(Parameter("angle"), 0)
    circuit.measure(0, 0)
    return circuit


def empty() -> QuantumCircuit:
    circuit = QuantumCircuit(2, 2)
    circuit.measure([0, 1], [0, 1])
    return circuit


BAD_CIRCUITS = {
    "empty QASM": ("bad.qasm", "", "no OPENQASM statement"),
    "no OPENQASM statement": ("bad.qasm", "qubit q;\n", "no OPENQASM statement"),
    "binary QASM": ("bad.qasm", GARBAGE, "not a UTF-8 text"),
    "no semicolon in QASM 2": ("bad.qasm", qasm_2("h q[0]"), "cannot be read as OpenQASM 2"),
    "unknown gate in QASM 2": ("bad.qasm", qasm_2("frob q[0];"), "frob"),
    "qubit out of range in QASM 2": ("bad.qasm", qasm_2("h q[2];"), "cannot be read as OpenQASM 2"),
    "division by zero in QASM 2": ("bad.qasm", qasm_2("rz(1/0) q[0];"), "divide by zero"),
    "missing include": ("bad.qasm", 'OPENQASM 2.0;\ninclude "no.inc";\n', "no.inc"),
    "unknown gate in QASM 3": ("bad.qasm", qasm_3("frob q[0];"), "frob"),
    "same qubit twice": ("bad.qasm", qasm_3("cx q[0], q[0];"), "twice"),
    "subroutine with a value": (
        "bad.qasm",
        qasm_3("def f(qubit a) -> bit { h a; return 1; } f(q[0]);"),
        "return",
    ),
    "no gates in QASM 2": ("bad.qasm", qasm_2("measure q -> c;"), "no gates"),
    "no gates in QASM 3": ("bad.qasm", qasm_3("c = measure q;"), "no gates"),
    "unbound input": ("bad.qasm", qasm_3("input float theta;\nrx(theta) q[0];"), "theta"),
    "while": (
        "bad.qasm",
        qasm_3("c[0] = measure q[0];\nwhile (c[0]) { h q[0]; c[0] = measure q[0]; }"),
        "'while' has no bound; write 'for'",
    ),
    "break": (
        "bad.qasm",
        qasm_3("for int i in [0:3] { c = measure q; if (c[0]) { break; } }"),
        "'break' under a condition",
    ),
    "many turns": (
        "bad.qasm",
        qasm_3("for int i in [0:9999999] { h q[0]; }"),
        "loops take more than 100000 turns",
    ),
    "turns beyond all counting": (
        "bad.qasm",
        qasm_3("for int i in [0:99999999999999999999] { h q[0]; }"),
        "loops take more than 100000 turns",
    ),
    "many turns in two loops": (
        "bad.qasm",
        qasm_3("for int i in [0:1] { for int j in [0:99998] {} }"),
        "loops take more than 100000 turns",
    ),
    "endless range": ("bad.qasm", qasm_3("for int i in [0:] { h q[0]; }"), "[0:3]"),
    "switch on a fraction": ("bad.qasm", qasm_3("switch (0.5) { case 3 { x q[0]; } }"), "float"),
    "empty QPY": ("bad.qpy", b"", "cannot be read as QPY"),
    "binary QPY": ("bad.qpy", GARBAGE, "cannot be read as QPY"),
    "text as QPY": ("bad.qpy", qasm_3("h q[0];"), "cannot be read as QPY"),
    "QPY with no gates": ("bad.qpy", qpy_bytes(empty()), "no gates"),
    "unbound parameter in QPY": ("bad.qpy", qpy_bytes(unbound()), "angle"),
}

COMPILE = ("compile", "toy.toml", *FAST)
RUN = ("run", "toy.toml", *FAST, "--backend")
SPARSE = (*RUN, "sparse")
EXPECT = ("run", "ghz3.qasm", *FAST, "--backend", "sparse", "--expect")

BAD_ARGUMENTS = {
    "no such file": (("compile", "gone.toml"), "gone.toml"),
    "no such circuit": (("compile", "gone.qasm"), "gone.qasm"),
    "a folder": (("compile", "folder.toml"), "folder.toml"),
    "wrong suffix": (("compile", "notes.txt"), "notes.txt"),
    "no such game": (("compile", "skat-44"), "skat-44"),
    "no such game in a run": (("run", "skat-44", "--backend", "sparse"), "skat-44"),
    "no such game in games": (("games", "bridge"), "bridge"),
    "a circuit in games": (("games", "ghz3.qasm"), "ghz3.qasm"),
    "target too small": ((*COMPILE, "--target", "all:4"), "16 qubits"),
    "hexes too few": ((*COMPILE, "--target", "heavy-hex:9"), "heavy-hex:9"),
    "no such target": ((*COMPILE, "--target", "ring:17"), "'ring'"),
    "no target": ((*COMPILE, "--target", ""), "unknown target ''"),
    "no such device": ((*COMPILE, "--target", "heavy-hex:oslo"), "heavy-hex:oslo"),
    "gates of a device": ((*COMPILE, "--target", "heavy-hex:torino:cx"), ":cx"),
    "no such gates": ((*COMPILE, "--target", "star:17:ecr"), "'ecr'"),
    "size 0": ((*COMPILE, "--target", "star:0"), "star:0"),
    "size 1": ((*COMPILE, "--target", "star:1"), "star:1"),
    "size 99999": ((*COMPILE, "--target", "all:99999"), "all:99999"),
    "size x": ((*COMPILE, "--target", "all:x"), "all:x"),
    "size with a sign": ((*COMPILE, "--target", "all:+17"), "all:+17"),
    "size in other digits": ((*COMPILE, "--target", "all:١٧"), "all:١٧"),
    "too many colons": ((*COMPILE, "--target", "star:17:cz:1"), "star:17:cz:1"),
    "no such method": (("compile", "toy.toml", "--method", "magic"), "magic"),
    "no such encoding": ((*COMPILE, "--encoding", "morse"), "morse"),
    "encoding of another game": (
        ("compile", "skat-9", "--encoding", "paper"),
        "encoding 'paper' does not support skat-9; available: lists, lists-win, lean",
    ),
    "encoding of a circuit": (("compile", "ghz3.qasm", "--encoding", "lists"), "ghz3.qasm: a cir"),
    "card that is not held": (("games", "skat-9:H8"), "skat-9:H8: you hold H10, HQ, H7"),
    "word that is none": (("compile", "skat-32:X"), "skat-32:X: unknown word 'X'"),
    "word too many": (("games", "skat-4:C"), "skat-4:C"),
    "no such objective": ((*COMPILE, "--objective", "beauty"), "beauty"),
    "fidelity without calibration": (
        (*COMPILE, "--target", "star", "--objective", "expected_fidelity"),
        "'star:16' lacks",
    ),
    "no such pass": ((*COMPILE, "--without", "sleep"), "no pass 'sleep' can be left out"),
    "pass that must be": ((*COMPILE, "--without", "synthesise"), "'synthesise' can be left out"),
    "no budget": ((*COMPILE, "--budget", "0"), "--budget"),
    "no seeds": ((*COMPILE, "--seeds", "0"), "--seeds"),
    "negative time": ((*COMPILE, "--time-limit", "-1"), "--time-limit"),
    "no such suite": (("bench", "--suite", "huge"), "huge"),
    "no such backend": ((*RUN, "abacus"), "abacus"),
    "no backend": ((*RUN, ""), "unknown backend ''"),
    "backend without argument": ((*RUN, "sparse:3"), "sparse:3"),
    "backend's device": ((*RUN, "aer:oslo"), "aer:oslo"),
    "backend not of the target": ((*RUN, "aer:torino", "--target", "star"), "not 'star'"),
    "no shots": ((*SPARSE, "--shots", "0"), "shots = 0"),
    "negative shots": ((*SPARSE, "--shots", "-5"), "shots = -5"),
    "too many shots": ((*SPARSE, "--shots", "1000001"), "shots = 1000001"),
    "shots beyond every integer": ((*SPARSE, "--shots", "1" + "0" * 40), "1" + "0" * 40),
    "shots in words": ((*SPARSE, "--shots", "many"), "--shots"),
    "half a shot": ((*SPARSE, "--shots", "0.5"), "--shots"),
    "negative seed": ((*COMPILE, "--seed", "-1"), "--seed"),
    "seed too large": ((*COMPILE, "--seed", "2147483648"), "--seed"),
    "negative seed of a suite": (("bench", "--seed", "-1"), "--seed"),
    "no processes": (("compile", "toy.toml", "--processes", "0"), "--processes"),
    "too many processes": (("compile", "toy.toml", "--processes", "65"), "--processes"),
    "database in no folder": ((*COMPILE, "--database", "gone/r.sqlite"), "gone/r.sqlite"),
    "database is a folder": ((*COMPILE, "--database", "folder.toml"), "folder.toml"),
    "database is a text": ((*COMPILE, "--database", "notes.txt"), "notes.txt"),
    "database of a text in a report": (("report", "--database", "notes.txt"), "notes.txt"),
    "database scheme": ((*COMPILE, "--database", "foo://bar"), "foo://bar"),
    "database URL": ((*COMPILE, "--database", "://"), "'://'"),
    "output suffix": ((*COMPILE, "-o", "out.txt"), "out.txt"),
    "output in no folder": ((*COMPILE, "-o", "gone/out.qasm"), "gone/out.qasm"),
    "output is a folder": ((*COMPILE, "-o", "folder.qasm"), "folder.qasm"),
    "report suffix": (("report", "-o", "out.pdf"), "out.pdf"),
    "report without a name": (("report", "-o", ""), "report ''"),
    "report in no folder": (("report", "-o", "gone/out.html"), "gone/out.html"),
    "suite's report in no folder": (("bench", "--report", "gone/o.html"), "gone/o.html"),
    "nothing measured": (("run", "silent.qasm", *FAST, "--backend", "sparse"), "silent.qasm"),
    "unknown option": (("compile", "toy.toml", "--frob"), "--frob"),
    "counts that are not there": ((*EXPECT, "gone.json"), "gone.json: cannot be read: No such"),
    "counts that are a folder": ((*EXPECT, "folder.toml"), "folder.toml: cannot be read: Is a "),
    "counts that are a text": ((*EXPECT, "notes.txt"), "notes.txt: not JSON"),
    "counts of other bits": ((*EXPECT, "two.json"), "ghz3.qasm: outcomes of 2 bits are expected"),
    "counts that are too large": ((*EXPECT, "huge.json"), "huge.json: cannot be read: more than"),
    "counts for a game": ((*SPARSE, "--expect", "two.json"), "toy.toml: a game knows its own"),
    "counts for a named game": (
        ("submit", "skat-4", "-b", "sparse", "--expect", "two.json"),
        "skat-4: a game knows its own distribution",
    ),
    "counts of other bits for a job": (
        ("submit", "ghz3.qasm", "-b", "sparse", "--expect", "two.json"),
        "ghz3.qasm: outcomes of 2 bits are expected of it, and it has 3 classical bits",
    ),
    "counts for a suite": (
        ("submit", "suite.toml", "--expect", "two.json"),
        "a suite names what it expects itself",
    ),
    "counts for the circuit of a job": (
        ("submit", "--like-job", "1", "--expect", "two.json"),
        "leave out program, target, --expect and",
    ),
    "unknown global option": (("--frob",), "--frob"),
    "unknown command": (("frobnicate",), "frobnicate"),
    "no program": (("compile",), "PROGRAM"),
    "no program to run": (("run", "--backend", "sparse"), "PROGRAM"),
    "no backend given": (("run", "toy.toml"), "--backend"),
    "counts as a picture": ((*RUN, "sparse", "-o", "counts.png"), "must end in .json"),
    "tag of two lines": ((*RUN, "sparse", "--tag", "a\nb"), "printable"),
    "money without a unit": ((*RUN, "ibm:torino", "--max-cost", "5"), "write 5USD"),
    "option without a value": (("compile", "toy.toml", "--target"), "--target"),
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


@pytest.mark.parametrize(
    ("name", "content", "arguments", "part"),
    [
        ("bad.toml", deck("CA", "C10", "C1"), ("games", "bad.toml"), "'C1'"),
        ("bad.qasm", qasm_3("frob q[0];"), ("compile", "bad.qasm"), "frob"),
        ("bad.qpy", GARBAGE, ("run", "bad.qpy", "--backend", "sparse"), "cannot be read as QPY"),
        ("", "", (*COMPILE, "--database", "foo://bar"), "foo://bar"),
    ],
    ids=["game", "QASM", "QPY", "database"],
)
def test_the_installed_command_shows_no_traceback(furnished, name, content, arguments, part):
    put(furnished, name, content)
    before = listing(furnished)
    command = Path(sys.executable).with_name("stichwerk")
    done = subprocess.run([command, *arguments], check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert part in line
    assert listing(furnished) == before
