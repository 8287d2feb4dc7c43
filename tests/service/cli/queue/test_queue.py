"""The commands of the queue, with the worker called by hand: no Redis is needed to record jobs."""

import json
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from tests.service.cli.queue.asked import jobs, submit
from workers.records.database import open_database
from workers.records.tables import Job, LedgerEntry

SUITE = Path(__file__).with_name("suite.toml").read_text()


def test_from_submission_to_result(stichwerk, folder, work):
    (job,) = submit(stichwerk, "toy.toml", "-b", "sparse", "--method", "fast", "--shots", "60")
    assert stichwerk("result", "1").code == 2
    work(job)
    shown = stichwerk("job", "1", "--watch")
    assert shown.code == 0
    *stages, last = shown.err.splitlines()
    assert [line.split()[1].rstrip(":") for line in stages] == [
        "queued", "compiling", "verifying", "submitting", "running", "scoring", "done",
    ]  # fmt: skip
    assert last.startswith("done: P(win) ")
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


EXPECTING = Path(__file__).with_name("expecting.toml").read_text()


@pytest.mark.parametrize(
    ("suite", "change", "message"),
    [
        (EXPECTING, ('expect = ""', ""), "toy.toml: a game knows its own distribution"),
        (EXPECTING, ('"counts.json"', '"absent.json"'), "absent.json: "),
        (EXPECTING, ('"counts.json"', "3"), "expect: must be a text, in quotes"),
        (EXPECTING, ('"counts.json"', '"narrow.json"'), "ghz2.qasm: outcomes of 2 bits"),
        (SUITE, ("suite = ", "suit = "), "missing option --backend"),
        (SUITE, ("shots", "shoots"), "'shoots' is not known; did you mean 'shots'?"),
        (SUITE, ('["sparse"]', "[]"), "programs and backends must both be named"),
    ],
)
def test_a_bad_suite_records_nothing(stichwerk, folder, suite, change, message):
    (folder / "counts.json").write_text('{"000": 1}')
    (folder / "narrow.json").write_text('{"00": 1}')
    (folder / "suite.toml").write_text(suite.replace(*change))
    said = stichwerk("submit", "suite.toml")
    assert (said.code, said.out) == (2, "")
    assert message in said.err.splitlines()[-1]
    assert "Traceback" not in said.err
    assert not (folder / "stichwerk.sqlite").exists()


def test_jobs_are_found_again(stichwerk, work):
    submit(stichwerk, "toy.toml", "-b", "sparse", "--method", "fast", "--tag", "one")
    submit(stichwerk, "ghz2.qasm", "-b", "aer", "--method", "fast", "--tag", "two")
    work(1)
    found = {
        words: [job["id"] for job in jobs(stichwerk, *words)]
        for words in (
            (), ("--tag", "one"), ("--backend", "aer"), ("--state", "done"), ("--limit", "1"),
            ("--since", "1h"), ("--tag", "one", "--backend", "aer"),
        )
    }  # fmt: skip
    assert list(found.values()) == [[2, 1], [1], [2], [1], [2], [2, 1], []]
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
    assert said.err == "stichwerk: job 1 is done: only failed jobs can be retried\n"


def test_what_is_known_is_not_bought_again(stichwerk, folder, work):
    suite = 'suite = "paid"\nprograms = ["toy.toml", "ghz2.qasm"]\nbackends = ["braket:garnet"]\n'
    (folder / "suite.toml").write_text(suite + 'shots = 100\nmethod = "fast"\n')
    first = stichwerk("submit", "suite.toml")
    assert first.out == "job 1: new\njob 2: new\n"
    assert "together they cost at least 0.89 USD" in first.err
    stichwerk("cancel", "2")
    (folder / "suite.toml").write_text(
        suite.replace('"ghz2.qasm"', '"ghz2.qasm", "ghz3.qasm"') + 'shots = 100\nmethod = "fast"\n'
    )
    again = stichwerk("submit", "suite.toml")
    assert again.out == (
        "job 1: queued already\njob 2: cancelled already (stichwerk retry 2)\njob 3: new\n"
    )
    assert again.err.endswith("\nit costs at least 0.445 USD\n")
    said = stichwerk("submit", "suite.toml", "--json")
    assert json.loads(said.out) == {"jobs": [1, 2, 3], "new": [], "least_cost_usd": "0"}


def test_a_failed_job_says_why_and_gets_a_new_limit(stichwerk, folder, work, monkeypatch):
    submit(stichwerk, "toy.toml", "-b", "braket:garnet", "--method", "fast", "--max-cost", "5USD")
    monkeypatch.setenv("STICHWERK_JOB_BUDGET_USD", "0.01")
    work(1)
    error = jobs(stichwerk)[0]["error"]
    assert "0.01" in error
    assert error in stichwerk("result", "1").err
    assert stichwerk("job", "1", "--watch").err.splitlines()[-1] == f"failed: {error}"
    assert error[:16] in stichwerk("jobs").out
    assert stichwerk("retry", "1", "--max-cost", "7.5USD").code == 0
    assert json.loads(stichwerk("job", "1", "--json").out)["max_cost_usd"] == "7.5"
    assert stichwerk("retry", "1", "--max-cost", "9USD").code == 1
    assert json.loads(stichwerk("job", "1", "--json").out)["max_cost_usd"] == "7.5"


def test_a_job_in_quarantine_shows_what_is_known_of_it(stichwerk, folder):
    submit(stichwerk, "ghz2.qasm", "-b", "ibm:torino", "--method", "fast", "--repeat", "2")
    assert stichwerk("jobs", "--quarantined").out == "no jobs to list in stichwerk.sqlite\n"
    engine = open_database(str(folder / "stichwerk.sqlite"))
    with Session(engine) as session:
        job = session.get_one(Job, 1)
        job.quarantined, job.state, job.asks, job.doubtful = "it kills workers", "failed", 2, True
        job.estimated_cost_microusd, job.charged_microusd = 1_500_000, 1_250_000
        for kind, microusd in (("reserved", 1_500_000), ("charged", -250_000)):
            session.add(LedgerEntry(job_id=1, budget="tag:x", kind=kind, microusd=microusd))
        session.commit()
    engine.dispose()
    assert [one["id"] for one in jobs(stichwerk, "--quarantined")] == [1]
    assert "it kills workers" in stichwerk("jobs", "--quarantined").out
    answer = json.loads(stichwerk("job", "1", "--json").out)
    assert (answer["asks"], answer["doubtful"], answer["charged_beyond_estimate_usd"]) == (
        2, True, "-0.25",
    )  # fmt: skip
    assert [(one["kind"], one["usd"]) for one in answer["ledger"]] == [
        ("reserved", "1.5"), ("charged", "-0.25"),
    ]  # fmt: skip
    page = stichwerk("job", "1").out
    for text in ("1.25 USD (estimate: 1.50 USD)", " -0.25 ", "tag:x", "it kills workers"):
        assert text in page
