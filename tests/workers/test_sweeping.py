"""The sweeper's process, which must be there as long as its worker is."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.servers.process import wait_until
from workers import sweeping


@pytest.fixture
def started(monkeypatch, tmp_path):
    """The sweepers that are started, which look at a database of their own."""
    monkeypatch.setenv("STICHWERK_DATABASE", str(tmp_path / "records.sqlite"))
    monkeypatch.setattr(sweeping, "LOOK_SECONDS", 0.05)
    started = []
    popen = subprocess.Popen

    def noted(*arguments, **options):
        started.append(popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(sweeping.subprocess, "Popen", noted)
    return started


def test_a_sweeper_that_is_killed_is_replaced_and_ends_with_its_worker(started):
    with sweeping.sweeper_beside():
        assert wait_until(lambda: len(started) == 1, 10)
        os.kill(started[0].pid, signal.SIGKILL)
        assert wait_until(lambda: len(started) == 2, 10)
        assert Path(f"/proc/{started[1].pid}").exists()
    assert [process.returncode for process in started] == [-signal.SIGKILL, 0]
