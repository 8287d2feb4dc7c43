"""Ctrl-C while the installed command does anything."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from workers.settings import PREFIX

from .attack import Siege, attack
from .commands.calling import GHZ
from .commands.hostile import TOY
from .commands.judging import CRASHES

STICHWERK = Path(sys.executable).with_name("stichwerk")
LONG = (
    ("games", "skat-9"),
    ("costs",),
    ("compile", "toy.toml", "--processes", "2"),
    ("run", "ghz.qasm", "--backend", "sparse", "--processes", "2"),
    ("gates", "check", "--no-cache", "--processes", "2"),
    ("report",),
    ("migrate", "--wait", "600", "--database", "postgresql+psycopg://127.0.0.1:1/x"),
)
LIMIT_SECONDS = 300.0
INTERRUPTS = 40
STANDS_STILL_SECONDS = 2.0
TICKS = os.sysconf("SC_CLK_TCK")
ENDS = (0, 1, 2, 130, -signal.SIGINT)


@attack("interrupts", "Ctrl-C at any time")
def interrupts(siege: Siege) -> Iterator[str]:
    """Press Ctrl-C once a command has used some processor time, wherever it is by then."""
    with tempfile.TemporaryDirectory(prefix="stichwerk-attack-") as name:
        folder = Path(name)
        (folder / "toy.toml").write_text(TOY)
        (folder / "ghz.qasm").write_text(GHZ + "c = measure q;\n")
        (folder / "gates.toml").write_text('programs = ["toy.toml"]\n')
        (folder / "gate_counts.json").write_text('{"versions": {}, "entries": []}\n')
        for _ in range(INTERRUPTS):
            if siege.over():
                return
            siege.tried["interrupted"] += 1
            words, after = siege.chance.choice(LONG), siege.chance.uniform(0.2, 4.0)
            code, err = _interrupted(folder, words, after)
            shown = f"Ctrl-C after {after:.2f} s of {' '.join(words)}"
            if code is None:
                yield f"{shown}: does not end"
            elif any(crash in err for crash in CRASHES) or "internal error" in err:
                yield f"{shown}: {err.strip().splitlines()[-1][:300]}"
            elif code not in ENDS:
                yield f"{shown}: ends with {code}: {err.strip()[-300:]}"


def _interrupted(folder: Path, words: tuple[str, ...], after: float) -> tuple[int | None, str]:
    """Return the exit code of a command, None if it goes on, and what it wrote to stderr."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    process = subprocess.Popen(
        [STICHWERK, *words],
        cwd=folder,
        env=ours | {f"{PREFIX}REDIS": "redis://127.0.0.1:1/0"},
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
        # A command that waits for something else uses no processor time.
        if monotonic() - since > STANDS_STILL_SECONDS:
            break
        sleep(0.005)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
    try:
        _, err = process.communicate(timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return process.returncode, err


def _used(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return float("inf")
    return (int(fields[11]) + int(fields[12])) / TICKS
