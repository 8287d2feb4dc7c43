"""How commands fail: one line, honest about whose fault it is."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy.exc import DataError, OperationalError

from compiler.errors import InputError, StichwerkError
from service.cli.front.failures import failure
from service.cli.output.printing import LONGEST_LINE, one_line, printable

STICHWERK = Path(sys.executable).with_name("stichwerk")


def shell(folder: Path, words: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run `stichwerk`, called `$S` here, from a shell."""
    return subprocess.run(
        ["bash", "-c", words],
        check=False,
        cwd=folder,
        env={**os.environ, "S": str(STICHWERK), **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("error", "message", "code"),
    [
        (InputError("x = 1: too small"), "x = 1: too small", 2),
        (StichwerkError("not proven"), "not proven", 1),
        (KeyboardInterrupt(), "interrupted", 130),
        (MemoryError(), "not enough memory for this", 1),
        (OSError(28, "No space left", "out"), "the system refused: out: No space left", 1),
        (OperationalError("SELECT", {}, Exception("gone\nfar")), "the database failed: gone", 2),
        (DataError("SELECT", {}, Exception("out of range")), "internal error: DataError: ", 1),
        (OverflowError("too large"), "internal error: OverflowError: too large; please report", 1),
        (OSError("odd"), "internal error: OSError: odd; please report it", 1),
    ],
)
def test_what_is_told_of_an_error(error, message, code):
    failed = failure(error)
    assert failed.message.startswith(message)
    assert failed.code == code


@pytest.fixture
def broken(monkeypatch):
    """A mistake of ours in a command."""

    def mistake() -> None:
        raise IndexError("list index\nout of range")

    monkeypatch.setattr("service.cli.targets.targets_command", mistake)


def test_a_mistake_of_ours_is_not_called_bad_input(stichwerk, broken):
    said = stichwerk("targets")
    assert (said.code, said.out) == (1, "")
    assert said.err == (
        "stichwerk: internal error: IndexError: list index out of range; please report it, with "
        "the output of STICHWERK_DEBUG=1\n"
    )


def test_the_traceback_is_shown_on_demand(stichwerk, broken, monkeypatch):
    monkeypatch.setenv("STICHWERK_DEBUG", "1")
    said = stichwerk("targets")
    assert said.code == 1
    assert "in mistake" in said.err
    assert said.err.splitlines()[-1].startswith("stichwerk: internal error: IndexError")


def test_terminals_get_no_orders():
    assert printable("caf\u00e9 – \x1b[2J\x07\u202e\udce9\nnext") == (
        "café – \\x1b[2J\\x07\\u202e\\udce9\nnext"
    )


def test_a_line_is_cut_in_its_middle():
    line = one_line("begin " + "x" * 100_000 + " end\n")
    assert line.startswith("begin x")
    assert line.endswith("x end")
    assert len(line) == LONGEST_LINE + 3


def test_a_reader_that_leaves_is_no_failure(folder):
    done = shell(folder, '"$S" games | head -c 1; echo "${PIPESTATUS[0]}"')
    assert done.stdout == b"G0\n"
    assert done.stderr == b""


@pytest.mark.parametrize("closed", ["<&- >&- 2>&-", pytest.param(">&-", marks=pytest.mark.full)])
def test_closed_streams_are_no_failure(folder, closed):
    done = shell(folder, f'"$S" backends {closed}')
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_answer_that_cannot_be_written_is_a_failure(folder):
    done = shell(folder, '"$S" backends >/dev/full')
    assert done.returncode == 1
    assert done.stderr == b"stichwerk: the system refused: No space left on device\n"


@pytest.mark.parametrize(
    "encoding", ["ascii:strict", pytest.param("latin-1", marks=pytest.mark.full)]
)
def test_terminals_that_lack_characters(folder, encoding):
    done = shell(folder, '"$S" games', PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"]\\u2026 " in done.stdout  # what follows skat-32[:C|S|…]
    assert done.stdout.isascii()


def test_ctrl_c_is_one_line(folder):
    command = [STICHWERK, "migrate", "--wait", "600"]
    database = "postgresql+psycopg://127.0.0.1:1/nobody"
    process = subprocess.Popen(
        [*command, "--database", database], cwd=folder, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("waiting 600 s at most")
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=120)[1]
    assert (process.returncode, said) == (130, "stichwerk: interrupted\n")
