"""Where files are kept that can be made again, and how they are written."""

import os
from pathlib import Path

import pytest

from compiler.errors import InputError
from workers.gate_counts.running import cache_folder, write_text


def test_the_folder_is_where_xdg_says(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "stichwerk"
    monkeypatch.setenv("HOME", "/home/nobody")
    for relative in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", relative)
        assert str(cache_folder()) == "/home/nobody/.cache/stichwerk"


def test_a_user_without_a_home_is_told_what_to_do(monkeypatch):
    monkeypatch.delenv("HOME")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000_000)
    with pytest.raises(InputError, match="set XDG_CACHE_HOME"):
        cache_folder()


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "kept"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "new \ud800")
    assert path.read_text() == "old"
    write_text(path, "new")
    assert path.read_text() == "new"
    assert [one.name for one in Path(tmp_path).iterdir()] == ["kept"]


def test_what_is_no_regular_file_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        write_text(tmp_path / "pipe", "text")
    assert (tmp_path / "pipe").is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]
