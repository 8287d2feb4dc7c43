"""Folders of workers that were killed are removed by the next one, and no others."""

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from workers.metrics.shared_folder import VARIABLE, shared_folder

OWNER = """
from workers.metrics.shared_folder import shared_folder
with shared_folder() as folder:
    print(folder, flush=True)
    input()
"""


@contextmanager
def owner(place):
    """Yield the folder of a process that holds it until the block ends, in which it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER],
        env=os.environ | {"TMPDIR": str(place), "PYTHONPATH": str(Path(__file__).parents[3])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Path(process.stdout.readline().strip())
    finally:
        process.kill()
        process.communicate()


def test_what_the_killed_have_left_is_removed_and_what_the_living_use_is_not(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv(VARIABLE, "")
    strange = tmp_path / "stichwerk-metrics-without-owner"
    strange.mkdir()
    with owner(tmp_path) as killed:
        (killed / "counter_1.db").write_bytes(b"counted")
    assert killed.is_dir()  # a process that is killed cannot do it
    with owner(tmp_path) as living:
        assert not killed.exists()
        with shared_folder() as own:
            assert {*tmp_path.iterdir()} == {strange, living, own}
        assert {*tmp_path.iterdir()} == {strange, living}
    with shared_folder() as own:
        assert {*tmp_path.iterdir()} == {strange, own}
