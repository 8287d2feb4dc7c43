"""The installed command in odd surroundings: closed streams, poor terminals, Ctrl-C at any time."""

import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from workers.settings import PREFIX

from .attack import Siege, attack
from .commands.calling import GHZ
from .commands.hostile import TOY
from .commands.judging import CRASHES

STICHWERK = Path(sys.executable).with_name("stichwerk")
LISTS = (("games",), ("targets",), ("backends",), ("--help",), ("jobs", "--help"), ("games", "x"))
"""Quick commands; the last one refuses."""
LONG = (
    ("games", "skat-9"),
    ("costs",),
    ("compile", "toy.toml", "--processes", "2"),
    ("run", "ghz.qasm", "--backend", "sparse", "--processes", "2"),
    ("gates", "check", "--no-cache", "--processes", "2"),
    ("report",),
    ("migrate", "--wait", "600", "--database", "postgresql+psycopg://127.0.0.1:1/x"),
)
BYTES = (b"caf\xe9.toml", b"\xff", b"a\x80b.qasm")
ENCODINGS = ("ascii", "latin-1", "cp437", "utf-16", "ascii:strict", "shift_jis")
LIMIT_SECONDS = 300.0
INTERRUPTS = 40
STANDS_STILL_SECONDS = 2.0
TICKS = os.sysconf("SC_CLK_TCK")


@attack(
    "terminal", "closed streams, terminals that lack characters, bytes that are no text, Ctrl-C"
)
def terminal(siege: Siege) -> Iterator[str]:
    """Call the installed command in each of the surroundings."""
    with tempfile.TemporaryDirectory(prefix="stichwerk-attack-") as name:
        folder = Path(name)
        (folder / "toy.toml").write_text(TOY)
        (folder / "ghz.qasm").write_text(GHZ + "c = measure q;\n")
        (folder / "gates.toml").write_text('programs = ["toy.toml"]\n')
        (folder / "gate_counts.json").write_text('{"versions": {}, "entries": []}\n')
        tries = [
            *((_without_stream, (words, closed)) for words in LISTS for closed in ("<", ">", "2>")),
            *((_full, (words,)) for words in LISTS),
            *((_left_by_reader, (words,)) for words in LISTS),
            *((_encoded, (words, one)) for words in LISTS[:2] for one in ENCODINGS),
            *((_no_text, (place, raw)) for place in range(4) for raw in BYTES),
        ]
        tries += [(_interrupted, (siege.chance,))] * INTERRUPTS
        siege.chance.shuffle(tries)
        for attempt, given in tries:
            if siege.over():
                return
            siege.tried["interrupted" if attempt is _interrupted else "odd surroundings"] += 1
            yield from attempt(folder, *given)


def _without_stream(folder: Path, words: Sequence[str], closed: str) -> Iterator[str]:
    shell = ["sh", "-c", f'"$0" "$@" {closed}&-', str(STICHWERK), *words]
    yield from _judged(f"{' '.join(words)} {closed}&-", *_ended(shell, folder))


def _full(folder: Path, words: Sequence[str]) -> Iterator[str]:
    shell = ["sh", "-c", '"$0" "$@" >/dev/full', str(STICHWERK), *words]
    code, err = _ended(shell, folder)
    yield from _judged(f"{' '.join(words)} >/dev/full", code, err)
    if code == 0:
        yield f"{' '.join(words)} >/dev/full: claims that all is well"


def _left_by_reader(folder: Path, words: Sequence[str]) -> Iterator[str]:
    shell = ["sh", "-c", '{ "$0" "$@"; echo "code $?" >&2; } | head -c 1', str(STICHWERK), *words]
    _, err = _ended(shell, folder)
    code = int(err.rpartition("code ")[2])
    yield from _judged(f"{' '.join(words)} | head -c 1", code, err)


def _encoded(folder: Path, words: Sequence[str], encoding: str) -> Iterator[str]:
    code, err = _ended([STICHWERK, *words], folder, {"PYTHONIOENCODING": encoding})
    yield from _judged(f"PYTHONIOENCODING={encoding} {' '.join(words)}", code, err, (0,))


def _no_text(folder: Path, place: int, raw: bytes) -> Iterator[str]:
    """Give bytes that are no text as a program, a tag, an output and a database."""
    os.close(os.open(os.fsencode(folder) + b"/" + raw, os.O_CREAT | os.O_WRONLY))
    words: list[bytes] = [
        [b"submit", raw, b"-b", b"sparse"],
        [b"submit", b"toy.toml", b"-b", b"sparse", b"--tag", raw],
        [b"compile", b"toy.toml", b"-o", raw + b".qasm"],
        [b"jobs", b"--database", raw],
    ][place]
    before = sorted(folder.iterdir())
    for variables in ({}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}):
        code, err = _ended([os.fsencode(STICHWERK), *words], folder, variables)
        yield from _judged(repr(words), code, err, (2,))
    if sorted(folder.iterdir()) != before:
        yield f"{words!r}: has written something although it refuses"


def _interrupted(folder: Path, chance: random.Random) -> Iterator[str]:
    """Press Ctrl-C once a command has used some processor time, wherever it is by then."""
    words, after = chance.choice(LONG), chance.uniform(0.2, 4.0)
    process = subprocess.Popen(
        [STICHWERK, *words],
        cwd=folder,
        env=_variables({}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    last, since = 0.0, monotonic()
    while process.poll() is None and (used := _used(process.pid)) < after:
        if used > last:
            last, since = used, monotonic()
        # Who waits for something else uses no processor time.
        if monotonic() - since > STANDS_STILL_SECONDS:
            break
        sleep(0.005)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
    shown = f"Ctrl-C after {after:.2f} s of {' '.join(words)}"
    try:
        _, err = process.communicate(timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        yield f"{shown}: does not end"
        return
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    yield from _judged(shown, process.returncode, err, (0, 1, 2, 130, -signal.SIGINT))


def _used(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return float("inf")
    return (int(fields[11]) + int(fields[12])) / TICKS


def _ended(
    command: Sequence[str | bytes | Path], folder: Path, variables: Mapping[str, str] | None = None
) -> tuple[int, str]:
    done = subprocess.run(
        command,
        check=False,
        cwd=folder,
        env=_variables(variables or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=LIMIT_SECONDS,
    )
    return done.returncode, done.stderr.decode(errors="replace")


def _variables(more: Mapping[str, str]) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return {**ours, f"{PREFIX}REDIS": "redis://127.0.0.1:1/0", **more}


def _judged(shown: str, code: int, err: str, allowed: Sequence[int] = (0, 1, 2)) -> Iterator[str]:
    if any(crash in err for crash in CRASHES) or "internal error" in err:
        yield f"{shown}: {err.strip().splitlines()[-1][:300]}"
    elif code not in allowed:
        yield f"{shown}: ends with {code}: {err.strip()[-300:]}"
