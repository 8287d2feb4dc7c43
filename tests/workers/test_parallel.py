"""Calls side by side give what calls one after the other give."""

import os
import signal
import subprocess
import sys
from math import sqrt
from pathlib import Path

import pytest

from compiler.errors import LoweringError
from workers.parallel import process_pool


def halve(number):
    return 1 / number


def place_of(_):
    return os.getpid()


def test_one_process_is_this_process():
    with process_pool(1) as each:
        assert list(each(place_of, [0])) == [(0, os.getpid())]
        assert list(each(halve, [1, 2, 4])) == [(0, 1.0), (1, 0.5), (2, 0.25)]
        assert list(each(halve, [])) == []


def test_a_pool_makes_no_further_calls_once_it_is_late_and_tells_of_a_process_that_dies():
    with process_pool(2) as each:
        done = dict(each(sqrt, [4] * 500, lambda: True))
        assert 1 <= len(done) < 500
        assert set(done.values()) == {2.0}
        with pytest.raises(LoweringError):
            list(each(os._exit, [3, 3]))


STARTING = """
import os, signal
from workers.parallel import Pool

if __name__ == "__main__":
    with Pool(2) as pool:
        pool.submit(os.getpid)
        os.kill(os.getpid(), signal.SIGTERM)
        pool.submit(os.getpid).result()
"""

BUSY = """
import os, time
from workers.parallel import Pool

if __name__ == "__main__":
    with Pool(2) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        pool.submit(time.sleep, 1000).result()
"""


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGKILL, marks=pytest.mark.full)]
)
def test_nothing_goes_on_when_whoever_waits_is_gone(number, tmp_path):
    script = tmp_path / "busy.py"
    script.write_text(BUSY)
    environment = os.environ | {"PYTHONPATH": str(Path.cwd())}
    waiting = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment
    )
    waiting.stdout.readline()
    waiting.send_signal(number)
    assert waiting.wait() == -number
    # All who hold its output have to end before it does.
    assert waiting.communicate(timeout=300)[0] == ""


def test_processes_that_have_just_been_started_end_without_a_word(tmp_path):
    script = tmp_path / "starting.py"
    script.write_text(STARTING)
    told = subprocess.run(
        [sys.executable, script], check=False, capture_output=True, text=True, timeout=300,
        env=os.environ | {"PYTHONPATH": str(Path.cwd())},
    )  # fmt: skip
    assert (told.returncode, told.stdout, told.stderr) == (-signal.SIGTERM, "", "")
