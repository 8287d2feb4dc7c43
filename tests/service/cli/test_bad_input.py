"""Bad input: exit code 2, one line that names it, and nothing written or recorded."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tests.service.conftest import TWO_CARDS, write_programs
from workers.records.database import open_database
from workers.records.tables import Compilation, Job
from workers.untrusted_programs.files import MOST_EXPECTED_BYTES

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

REFUSED = """
--frob                                                      | --frob
gmaes                                                       | Did you mean
skat vlaue                                                  | Did you mean 'value'?
compile toy.toml --traget star                              | --target
compile                                                     | PROGRAM
compile gone.toml                                           | gone.toml
compile folder.toml                                         | folder.toml
compile open.toml                                           | open.toml, line 1: not a TOML doc
compile no-gates.qasm                                       | no-gates.qasm
compile empty.qasm                                          | empty.qasm: no OPENQASM statement
compile binary.qpy                                          | binary.qpy: cannot be read as QPY
compile toy.toml --target all:4                             | 16 qubits
compile toy.toml --target ring:17                           | 'ring'
compile toy.toml --target heavy-hex:nowhere                 | heavy-hex:nowhere
compile toy.toml -t star --objective expected_fidelity      | 'star:16' lacks
compile skat-9 --encoding paper                             | available: lists, lists-win, lean
compile skat-4 --target all:2 --encoding best               | no encoding can be compiled
compile toy.toml --without synthesise                       | 'synthesise'
compile toy.toml --seed -1                                  | '--seed': -1 is less than 0
compile toy.toml --processes 65                             | --processes
compile toy.toml --database gone/r.sqlite                   | gone/r.sqlite
compile toy.toml --database notes.txt                       | notes.txt
compile toy.toml --database foo://bar                       | foo://bar
compile toy.toml -o out.txt                                 | out.txt
compile toy.toml -o gone/out.qasm                           | gone/out.qasm
compile ladder.qasm -t star:7                               | (--reuse-qubits) it needs 2
compile ghz3.qasm --reuse-qubits --any-input                | cannot hold on any input
compile silent.qasm --reuse-qubits                          | measures nothing
compile ghz2.qasm -t bad-device.toml                        | edge 1-3: there is no qubit 3
run toy.toml -b spase                                       | did you mean 'sparse'?
run toy.toml -b aer:torino --target star                    | not 'star'
run toy.toml -b sparse --shots 0                            | shots = 0
run toy.toml -b sparse --shots 9999999999999999999999999999 | 9999999999999999999999999999
run toy.toml -b sparse -o counts.png                        | must end in .json
run toy.toml -b sparse --expect two.json                    | toy.toml: a game knows its own
run silent.qasm -b sparse                                   | silent.qasm
run ghz3.qasm -b sparse --expect two.json                   | ghz3.qasm: outcomes of 2 bits
run ghz3.qasm -b sparse --expect huge.json                  | huge.json: cannot be read: more
run ladder.qasm -b braket:emerald --reuse-qubits            | try aer
run toy.toml -b ibm:torino                                  | no IBM account
run toy.toml -b aer:torino --mitigation dd                  | mitigation 'dd': backend 'aer:torino'
run toy.toml -b sparse --mitigation zne                     | it takes none
run toy.toml -b aer:torino --shots 211 --mitigation twirling| shots = 211: twirling
run six-nimmt -b aer:torino --mitigation zne                | measures on the way
submit toy.toml                                             | missing option --backend
submit toy.toml -b sparse --repeat 0                        | repeat = 0
submit toy.toml -b sparse --max-cost 1e30                   | more than 1,000,000,000
submit toy.toml -b sparse --seed 2147483647 --repeat 2      | seed =
submit toy.toml -b ibm:torino --max-cost 0.01USD            | own limit of 0.01
submit toy.toml -b aer:torino --mitigation dd               | does not take it
submit toy.toml -b aer:torino --mitigation zne --repeat 2   | leave out --repeat
submit toy.toml -b ibm:torino --mitigation zne --max-cost 7USD | nothing was submitted
submit --like-job 9                                         | there is no job 9
submit --like-job 1                                         | job 1 has no circuit yet: it is queued
submit toy.toml --like-job 1                                | leave out program, target, --expect
job 7                                                       | there is no job 7
job 99999999999999999999                                    | there is no job 99999999999999999999
job 1 --database typo.sqlite                                | no records at 'typo.sqlite'
jobs --state nowhere                                        | unknown state 'nowhere'; known: queued
jobs --since yesterday                                      | since 'yesterday': write 30m
result 0                                                    | there is no job 0
cancel                                                      | say which jobs
cancel 1 --tag x                                            | not both
cancel --state done                                         | state 'done': must be one of queued
retry --tag x                                               | say which jobs of the tag
retry --failed --state failed                               | not both
rescore 7                                                   | there is no job 7
migrate --wait nan                                          | '--wait'
migrate --database sqlite:///x?timeout=soon                 | could not convert
migrate --database postgresql+psycopg://h:port/x            | cannot be written
worker --queues compil                                      | queues 'compil': unknown compil
up --directory toy.toml                                     | directory 'toy.toml'
up --fault cut-after                                        | are for --simulate-providers
up --drift 0.1                                              | are for --simulate-providers
up --simulate-providers --noiseless --drift 0.1             | 0.1
up --simulate-providers --fault fire                        | fire
token create 'a b'                                          | a b
token create alice --scope write                            | write
token create guest --expires 0d                             | 0d
token create guest --expires 9999999d                       | 9999999d
token create guest --day-budget five                        | five
token revoke nobody                                         | nobody
campaign idle.toml                                          | measures nothing
campaign nightly.toml --at soon                             | --at 'soon'
campaign nightly.toml --at 2026-01-01 --run a               | leave out --at
campaign nightly.toml --run 0123456789012345678901234567890 | 1 to 30
campaign nightly                                            | a campaign is a .toml
score -b sparse --badge a.png                               | badge 'a.png': must end in .svg
score -b sparse -o a.txt                                    | output 'a.txt': must end in .json
score -b sparse --queue -o a.json                           | --queue: leave out
score --job 9 --database typo.sqlite                        | no records
score --job 9 -b sparse                                     | --job shows what is there
score a.json                                                | are for --merge
score --merge                                               | name at least one result
score --merge a.json                                        | missing option --output
score --merge a.json -b sparse                              | --merge only reads files
bench --suite huge                                          | huge
bench --report gone/o.html                                  | gone/o.html
report -o out.pdf                                           | out.pdf
targets torino                                              | did you mean 'heavy-hex:torino'?
targets ghz2.qasm                                           | .toml or .json
gates check --suite no.toml                                 | no.toml: the suite cannot be read
gates check --suite toy.toml                                | toy.toml, line 1: 'game' is not known
gates check --baseline none.json                            | none.json: there is no baseline
fidelity --literal-shots -1                                 | shots = -1: must be from 1
fidelity ghz2.qasm                                          | ghz2.qasm: not a card game
fidelity skat-32                                            | too many to enumerate
crossover skat-4 --error 0                                  | error 0
crossover skat-4 --playouts-per-second 0                    | --playouts-per-second 0
crossover skat-4 --encoding paper                           | measures one bit 'win'
crossover ghz2.qasm                                         | not a game
crossover weiqi:fig10                                       | measures one bit 'win'
estimate skat-4 --observable points --error 16              | as a share of 0 to 31
estimate skat-4 --error 0                                   | error 0.0 is not between 0.0001
estimate skat-4 --confidence 1                              | confidence 1.0 is not between
estimate skat-4 --most-iterates 1001                        | most_iterates 1001 is not between
estimate skat-4 --encoding best                             | encoding 'best'
estimate skat-4 --backend ibm:torino                        | no IBM account
estimate skat-4 --queue -b sparse --plot a.png              | --queue: leave out --plot
estimate skat-32                                            | more than the 4,096
advise endless-fun                                          | no game of tricks
advise weighted.toml                                        | its cards have weights
advise skat-9 --bid 20                                      | no game value
advise skat-9 --playouts 0                                  | playouts
advise skat-9 --deals 100000                                | deals
advise skat-9 --move 3                                      | --game and --move are for records
advise skat-9 --every-move                                  | --every-move is for records (.sgf)
advise skat-32                                              | 0 of 10 cards of seat A are known
advise skat-32:known --contract 'S hand'                    | contract spades hand
advise iss.sgf --game 3 --move 25 --bid 20                  | a record says them
advise iss.sgf --game 40 --move 1                           | --game 40: it has games 1 to 14
advise iss.sgf --game 8 --move 25                           | the record has moves 1 to 13
advise iss.sgf --game 3                                     | --move, 1 to 30
advise iss.sgf --game 5                                     | game 5: no card was played
advise iss.sgf --every-move --move 3                        | goes with neither --move nor
advise two-cards.toml --estimator bayesian                  | no backend
advise two-cards.toml -b sparse --estimator luck            | known: bayesian, iterative, counting
advise two-cards.toml -b sparse --estimator iterative --error 0.7 | error 0.7 is not between
advise two-cards.toml -b ibm:torino --estimator bayesian    | no IBM account
advise two-cards.toml --error 0.1                           | --error is for estimates
advise two-cards.toml --queue                               | --queue is for estimates
advise two-cards.toml --tag mine                            | --tag and --max-cost are for --queue
train endless-fun                                           | no game of tricks
train skat-32                                               | at most 100,000 together
train skat-4 --seat 2                                       | seat 2: skat-4 has seats A to B
train skat-4 --steps 20001                                  | 20001 is more than 20000
train skat-4 --save trained.txt                             | must end in .toml
train skat-4 --pipeline window-qiskit                       | which only --backend runs
train skat-4 --backend sparse --steps 1001                  | at most 1,000
train skat-4 --tag mine                                     | give a --backend
train skat-4 --queue --backend sparse,aer                   | --queue: give one --backend
train skat-4 --queue --backend sparse --plot a.png          | leave out --save and
train skat-4 --queue --backend ibm:torino --max-cost 1USD   | 46 circuits cost at least
peers --suite operators --export x                          | 'operators' has no public circuits
peers --peer qiskt                                          | did you mean 'qiskit'?
peers toy.toml                                              | toy.toml: no circuit and no folder
peers empty                                                 | empty: the folder holds no .qasm
peers ghz2.qasm -t all:2                                    | no circuit fits
peers ghz2.qasm --export out                                | --export
qudits compare --error 2                                    | 2 is more than 1.0
qudits compare --games skat-4                               | no round of Endless Fun
qudits compare --games endless-fun:none                     | no round 'none'
endless evaluate --start ٣                                  | write a digit for each qudit
endless evaluate --start 00000000                           | give 1 to 7
endless evaluate --start 0 --measurements 501               | 500
endless evaluate --start 0 -o picture.doc                   | must end in .png or .svg
skat records skat-9                                         | skat-9: no record
new game --defaults --contract Hertz                        | did you mean 'Herz'
new game --defaults --cards 'CJ CJ'                         | is known twice
new game --defaults --deck 'CA KB'                          | deck: card 'KB' may be
new game --defaults --declarer D                            | declarer = 'D': must be one of A, B, C
new game --defaults -o game.txt                             | must end in .toml
new game --defaults -o toy.toml                             | --force
tournament six-nimmt --bots greedy,greedy                   | greedy
play six-nimmt --queue                                      | --queue: nothing is run without
play six-nimmt --max-cost 1USD                              | --max-cost: nothing is run without
play six-nimmt --players 2 --bots greedy,random             | --bots greedy,random
play six-nimmt --save m.txt                                 | save 'm.txt'
play six-nimmt --load no.json                               | no.json: no JSON document
play six-nimmt --load list.json                             | list.json: no saved match
play six-nimmt --load match.json                            | log[0]: player 5 cannot move now
play six-nimmt --load bots.json                             | bots.json: bots: give 2 names
play six-nimmt --load fun.json                              | a match of endless-fun
play six-nimmt --load fun.json --seed 1                     | --load fun.json: players, bots
play weiqi --rule lines=9                                   | known: targets, counter, captures
play weiqi --load five.sgf                                  | a match of five-in-a-row
play weiqi --load board.sgf --players 2                     | --load board.sgf: players and rules
"""
"""A command line, and what the refusal must name."""

ROWS = [line.partition("|") for line in REFUSED.strip().splitlines()]
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
        huge.truncate(MOST_EXPECTED_BYTES + 1)
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


def test_the_installed_command_shows_no_traceback(here):
    command = Path(sys.executable).with_name("stichwerk")
    arguments = ("run", "binary.qpy", "--backend", "sparse")
    done = subprocess.run([command, *arguments], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "cannot be read as QPY" in line
