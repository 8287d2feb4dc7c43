"""Files that are none, and that must not hold anybody up."""

import os

import pytest

from backends.regular_files import read_regular_file


def test_a_file_is_read_whole_up_to_a_size(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_regular_file(path, 5) == b"12345"
    with pytest.raises(OSError, match="more than 4 bytes"):
        read_regular_file(path, 4)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (os.mkfifo, "not a regular file"),
        (os.mkdir, "Is a directory"),
        (lambda path: path.symlink_to("/dev/zero"), "not a regular file"),
        (lambda path: path.symlink_to(path.name), "Too many levels"),
        (lambda path: path.symlink_to("gone"), "No such file"),
        (lambda path: None, "No such file"),
    ],
    ids=["pipe", "folder", "endless", "loop", "dangling", "missing"],
)
def test_what_is_no_file_is_refused_at_once(tmp_path, make, reason):
    path = tmp_path / "odd"
    make(path)
    with pytest.raises(OSError, match=reason) as refused:
        read_regular_file(path, 10)
    assert reason in refused.value.strerror


def test_a_file_that_is_not_there_is_told_with_the_one_that_may_be_meant(tmp_path):
    for name in ("ghz.qasm", "other.toml"):
        (tmp_path / name).write_text("")
    (tmp_path / "ghw.qasm").mkdir()
    with pytest.raises(FileNotFoundError) as refused:
        read_regular_file(tmp_path / "ghx.qasm", 10)
    near = tmp_path / "ghz.qasm"
    assert refused.value.strerror == f"No such file or directory; did you mean '{near}'?"
    for nothing_like_it in (tmp_path / "x.json", tmp_path / "gone" / "ghz.qasm"):
        with pytest.raises(FileNotFoundError) as refused:
            read_regular_file(nothing_like_it, 10)
        assert refused.value.strerror == "No such file or directory"


def test_a_folder_that_is_not_there_may_be_meant_too(tmp_path):
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/ghz.qasm").write_text("")
    with pytest.raises(FileNotFoundError) as refused:
        read_regular_file(tmp_path / "exampels/ghz.qasm", 10)
    near = tmp_path / "examples/ghz.qasm"
    assert refused.value.strerror == f"No such file or directory; did you mean '{near}'?"
    with pytest.raises(FileNotFoundError) as refused:
        read_regular_file(tmp_path / "exampels/other.qasm", 10)
    assert refused.value.strerror == "No such file or directory"


@pytest.mark.parametrize(
    ("name", "reason"), [("a\0b", "not a file's name"), ("a" * 300, "File name too long")]
)
def test_what_is_no_name_is_refused(tmp_path, name, reason):
    with pytest.raises(OSError, match=reason):
        read_regular_file(tmp_path / name, 10)
