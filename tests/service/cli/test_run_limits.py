"""`stichwerk run` of circuits that kill, or that take too much."""

import pytest

from tests.workers import poison_backend as _  # noqa: F401 - registers its backend

FAST = ("--method", "fast", "--budget", "5", "--shots", "20", "--processes", "1")


@pytest.mark.parametrize(
    ("backend", "message"),
    [
        ("poison:crash", "backend 'poison:crash': the process that computed it crashed (SIGSEGV)"),
        ("poison:eat", "backend 'poison:eat': it takes more than the 128 MiB of memory that it ma"),
        ("poison:hang", "backend 'poison:hang': it takes longer than 1 s to simulate; take fewer"),
    ],
)
def test_it_says_in_one_line_what_ended_it(stichwerk, monkeypatch, backend, message):
    monkeypatch.setenv("STICHWERK_SIMULATION_BYTES", str(128 << 20))
    monkeypatch.setenv("STICHWERK_SIMULATION_SECONDS", "1")
    said = stichwerk("run", "ghz3.qasm", "--backend", backend, *FAST)
    assert said.code == 1
    assert said.err.splitlines()[-1].startswith(f"stichwerk: {message}")
    assert "Traceback" not in said.err
