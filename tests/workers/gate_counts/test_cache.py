"""Counts that are kept: found again, told apart, and never believed when damaged."""

import json

import pytest
from attrs import evolve

from compiler.compilation import Options
from compiler.errors import InputError
from games.sources import Source
from workers.compilation.orders import CompileOrder
from workers.gate_counts import running as module
from workers.gate_counts.counts import Counts
from workers.gate_counts.running import Cache, cache_key

COUNTS = Counts(32, 22, 86, 226, "exact")
ORDER = CompileOrder(Source("ghz.qasm", b"OPENQASM 2.0;"), "all", Options("fast"))
KEY = "ab" * 32


@pytest.fixture
def cache(tmp_path):
    """A cache in an empty folder."""
    return Cache(tmp_path / "cache")


def test_what_is_kept_is_found(cache):
    assert cache.find(KEY) is None
    cache.keep(KEY, COUNTS)
    assert cache.find(KEY) == COUNTS
    assert cache.find("cd" * 32) is None
    assert [path.name for path in cache.folder.rglob("*.*")] == [f"{KEY}.json"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[:-20],
        lambda text: text.replace("32", "31", 1),
        lambda text: text.replace("exact", "certain"),
        lambda text: "[]",
        lambda text: "[" * 100_000,
        lambda text: json.dumps({"counts": {"cards": 32}, "check": ""}),
        lambda text: "\xff",
    ],
)
def test_a_damaged_file_counts_as_none_and_is_replaced(cache, damage):
    cache.keep(KEY, COUNTS)
    (path,) = cache.folder.rglob("*.json")
    path.write_text(damage(path.read_text()), encoding="latin-1")
    assert cache.find(KEY) is None
    cache.keep(KEY, COUNTS)
    assert cache.find(KEY) == COUNTS


def test_a_file_under_another_key_counts_as_none(cache):
    cache.keep(KEY, COUNTS)
    (path,) = cache.folder.rglob("*.json")
    path.rename(path.with_name(f"{'ab' * 31}cd.json"))
    assert cache.find("ab" * 31 + "cd") is None


def test_the_key_is_of_all_that_decides(monkeypatch):
    key = cache_key(ORDER)
    assert key == cache_key(evolve(ORDER))
    others = {
        cache_key(evolve(ORDER, **change))
        for change in (
            {"source": Source("ghz.qasm", b"OPENQASM 3.0;")},
            {"target": "star"},
            {"options": Options("best")},
            {"encoding": "none"},
            {"options": Options("fast", seed=1)},
            {"options": Options("fast", seeds=1)},
            {"options": Options("fast", without=("state-peephole",))},
            {"options": Options("fast", any_input=True)},
        )
    }
    for name, value in (("source_digest", "00"), ("all_versions", {"qiskit": "9"})):
        with monkeypatch.context() as changed:
            changed.setattr(module, name, lambda value=value: value)
            others.add(cache_key(ORDER))
    assert len(others - {key}) == 10


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(InputError, match=r"cannot be written: .*; choose another with --cache"):
        Cache(tmp_path / "cache").keep(KEY, COUNTS)
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]
