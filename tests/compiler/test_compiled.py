"""Machine code of compiled functions is current: also where only a callee has changed."""

import subprocess
import sys
from pathlib import Path

import pytest

CALLEE = """
from compiler.compiled import njit_view

STEP = {step}

@njit_view
def changed(x: int) -> int:
    return {result}
"""
CALLER = """
from callee import STEP, changed
from compiler.compiled import cached_njit

@cached_njit()
def caller(x: int) -> int:
    return changed(x) + STEP

print(caller(20), sum(caller.stats.cache_hits.values()))
"""


def run(folder: Path) -> list[int]:
    """Return what the caller results in, and how often its machine code was on disk."""
    ran = subprocess.run(
        [sys.executable, "caller.py"],
        cwd=folder,
        env={"PYTHONPATH": ":".join([str(folder), *sys.path])},
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(number) for number in ran.stdout.split()]


@pytest.mark.parametrize(
    ("step", "result", "expected"),
    [(0, "2 * x", 40), (7, "x + 1", 28)],
    ids=["a compiled function", "a constant"],
)
def test_machine_code_follows_what_it_calls(tmp_path, step, result, expected):
    (tmp_path / "caller.py").write_text(CALLER)
    (tmp_path / "callee.py").write_text(CALLEE.format(step=0, result="x + 1"))
    assert run(tmp_path) == [21, 0]
    assert run(tmp_path) == [21, 1]
    (tmp_path / "callee.py").write_text(CALLEE.format(step=step, result=result))
    assert run(tmp_path) == [expected, 0]
