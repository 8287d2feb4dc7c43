"""The commands of the queue, with the worker called by hand: no Redis is needed to record jobs."""

import json
from pathlib import Path

import pytest

from workers.advance import Worker
from workers.database import open_database
from workers.settings import settings

SUITE = """
suite = "night"
programs = ["toy.toml", "ghz2.qasm"]
backends = ["sparse"]
shots = 20
method = "fast"

[[case]]
programs = ["toy.toml"]
backends = ["aer"]
targets = ["all", "star"]
"""


@pytest.fixture(autouse=True)
def nobody_listens(monkeypatch):
    """There is no Redis at this address."""
    monkeypatch.setenv("STICHWERK_REDIS", "redis://127.0.0.1:1/0")


@pytest.fixture
def work(folder):
    """Return a function that does the work of all queues for a job."""

    def advance(job_id):
        engine = open_database(str(folder / "stichwerk.sqlite"))
        worker = Worker(engine, settings())
        while worker.advance(job_id) is not None:
            pass
        engine.dispose()

    return advance


def submit(stichwerk, *words):
    said = stichwerk("submit", *words, "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)["jobs"]


def jobs(stichwerk, *words):
    return json.loads(stichwerk("jobs", *words, "--json").out)["jobs"]


def test_a_job_is_recorded_without_redis(stichwerk):
    said = stichwerk("submit", "toy.toml", "-b", "sparse", "--method", "fast", "--tag", "mine")
    assert (said.code, said.out) == (0, "job 1\n")
    assert "no Redis at redis://127.0.0.1:1/0: the jobs are recorded" in said.err
    (job,) = jobs(stichwerk)
    assert (job["id"], job["state"], job["tag"], job["target"]) == (1, "queued", "mine", "all:16")


def test_from_submission_to_result(stichwerk, folder, work):
    (job,) = submit(stichwerk, "toy.toml", "-b", "sparse", "--method", "fast", "--shots", "60")
    assert stichwerk("result", "1").code == 2
    work(job)
    shown = stichwerk("job", "1", "--watch")
    assert shown.code == 0
    assert [line.split()[1].rstrip(":") for line in shown.err.splitlines()] == [
        "queued", "compiling", "verifying", "submitting", "running", "scoring", "done",
    ]  # fmt: skip
    answer = json.loads(stichwerk("job", "1", "--json").out)
    assert [stage["state"] for stage in answer["stages"]][-1] == answer["state"] == "done"
    assert answer["compilation"]["verified"] == "exact"
    assert stichwerk("result", "1", "-o", "counts.json").code == 0
    result = json.loads((folder / "counts.json").read_text())
    assert sum(result["counts"].values()) == result["shots"] == 60
    assert result["scores"]["legal_fraction"] == 1
    assert json.loads(stichwerk("result", "1").out) == result
    assert stichwerk("result", "1", "--raw").err == (
        "stichwerk: job 1 is done and has no raw result of a provider\n"
    )
    assert stichwerk("rescore", "1").out == "job 1: done\n"


def test_repeats_have_seeds_of_their_own(stichwerk, work):
    ids = submit(stichwerk, "toy.toml", "-b", "sparse", "--method", "fast", "--repeat", "3")
    assert ids == [1, 2, 3]
    for job in ids:
        work(job)
    results = [json.loads(stichwerk("result", str(job)).out)["counts"] for job in ids]
    assert results[0] != results[1] != results[2]


def test_a_suite_is_taken_up_again(stichwerk, folder):
    (folder / "suite.toml").write_text(SUITE)
    first = submit(stichwerk, "suite.toml")
    assert len(first) == 4
    assert submit(stichwerk, "suite.toml") == first
    made = {
        (job["program"], job["backend"], job["target"], job["shots"]) for job in jobs(stichwerk)
    }
    assert made == {
        ("toy.toml", "sparse", "all:16", 20),
        ("ghz2.qasm", "sparse", "all:3", 20),
        ("toy.toml", "aer", "all:16", 20),
        ("toy.toml", "aer", "star:16", 20),
    }
    assert {job["tag"] for job in jobs(stichwerk)} == {"night"}
    (folder / "suite.toml").write_text(SUITE.replace('"aer"', '"aer", "sparse"'))
    assert len(set(submit(stichwerk, "suite.toml")) - set(first)) == 1
    assert not set(submit(stichwerk, "suite.toml", "--tag", "other")) & set(first)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("suite = ", "suit = "), "missing option --backend"),
        (('"night"', "3"), "suite: Input should be a valid string"),
        (("shots", "shoots"), "shoots: Extra inputs are not permitted"),
        (('["sparse"]', "[]"), "programs and backends must both be named"),
        (('"aer"', '"ear"'), "unknown backend 'ear'; did you mean 'aer'?"),
        (('"star"', '"heavy-hex:oslo"'), "oslo"),
        (('"toy.toml", ', '"gone.toml", '), "gone.toml: cannot be read"),
        (("shots = 20", "shots = 0"), "shots = 0: must be from 1"),
        (('"aer"', '"aer:torino"'), "backend 'aer:torino' runs circuits for 'heavy-hex:torino'"),
        (("[[case]]", "[[case"), "not TOML"),
    ],
)
def test_a_bad_suite_records_nothing(stichwerk, folder, change, message):
    (folder / "suite.toml").write_text(SUITE.replace(*change))
    said = stichwerk("submit", "suite.toml")
    assert (said.code, said.out) == (2, "")
    assert message in said.err.splitlines()[-1]
    assert "Traceback" not in said.err
    assert jobs(stichwerk) == []


