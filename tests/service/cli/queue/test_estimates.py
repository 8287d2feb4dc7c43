"""Estimates that are handed to the workers: recorded, followed, shown, refused."""

import json

import pytest

from tests.service.cli.queue.asked import jobs

pytestmark = pytest.mark.usefixtures("brief_searches")


ASKED = (
    "estimate", "toy.toml", "--queue", "--backend", "sparse", "--error", "0.1", "--shots", "50",
    "--most-iterates", "4", "--tag", "mine",
)  # fmt: skip


@pytest.mark.full
def test_from_submission_to_estimate(folder, stichwerk, work):
    said = stichwerk(*ASKED, "--max-cost", "1USD")
    assert (said.code, said.out) == (0, "job 1: new\n")
    assert said.err.startswith("planned: about ")
    while (answer := json.loads(stichwerk("job", "1", "--json").out))["state"] != "done":
        work(1)
        for one in answer["rounds"]["jobs"]:
            work(one["id"])
    found, rounds = answer["estimate"], answer["rounds"]
    assert found["low"] <= found["exact"] == 1 / 2 <= found["high"]
    assert [one["state"] for one in rounds["jobs"]] == ["done"] * len(found["rounds"])
    assert rounds["shots"] == found["shots"]
    assert [(one["id"], one["tag"]) for one in jobs(stichwerk)] == [(1, "mine")]
    round_one = json.loads(stichwerk("job", str(rounds["jobs"][0]["id"]), "--json").out)
    assert (round_one["parent_id"], round_one["tag"]) == (1, "mine")
    assert json.loads(stichwerk("result", "1", "--json").out) == found
    assert all(one["normalized_fidelity"] is not None for one in rounds["jobs"])
    assert stichwerk("result", "1", "-o", "estimate.png").code == 0
    assert (folder / "estimate.png").read_bytes().startswith(b"\x89PNG")
    counts = stichwerk("result", str(rounds["jobs"][0]["id"]), "-o", "counts.png")
    assert (counts.code, "'counts.png'" in counts.err) == (2, True)
