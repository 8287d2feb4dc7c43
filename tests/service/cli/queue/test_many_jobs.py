"""All jobs of a tag or state at once."""

import json
from io import StringIO

from tests.service.cli.queue.asked import jobs, submit


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