def test_jobs_are_found_again(stichwerk, work):
    submit(stichwerk, "toy.toml", "-b", "sparse", "--method", "fast", "--tag", "one")
    submit(stichwerk, "ghz2.qasm", "-b", "aer", "--method", "fast", "--tag", "two")
    work(1)
    found = {
        words: [job["id"] for job in jobs(stichwerk, *words)]
        for words in (
            (), ("--tag", "one"), ("--backend", "aer"), ("--status", "done"), ("--limit", "1"),
            ("--since", "1h"), ("--since", "2999-01-01"), ("--tag", "one", "--backend", "aer"),
        )
    }  # fmt: skip
    assert list(found.values()) == [[2, 1], [1], [2], [1], [2], [2, 1], [], []]
    table = stichwerk("jobs").out
    assert "toy.toml" in table
    assert "ghz2.qasm" in table


def test_cancel_and_retry(stichwerk, work):
    submit(stichwerk, "toy.toml", "-b", "sparse", "--method", "fast", "--repeat", "2")
    assert stichwerk("cancel", "1").out == "job 1: cancelled\n"
    said = stichwerk("cancel", "1", "2")
    assert (said.code, said.out) == (1, "job 2: cancelled\n")
    assert said.err == "stichwerk: job 1 is cancelled already\n"
    assert stichwerk("job", "1", "--watch").code == 1
    assert stichwerk("retry", "1").out == "job 1: queued\n"
    work(1)
    assert stichwerk("job", "1", "--watch").code == 0
    said = stichwerk("retry", "1")
    assert said.code == 1
    assert said.err == "stichwerk: job 1 is done: only what has failed can be retried\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("submit", "toy.toml"), "missing option --backend; see 'stichwerk backends'"),
        (("submit", "toy.toml", "-b", "spars"), "did you mean 'sparse'"),
        (("submit", "gone.toml", "-b", "sparse"), "gone.toml: cannot be read"),
        (("submit", "toy.toml", "-b", "sparse", "--shots", "0"), "shots = 0"),
        (("submit", "toy.toml", "-b", "sparse", "--repeat", "0"), "repeat = 0"),
        (("submit", "toy.toml", "-b", "sparse", "--tag", "x" * 81), "tag: must have 1 to 80"),
        (("submit", "toy.toml", "-b", "sparse", "--max-cost", "five"), "'five': not an amount"),
        (("submit", "toy.toml", "-b", "aer:torino", "-t", "star"), "not 'star'"),
        (("submit", "toy.toml", "-b", "ibm:torino", "--max-cost", "0.01USD"), "own limit of 0.01"),
        (("submit", "skat-32", "-b", "ibm:torino"), "needs"),
        (("jobs", "--status", "gone"), "unknown status 'gone'; known: queued"),
        (("jobs", "--since", "yesterday"), "since 'yesterday': write 30m"),
        (("job", "7"), "there is no job 7"),
        (("result", "7"), "there is no job 7"),
        (("cancel", "7"), "there is no job 7"),
        (("worker", "--queues", "compil"), "queues 'compil': unknown compil"),
        (("job", "99999999999999999999"), "there is no job"),
        (("up", "--directory", "toy.toml"), "directory 'toy.toml'"),
    ],
)
def test_bad_input_is_one_line(stichwerk, folder, words, message):
    said = stichwerk(*words)
    assert (said.code, said.out) == (2, "")
    assert message in said.err
    assert said.err.count("\n") == 1
    if Path(folder / "stichwerk.sqlite").exists():
        assert jobs(stichwerk) == []


@pytest.mark.parametrize("name", ["STICHWERK_LEASE_SECONDS", "STICHWERK_MOST_JOBS"])
@pytest.mark.parametrize("value", ["0", "-1", "soon", "nan", "inf"])
def test_bad_settings_are_one_line(stichwerk, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    said = stichwerk("jobs")
    assert said.code == 2
    assert said.err == f"stichwerk: {name}='{value}': must be a positive number\n"


def test_a_provider_costs_at_least(stichwerk):
    said = stichwerk("submit", "toy.toml", "-b", "braket:garnet", "--method", "fast", "--shots",
                     "100", "--repeat", "2", "--json")  # fmt: skip
    assert json.loads(said.out) == {"jobs": [1, 2], "least_cost_usd": "0.89000"}
