"""All jobs of a tag or state at once."""

import json
from io import StringIO

from sqlalchemy.orm import Session

from tests.service.cli.queue.asked import jobs, submit
from workers.records.database import open_database
from workers.records.tables import Job


def test_all_jobs_of_a_tag_at_once(stichwerk, monkeypatch):
    ghz = ("ghz2.qasm", "-b", "sparse", "--method", "fast")
    submit(stichwerk, *ghz, "--tag", "night", "--repeat", "2")
    submit(stichwerk, *ghz, "--tag", "noon")
    said = stichwerk("cancel", "--tag", "night", "--yes")
    assert (said.code, said.out) == (0, "job 1: cancelled\njob 2: cancelled\n")
    assert said.err == "to cancel: 2 jobs of tag 'night'\n"
    assert stichwerk("cancel", "--tag", "night").err == "to cancel: 0 jobs of tag 'night'\n"
    said = stichwerk("retry", "--tag", "night", "--failed")
    assert (said.code, said.out) == (0, "")
    assert said.err == "to retry: 0 jobs of tag 'night' that are failed\n"
    said = stichwerk("retry", "--state", "cancelled", "--json")
    assert [job["id"] for job in json.loads(said.out)["jobs"]] == [1, 2]
    assert [job["state"] for job in jobs(stichwerk)] == ["queued"] * 3


def test_a_terminal_is_asked_before_many_jobs_are_changed(stichwerk, monkeypatch):
    submit(stichwerk, "ghz2.qasm", "-b", "sparse", "--method", "fast", "--tag", "night")
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    said = stichwerk("cancel", "--tag", "night")
    assert (said.code, said.out.strip()) == (130, "")
    assert jobs(stichwerk)[0]["state"] == "queued"
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert stichwerk("cancel", "--tag", "night").out.strip() == "job 1: cancelled"


class Terminal(StringIO):
    """What somebody types."""

    def isatty(self):
        return True


def test_a_pinned_circuit_runs_again_though_the_compiler_changed(stichwerk, work, folder):
    (first,) = submit(stichwerk, "toy.toml", "-b", "sparse", "--method", "fast", "--shots", "60")
    work(first)
    again = submit(stichwerk, "--like-job", str(first), "--repeat", "2", "--tag", "nightly")
    for job in again:
        work(job)
    engine = open_database(str(folder / "stichwerk.sqlite"))
    with Session(engine) as session:
        rows = [session.get_one(Job, job) for job in (first, *again)]
        assert [row.state for row in rows] == ["done"] * 3
        assert len({row.compilation_id for row in rows}) == 1
        assert [row.order_digest is None for row in rows] == [False, True, True]
        assert [(row.shots, row.backend, row.tag) for row in rows[1:]] == [
            (60, "sparse", "nightly")
        ] * 2
        assert len({row.seed for row in rows}) == 3
        assert rows[0].counts != rows[1].counts
        assert [score.kind for score in rows[1].scores] == [score.kind for score in rows[0].scores]
        assert rows[1].events[0].state == "submitting"
    (other,) = submit(stichwerk, "--like-job", str(first), "-b", "aer", "--shots", "70")
    with Session(engine) as session:
        row = session.get_one(Job, other)
        assert (row.backend, row.shots, row.compilation_id) == ("aer", 70, rows[0].compilation_id)
    engine.dispose()
