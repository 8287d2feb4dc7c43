"""A suite carried out: checked first, compiled once, told of."""

import os
from contextlib import contextmanager

import pytest

from compiler.compilation import Listener
from compiler.errors import LoweringError
from games.sources import Source
from tests.workers.conftest import GHZ
from workers.gate_counts import programs, running
from workers.gate_counts.counts import Counts
from workers.gate_counts.programs import counted, objection, source_of
from workers.gate_counts.running import Cache, count_all
from workers.gate_counts.suite import suite_from_toml

SUITE = """
methods = ["fast"]
programs = ["ghz.qasm"]
targets = ["all", "all:4"]
"""


@contextmanager
def this_process(_processes):
    """Stand for a pool: calls are made here, where they can be watched."""
    yield Listener()


@pytest.fixture
def entries(folder):
    """Two entries that take no time."""
    return suite_from_toml(SUITE, folder / "gates.toml")


@pytest.fixture
def watched(monkeypatch):
    """Compile in this process, and return the targets of all that is compiled."""
    targets = []

    def watch(order):
        targets.append(order.target)
        return counted(order)

    monkeypatch.setattr(running, "fixed_pool", this_process)
    monkeypatch.setattr(running, "counted", watch)
    return targets


def test_what_is_known_is_not_compiled_again(entries, watched, tmp_path):
    cache, said = Cache(tmp_path / "cache"), []
    first = count_all(entries, 1, cache, said.append)
    assert watched == ["all", "all:4"]
    assert [found.cached for found in first] == [False, False]
    assert said[0] == f"known from {cache.folder}: 0 of 2 entries"
    assert said[1].startswith("ghz.qasm on all, fast, any input: 2 two-qubit gates, exact (")
    again = count_all(entries, 1, cache, said.append)
    assert watched == ["all", "all:4"]
    assert [found.cached for found in again] == [True, True]
    assert [found.counts for found in again] == [found.counts for found in first]


def test_invalid_entries_are_refused_and_all_others_compiled(folder, watched):
    text = SUITE.replace('"all:4"', '"ring:5"').replace("ghz", 'missing.qasm", "ghz')
    entries = suite_from_toml(text, folder / "gates.toml")
    results = count_all(entries, 1, None, lambda _: None)
    assert [of.counts.verified for of in results] == ["refused", "refused", "exact", "refused"]
    assert "'ring'" in results[-1].counts.detail
    assert watched == ["all"]


def test_a_failure_is_an_answer_and_is_not_kept(entries, watched, tmp_path, monkeypatch):
    def fails(*_):
        raise LoweringError("no pipeline\ncould lower it")

    monkeypatch.setattr("workers.gate_counts.programs.carry_out", fails)
    cache = Cache(tmp_path / "cache")
    for _ in range(2):
        found = count_all(entries[:1], 1, cache, lambda _: None)
        assert found[0].counts == Counts(detail="no pipeline could lower it")
    assert watched == ["all", "all"]


def die(_order):
    """End a process as one does that takes too much memory."""
    os._exit(9)


def test_a_process_that_dies_is_one_clear_line(entries, monkeypatch):
    monkeypatch.setattr(running, "counted", die)
    monkeypatch.setattr(running, "objection", objection)
    with pytest.raises(LoweringError, match="has died, most often for want of memory"):
        count_all(entries, 1, None, lambda _: None)


def test_an_amplified_game_is_written_by_whoever_compiles_it(tmp_path, watched, monkeypatch):
    text = 'programs = ["amplified:lean:win:0:skat-4"]\nmethods = ["fast"]\n'
    (entry,) = suite_from_toml(text, tmp_path / "gates.toml")
    asked = []
    monkeypatch.setattr(programs, "written", lambda source: asked.append(source) or ghz(tmp_path))
    (found,) = count_all([entry], 1, None, lambda _: None)
    assert asked == [Source("amplified:lean:win:0:skat-4")]
    assert (found.counts.two_qubit_gates, found.counts.verified) == (2, "exact")


def ghz(folder):
    """Return a circuit of two CX."""
    (folder / "ghz.qasm").write_bytes(GHZ.content)
    return source_of("ghz.qasm", folder)
