"""A disk without room: nothing is lost, it is told in one line, and goes on when there is room."""

import subprocess
from contextlib import suppress

import pytest
from attrs import evolve
from sqlalchemy.exc import OperationalError

from tests.servers.process import is_root
from workers.queue.worker import Worker
from workers.records.database import described, open_database

FULL = "the database has no room: database or disk is full; nothing is lost, make room on its disk"


@pytest.fixture
def disk(tmp_path):
    """A folder that holds 16 megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)]
    if not is_root() or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(disk):
    with (disk / "ballast").open("wb", buffering=0) as ballast:
        for size in (1 << 20, 1 << 12):
            with suppress(OSError):
                while ballast.write(b"x" * size):
                    pass


@pytest.fixture
def full(disk, context):
    """The same service with its records on that disk, some jobs submitted, and no room left."""
    engine = open_database(str(disk / "records.sqlite"))
    here = evolve(context, engine=engine)
    ids = here.submit(repeat=3)
    fill(disk)
    yield here, ids
    engine.dispose()


def test_a_worker_leaves_jobs_as_they_are_and_goes_on_later(disk, full):
    here, ids = full
    with pytest.raises(OperationalError) as caught:
        for _ in range(100):
            Worker(here.engine, here.settings).advance(ids[0])
    assert described(caught.value) == FULL
    (disk / "ballast").unlink()
    assert {here.until(job_id).state for job_id in ids} == {"done"}
    assert len(here.provider.accepted()) == len(ids)
