"""Calls in a process of their own, which end with it."""

import ctypes
import gc
import logging
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from compiler.errors import InputError
from tests.servers.process import wait_until
from workers.sandbox.memory import MIN_BYTES, memory_bytes, share
from workers.sandbox.sandbox import (
    CallDiedError,
    OverdueError,
    Sandbox,
    TooMuchMemoryError,
    attended,
    size,
)

LONG = 300.0
MIB = 1 << 20


@pytest.fixture(scope="module")
def sandbox():
    sandbox = Sandbox(f"{__name__}:imported")
    sandbox.begin()
    yield sandbox
    sandbox.end()


def asked(sandbox, function, *arguments, seconds=LONG, most_bytes=200 * MIB, attend=lambda: None):
    return sandbox.call(
        function,
        *arguments,
        most_bytes=most_bytes,
        seconds=seconds,
        attend=attend,
    )


def gone(pid):
    return not Path(f"/proc/{pid}").exists() or "\nState:\tZ" in Path(
        f"/proc/{pid}/status"
    ).read_text(errors="replace")


def imported():
    """Be called once this module has been imported, whose memory then counts for no call."""


def refuse():
    raise InputError("the moon is full")


def tell(text):
    logging.getLogger("a.library").warning("it says: %s", text)


def grow(megabytes):
    grow.kept = bytearray(megabytes * MIB)
    return len(gc.get_objects()) > 0


def sleep_with_pythons_lock(seconds):
    ctypes.PyDLL(None).sleep(seconds)


def test_a_call_returns_or_raises_what_it_would_here(sandbox):
    assert asked(sandbox, math.sqrt, 4.0) == 2.0
    with pytest.raises(InputError, match="the moon is full"):
        asked(sandbox, refuse)
    assert asked(sandbox, os.getpid) != os.getpid()


def test_what_a_call_logs_is_logged_here(sandbox, caplog):
    asked(sandbox, tell, "hello")
    assert [(r.name, r.getMessage()) for r in caplog.records] == [("a.library", "it says: hello")]


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (os.abort, (), r"gave up \(SIGABRT\), most often for want of memory"),
        (ctypes.string_at, (0,), r"crashed \(SIGSEGV\)"),
        pytest.param(os._exit, (3,), "ended with exit code 3", marks=pytest.mark.full),
        pytest.param(
            *(signal.raise_signal, (signal.SIGKILL,), r"was killed \(SIGKILL\), perhaps because"),
            marks=pytest.mark.full,
        ),
    ],
)
def test_a_death_is_told_and_replaced(sandbox, function, arguments, message):
    before = asked(sandbox, os.getpid)
    with pytest.raises(CallDiedError, match=f"the process that computed it {message}"):
        asked(sandbox, function, *arguments)
    assert asked(sandbox, os.getpid) != before


def test_a_process_that_was_killed_between_calls_is_no_fault_of_the_next(sandbox):
    before = asked(sandbox, os.getpid)
    os.kill(before, signal.SIGKILL)
    sandbox._process.wait()
    assert asked(sandbox, os.getpid) != before


def test_memory_is_bounded(sandbox):
    with pytest.raises(TooMuchMemoryError, match="more than the 200 MiB of memory that it may"):
        asked(sandbox, bytearray, 300 * MIB)
    assert len(asked(sandbox, bytearray, 100 * MIB)) == 100 * MIB


def test_what_earlier_calls_left_in_memory_is_no_fault_of_the_next(sandbox):
    before = asked(sandbox, os.getpid)
    assert asked(sandbox, grow, 90)
    assert asked(sandbox, os.getpid) == before
    assert len(asked(sandbox, bytearray, 150 * MIB)) == 150 * MIB
    assert asked(sandbox, os.getpid) != before


def test_time_is_bounded_even_where_python_cannot_look(sandbox):
    before = asked(sandbox, os.getpid)
    with pytest.raises(OverdueError):
        asked(sandbox, sleep_with_pythons_lock, 1000, seconds=0.5)
    assert wait_until(lambda: gone(before), LONG)


def test_a_call_that_nobody_wants_is_ended(sandbox):
    before = asked(sandbox, os.getpid)

    def attend():
        raise InputError("nobody wants it")

    with pytest.raises(InputError, match="nobody wants it"):
        asked(sandbox, sleep_with_pythons_lock, 1000, attend=attend)
    assert wait_until(lambda: gone(before), LONG)


def test_what_cannot_be_sent_back_is_told(sandbox):
    with pytest.raises(RuntimeError, match="TypeError: cannot pickle"):
        asked(sandbox, os.scandir, ".")
    assert asked(sandbox, math.sqrt, 4.0) == 2.0


def test_calls_one_by_one_in_order(sandbox):
    each = attended(sandbox, 200 * MIB, time.monotonic() + LONG, lambda: None)
    assert list(each(math.sqrt, [1.0, 4.0, 9.0])) == [(0, 1.0), (1, 2.0), (2, 3.0)]
    late = iter([False, True])
    assert list(each(math.sqrt, [1.0, 4.0, 9.0], lambda: next(late))) == [(0, 1.0), (1, 2.0)]


PARENT = """
import os
from tests.workers.sandbox.test_sandbox import sleep_with_pythons_lock
from workers.sandbox.sandbox import Sandbox
sandbox = Sandbox("")
print(sandbox.call(os.getpid), flush=True)
sandbox.call(sleep_with_pythons_lock, 1000)
"""


def test_it_ends_with_a_parent_that_is_killed():
    with subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    ) as parent:
        pid = int(parent.stdout.readline())
        assert not gone(pid)
        parent.kill()
    assert wait_until(lambda: gone(pid), LONG)


def test_the_least_of_all_limits_counts(tmp_path):
    own = tmp_path / "cgroup"
    machine = memory_bytes(tmp_path / "none", tmp_path / "none")
    assert machine == os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    inner = tmp_path / "two/pod/container"
    inner.mkdir(parents=True)
    (inner / "memory.max").write_text("max\n")
    (inner.parent / "memory.max").write_text("3221225472\n")
    own.write_text("0::/pod/container\n")
    assert memory_bytes(tmp_path / "two", own) == 3 << 30
    old = tmp_path / "one/memory/docker"
    old.mkdir(parents=True)
    (old / "memory.limit_in_bytes").write_text("2147483648\n")
    (old.parent / "memory.limit_in_bytes").write_text("9223372036854771712\n")
    own.write_text("9:cpu:/\n4:memory:/docker\n0::/\n")
    assert memory_bytes(tmp_path / "one", own) == 2 << 30


def test_processes_share_memory(monkeypatch):
    monkeypatch.setattr("workers.sandbox.memory.memory_bytes", lambda: 10 << 30)
    assert share(1) == pytest.approx(7.5 * (1 << 30), abs=1)
    assert share(2) == pytest.approx(3.75 * (1 << 30), abs=1)
    assert share(1000) == MIN_BYTES


def test_sizes_are_written_as_people_do():
    assert [size(n) for n in (3 << 30, 200 << 20, 1 << 19)] == ["3 GiB", "200 MiB", "524288 bytes"]


def test_imports_start_no_threads_of_qiskit():
    """A fork has no threads, and Qiskit would wait for those of the process before it."""
    code = """
import os, scipy.special
from workers.sandbox.sandboxed_process import prepare
before = os.listdir("/proc/self/task")
prepare()
print(os.listdir("/proc/self/task") == before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
