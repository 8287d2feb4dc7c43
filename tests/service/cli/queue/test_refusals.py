"""What the commands of the queue refuse: one line says why, and nothing is recorded."""

import pytest


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("submit", "toy.toml"), "missing option --backend; see 'stichwerk backends'"),
        (("submit", "toy.toml", "-b", "sparse", "--repeat", "0"), "repeat = 0"),
        (("submit", "toy.toml", "-b", "sparse", "--tag", "x" * 81), "tag: must have 1 to 80"),
        (("submit", "toy.toml", "-b", "sparse", "--max-cost", "five"), "'five': not an amount"),
        (("submit", "toy.toml", "-b", "aer:torino", "-t", "star"), "not 'star'"),
        (("submit", "toy.toml", "-b", "ibm:torino", "--max-cost", "0.01USD"), "own limit of 0.01"),
        (("jobs", "--state", "nowhere"), "unknown state 'nowhere'; known: queued"),
        (("jobs", "--since", "yesterday"), "since 'yesterday': write 30m"),
        (("worker", "--queues", "compil"), "queues 'compil': unknown compil"),
        (("job", "abc"), "job 'abc': not a number; see 'stichwerk job --help'."),
        (("up", "--directory", "toy.toml"), "directory 'toy.toml'"),
        (("submit", "toy.toml", "-b", "sparse", "--max-cost", "1e30"), "more than 1,000,000,000"),
        (("submit", "toy.toml", "-b", "sparse", "--seed", "2147483647", "--repeat", "2"), "seed ="),
        (("jobs", "--since", "999999d"), "since '999999d': no calendar goes there"),
        (("submit", "toy.toml", "-b", "sparse", "--time-limit", "-1"), "'--time-limit'"),
        (("migrate", "--wait", "nan"), "'--wait'"),
        (("migrate", "--database", "sqlite:///x?timeout=soon"), "could not convert"),
        (("migrate", "--database", "postgresql+psycopg://h:port/x"), "cannot be written"),
    ],
)
def test_bad_input_is_one_line(stichwerk, folder, words, message):
    said = stichwerk(*words)
    assert (said.code, said.out) == (2, "")
    assert message in said.err
    assert said.err.count("\n") == 1
    assert not (folder / "stichwerk.sqlite").exists() or stichwerk("jobs").out == "no jobs\n"


@pytest.mark.parametrize("number", ["7", "0", "99999999999999999999"])
@pytest.mark.parametrize("command", ["job", "result", "cancel", "retry", "rescore"])
def test_a_job_that_nobody_knows(stichwerk, command, number):
    stichwerk("submit", "toy.toml", "-b", "sparse", "--method", "fast")
    said = stichwerk(command, number)
    assert (said.code, said.out) == (2, "")
    assert said.err == f"stichwerk: there is no job {number}; 'stichwerk jobs' lists them\n"


@pytest.mark.parametrize("address", ["typo.sqlite", "sqlite:///typo.sqlite"])
@pytest.mark.parametrize("command", ["jobs", "job", "result", "cancel", "retry", "rescore"])
def test_who_looks_creates_no_records(stichwerk, folder, command, address):
    words = () if command == "jobs" else ("1",)
    said = stichwerk(command, *words, "--database", address)
    assert (said.code, said.out) == (2, "")
    assert said.err == f"stichwerk: there are no records at '{address}'\n"
    assert not (folder / "typo.sqlite").exists()


@pytest.mark.parametrize("name", ["STICHWERK_LEASE_SECONDS", "STICHWERK_MOST_JOBS"])
@pytest.mark.parametrize("value", ["0", "-1", "soon", "nan", "inf"])
def test_bad_settings_are_one_line(stichwerk, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    said = stichwerk("jobs")
    assert said.code == 2
    assert said.err == f"stichwerk: {name}='{value}': must be a positive number\n"
