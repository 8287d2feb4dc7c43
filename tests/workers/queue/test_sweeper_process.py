"""The sweeper's process, which must be there as long as its worker is."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from tests.servers.process import wait_until
from workers.jobs.states import Queue
from workers.queue import sweeper_process
from workers.queue.heartbeats import runners
from workers.records.database import open_database

PATIENT_SECONDS = 120.0


@pytest.fixture
def started(monkeypatch, tmp_path):
    """The sweepers that are started, which look at a database of their own."""
    monkeypatch.setenv("STICHWERK_DATABASE", str(tmp_path / "records.sqlite"))
    monkeypatch.setattr(sweeper_process, "LOOK_SECONDS", 0.05)
    started = []
    popen = subprocess.Popen

    def noted(*arguments, **options):
        started.append(popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(sweeper_process.subprocess, "Popen", noted)
    return started


def test_a_sweeper_that_is_killed_is_replaced_and_ends_with_its_worker(started):
    with sweeper_process.sweeper_beside([Queue.COMPILE], 3):
        assert wait_until(lambda: len(started) == 1, PATIENT_SECONDS)
        os.kill(started[0].pid, signal.SIGKILL)
        assert wait_until(lambda: len(started) == 2, PATIENT_SECONDS)
        assert Path(f"/proc/{started[1].pid}").exists()
    assert [process.returncode for process in started] == [-signal.SIGKILL, 0]


def test_it_beats_for_itself_and_its_worker_until_that_ends(started, tmp_path):
    engine = open_database(str(tmp_path / "records.sqlite"))

    def known():
        with Session(engine) as session:
            return {(one.kind, one.pid, *one.queues): one.processes for one in runners(session)}

    with sweeper_process.sweeper_beside([Queue.POLL, Queue.SCORE], 3):
        assert wait_until(lambda: len(known()) == 2, PATIENT_SECONDS)
        assert known() == {
            ("sweeper", started[0].pid): 1,
            ("worker", os.getpid(), "poll", "score"): 3,
        }
    assert known() == {}
    engine.dispose()
