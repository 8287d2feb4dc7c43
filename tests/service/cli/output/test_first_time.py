"""The first call on a machine says why it takes so long, and only that one."""

import pytest

from service.cli.output.first_time import say_if_first


@pytest.fixture
def rooms(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    (tmp_path / "compiler" / "lowering" / "hub" / "__pycache__").mkdir(parents=True)
    return tmp_path


def test_where_nothing_is_compiled_it_is_said(rooms, capsys):
    (rooms / "compiler" / "lowering" / "hub" / "__pycache__" / "beam.cpython-311.pyc").touch()
    say_if_first("compiler", rooms)
    (line,) = capsys.readouterr().err.splitlines()
    assert "takes a minute or two longer, once on this machine" in line


def test_once_something_is_compiled_nothing_is_said(rooms, capsys):
    (rooms / "compiler" / "lowering" / "hub" / "__pycache__" / "beam.best-8.py311.nbi").touch()
    say_if_first("compiler", rooms)
    assert capsys.readouterr().err == ""


def test_where_it_is_kept_elsewhere_nothing_is_said(rooms, capsys, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/somewhere")
    say_if_first("compiler", rooms)
    assert capsys.readouterr().err == ""
