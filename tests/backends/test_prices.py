import os
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from backends.errors import PriceError
from backends.prices import PRICES_FILE, price, prices
from backends.regular_files import read_regular_file


def override(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setenv(PRICES_FILE, str(file))


@pytest.fixture(autouse=True)
def bundled_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PRICES_FILE, raising=False)


def test_bundled_prices_are_dated_and_sourced():
    assert set(prices()) >= {"ibm", "braket"} | {
        f"braket:{name}"
        for name in ("garnet", "emerald", "forte-1", "forte-enterprise-1", "cepheus-1-108q", "sv1")
    }
    for entry in prices().values():
        assert entry.as_of > date(2026, 1, 1)
        assert "https://" in entry.source
        assert entry.of_job(1000, Decimal(10)) > 0


@pytest.mark.parametrize(
    ("name", "shots", "seconds", "usd"),
    [
        ("braket:garnet", 1000, 0, "1.75"),
        ("braket:emerald", 1024, 0, "1.9384"),
        ("braket:sv1", 1000, 1, "0.00375"),
        ("braket:sv1", 1000, 60, "0.075"),
        ("ibm", 1000, 60, "96"),
    ],
)
def test_what_a_job_costs_is_exact(name: str, shots: int, seconds: int, usd: str):
    assert price(name).of_job(shots, Decimal(seconds)) == Decimal(usd)


def test_a_file_overrides_the_amounts_that_it_names(tmp_path, monkeypatch):
    text = '["braket:garnet"]\nper_shot_usd = 0.1\nas_of = 2026-11-01\nsource = "an offer"\n'
    override(tmp_path, monkeypatch, text)
    garnet = price("braket:garnet")
    assert (garnet.per_task_usd, garnet.per_shot_usd) == (Decimal("0.30"), Decimal("0.1"))
    assert (garnet.as_of, garnet.source) == (date(2026, 11, 1), "an offer")
    assert price("ibm").per_second_usd == Decimal("1.60")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[ibm]\nper_minute_usd = 96\n", "unknown key 'per_minute_usd'"),
        ("[ibn]\nper_second_usd = 1\n", "unknown entry 'ibn'"),
        ("ibm = 1.6\n", "not a table"),
        ("[ibm]\nper_second_usd = 1\n", "needs 'as_of"),
        ('[ibm]\nper_second_usd = -1\nas_of = 2026-11-01\nsource = "x"\n', "-1 is not a finite"),
        ('[ibm]\nper_second_usd = inf\nas_of = 2026-11-01\nsource = "x"\n', "Infinity is not a"),
        ('[ibm]\nper_second_usd = 1e30\nas_of = 2026-11-01\nsource = "x"\n', "more than 10,000"),
        ("[ibm\n", "STICHWERK_PRICES"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(tmp_path, monkeypatch, text: str, message: str):
    override(tmp_path, monkeypatch, text)
    with pytest.raises(PriceError) as caught:
        prices()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_an_unknown_name_are_refused(tmp_path, monkeypatch):
    with pytest.raises(PriceError, match=r"no price is known for 'braket:aquila'; known: ibm"):
        price("braket:aquila")
    monkeypatch.setenv(PRICES_FILE, str(tmp_path / "none.toml"))
    with pytest.raises(PriceError, match="No such file"):
        prices()


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


@pytest.mark.parametrize(
    ("name", "reason"), [("a\0b", "not a file's name"), ("a" * 300, "File name too long")]
)
def test_what_is_no_name_is_refused(tmp_path, name, reason):
    with pytest.raises(OSError, match=reason):
        read_regular_file(tmp_path / name, 10)
