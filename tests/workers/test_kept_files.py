"""Where files are kept that can be made again, and what tells that they must be."""

import os
from pathlib import Path

import pytest

from compiler.errors import InputError
from workers.kept_files import cache_folder, digest_of, pure_sources, write_text


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


def test_sources_are_those_of_the_pure_rooms(tmp_path):
    for name in ("compiler/a/b.py", "games/c.toml", "games/d.txt", "workers/e.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = {str(path.relative_to(tmp_path)) for path in pure_sources(tmp_path)}
    assert found == {"compiler/a/b.py", "games/c.toml"}


def test_a_digest_is_of_names_and_contents_in_any_order(tmp_path):
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("2")
    one, other = tmp_path / "a", tmp_path / "b"
    digests = [digest_of(tmp_path, [one, other]), digest_of(tmp_path, [one])]
    assert digest_of(tmp_path, [other, one]) == digests[0]
    other.write_text("3")
    digests.append(digest_of(tmp_path, [one, other]))
    other.rename(tmp_path / "c")
    digests.append(digest_of(tmp_path, [one, tmp_path / "c"]))
    assert len(set(digests)) == 4


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
