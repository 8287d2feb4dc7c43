"""Folders of workers that were killed are removed by the next one, and no others."""

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from tests.workers.metrics.exposed import Series
from workers.metrics.exporter import worker_exposition
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


COUNT = """
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
registry = CollectorRegistry()
Counter("jobs", "j", ["state"], registry=registry).labels("done").inc(2)
Histogram("took_seconds", "t", registry=registry, buckets=(1, 5)).observe(3)
Gauge("alive", "a", registry=registry, multiprocess_mode="livesum").set(1)
print("counted", flush=True)
input()
"""


@contextmanager
def counting(folder):
    """Let a process count until the block ends, in which it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", COUNT],
        env=os.environ | {VARIABLE: str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout.readline() == b"counted\n"
        yield
    finally:
        process.kill()
        process.communicate()


def told(folder):
    series = Series(worker_exposition(folder).decode())
    buckets = [series.get("took_seconds_bucket", le=most) for most in ("1.0", "5.0", "+Inf")]
    counted = series.get("jobs_total", state="done"), series.get("took_seconds_sum"), buckets
    return series.get("alive"), *counted


def test_the_counts_of_the_dead_are_kept_and_their_gauges_are_not(tmp_path):
    with counting(tmp_path), counting(tmp_path):
        assert told(tmp_path) == (2, 4, 6, [0, 2, 2])
    for _ in range(2):
        assert told(tmp_path) == (None, 4, 6, [0, 2, 2])
    with counting(tmp_path):
        assert told(tmp_path) == (1, 6, 9, [0, 3, 3])
    assert told(tmp_path) == (None, 6, 9, [0, 3, 3])


def test_a_process_that_died_before_it_counted_is_in_nobodys_way(tmp_path):
    # The first process of the machine is no child of this one.
    (tmp_path / "counter_1.db").touch()
    with counting(tmp_path):
        assert told(tmp_path)[1] == 2
    assert not (tmp_path / "counter_1.db").exists()
