"""Long commands that are told to stop: no process of theirs goes on, busy or not."""

import os
import signal
import subprocess
import sys

import pytest

from tests.servers.process import wait_until
from tests.service.cli.servers.started import MARK, marked

PATIENT_SECONDS = 400.0

WIDE = (
    'OPENQASM 2.0; include "qelib1.inc"; qreg q[12]; creg c[12]; h q[0];'
    + "".join(f"cx q[{one}], q[{one + 1}];" for one in range(11))
    + "measure q -> c;"
)
"""Compiled at once, and too wide for a density matrix: every noisy shot is simulated by itself."""


@pytest.mark.parametrize(
    "words",
    [
        ("compile", "skat-9", "--target", "heavy-hex:torino", "--processes", "2"),
        pytest.param(
            ("run", "ghz.qasm", "--method", "fast", "--pipeline", "qiskit", "--budget", "5",
             "-b", "aer:torino", "--shots", "1000000", "--processes", "1"),
            marks=pytest.mark.full,
        ),
        pytest.param(("score", "-b", "aer:torino", "--processes", "2"), marks=pytest.mark.full),
        pytest.param(("bench", "--suite", "full", "--processes", "2"), marks=pytest.mark.full),
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_nothing_outlives_a_command_that_is_told_to_stop(words, tmp_path):
    mark = str(tmp_path)
    (tmp_path / "ghz.qasm").write_text(WIDE)

    def busy():
        """Tell whether another process compiles, or simulates."""
        others = [line for pid, line in marked(mark).items() if pid != process.pid]
        said = (tmp_path / "log").read_text()
        simulates = others and f"{words[0] == 'run' and '1,000,000'} shots on" in said
        return simulates or any(b"workers.sandbox" in line for line in others)

    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "service", *words],
            cwd=tmp_path, env=os.environ | {MARK: mark}, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        # It has handed work to another process: one that compiles, or one that simulates.
        assert wait_until(busy, PATIENT_SECONDS)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENT_SECONDS) != 0
        assert wait_until(lambda: not marked(mark), PATIENT_SECONDS)
    finally:
        process.kill()
        process.wait()
        for pid in marked(mark):
            os.kill(pid, signal.SIGKILL)
    assert "Traceback" not in (tmp_path / "log").read_text()
