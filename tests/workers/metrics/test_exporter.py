"""Counts of a worker's processes, dead ones included."""

import os
import subprocess
import sys
from contextlib import contextmanager

from tests.workers.metrics.exposed import Series
from workers.metrics.exporter import worker_exposition

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"

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
