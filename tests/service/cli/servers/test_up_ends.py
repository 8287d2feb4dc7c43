"""`stichwerk up` that is told to stop: nothing that it has started outlives it."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.servers.process import free_port, wait_until
from tests.service.cli.servers.started import (
    MARK,
    free_ports,
    marked,
    pool_processes,
    workers_of,
)

PATIENT_SECONDS = 400.0


@pytest.fixture
def up(tmp_path):
    """A running `stichwerk up`, and the value that marks all of its processes."""
    port, mark = free_ports(3), str(tmp_path)
    variables = os.environ | {
        "STICHWERK_REDIS": f"redis://127.0.0.1:{free_port()}/0",
        "STICHWERK_DATABASE": str(tmp_path / "records.sqlite"),
        "STICHWERK_LEASE_SECONDS": "3",
        "STICHWERK_RESEND_SECONDS": "1",
        MARK: mark,
    }
    with (tmp_path / "up.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "service", "up", "--port", str(port), "--processes", "1"],
            cwd=tmp_path, env=variables, stderr=log,
        )  # fmt: skip

    def ready():
        try:
            with urlopen(f"http://127.0.0.1:{port}/health") as answer:
                return answer.status == 200
        except (URLError, OSError):
            return False

    assert wait_until(ready, PATIENT_SECONDS)
    yield process, mark
    process.kill()
    process.wait()
    for pid in marked(mark):
        os.kill(pid, signal.SIGKILL)


def test_told_to_terminate_it_does_not_wait_for_a_long_compilation(up, tmp_path):
    process, mark = up
    # Without Redis, so that the sweeper finds the job.
    variables = os.environ | {"STICHWERK_REDIS": "redis://127.0.0.1:1/0"}
    subprocess.run(
        [sys.executable, "-m", "service", "submit", "skat-9", "-b", "aer:torino",
         "--database", "records.sqlite"],
        cwd=tmp_path, env=variables, check=True,
    )  # fmt: skip
    log = tmp_path / ".stichwerk/compile.log"
    assert wait_until(lambda: "queued → compiling" in log.read_text(), PATIENT_SECONDS)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENT_SECONDS) == 0
    assert marked(mark) == {}
    # It was not given the time to finish, nor to give its message back.
    assert "Initiating Soft Shutdown" in log.read_text()
    assert "Cold shutdown (MainProcess)" not in log.read_text()
    assert "is taken up by the next" in (tmp_path / "up.log").read_text()


def test_what_is_left_of_a_worker_that_was_killed_ends_with_it_too(up):
    process, mark = up
    assert wait_until(lambda: len(pool_processes(process)) == 3, PATIENT_SECONDS)
    stuck = pool_processes(process)
    for pid in stuck:
        # Stopped, it cannot notice that its worker has died.
        os.kill(pid, signal.SIGSTOP)
    for pid in workers_of(process):
        os.kill(pid, signal.SIGKILL)
    assert all(Path(f"/proc/{pid}").exists() for pid in stuck)
    process.send_signal(signal.SIGINT)
    # A second time: whatever they are busy with, at once.
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENT_SECONDS) == 0
    assert marked(mark) == {}
