"""What it costs to start, measured once."""

import sys

from benchmarks import start_up


def test_every_command_is_told_in_imports_of_qiskit(monkeypatch, capsys):
    monkeypatch.setattr(start_up, "WORK", {"nothing": ("-c", ""), "fails": ("-c", "1/0")})
    monkeypatch.setattr(start_up, "REFERENCE", ("-c", "sum(range(10**6))"))
    monkeypatch.setattr(sys, "argv", ["start_up", "--turns", "1"])
    start_up.main()
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == ["import", "nothing", "fails"]


def test_the_ratio_is_to_the_reference():
    assert start_up.StartUp("twice", 1.0, 0.5).ratio == 2


def test_a_turn_begins_with_nothing_kept(monkeypatch, tmp_path):
    found = tmp_path / "found"
    keeps = (
        "import os, pathlib; kept = pathlib.Path(os.environ['XDG_CACHE_HOME'], 'kept'); "
        f"pathlib.Path({str(found)!r}).open('a').write('again ' if kept.exists() else 'first '); "
        "kept.touch()"
    )
    monkeypatch.setattr(start_up, "WORK", {"first": ("-c", keeps), "again": ("-c", keeps)})
    monkeypatch.setattr(start_up, "REFERENCE", ("-c", ""))
    start_up.measured(2)
    assert found.read_text().split() == ["first", "again"] * 2
