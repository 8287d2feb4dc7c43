"""The command `score`: number, files, badge, resuming, cost, what is refused."""

import json
import re
import xml.etree.ElementTree as ET

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from backends import BackendError
from tests.workers.score.tiny import tiny_suite
from workers.records.database import open_database
from workers.records.tables import Job
from workers.score.document import ScoreFile, _digest
from workers.stages.context import simulated

SHORT = ("score", "--suite", "tiny", "--processes", "1")


@pytest.fixture(autouse=True)
def tiny(folder):
    with tiny_suite(folder / "suites"):
        yield


def jobs(folder):
    with Session(open_database(str(folder / "stichwerk.sqlite"))) as session:
        return session.scalar(select(func.count(Job.id)))


def test_a_perfect_machine_scores_one_and_a_run_is_taken_up(stichwerk, folder, monkeypatch):
    asked = (*SHORT, "-b", "sparse", "--run", "first")
    done = stichwerk(*asked, "-o", "a.json", "--badge", "a.svg")
    assert done.code == 0
    found = json.loads((folder / "a.json").read_text())
    assert found["complete"]
    assert 0.95 < found["low"] <= found["score"] <= found["high"] == 1
    assert found["game_volume"] == {"0.1": 4, "0.5": 4}
    assert found["families"].keys() == {"card games", "dynamic circuits"}
    assert [part["outcome"] for part in found["parts"]] == ["completed", "completed"]
    assert found["cost_usd"] is None
    assert "2 circuits, 300 shots, 0 parts left out, no charge" in done.err
    assert f"Suite tiny on sparse, run first: {found['score']:.3f}" in done.out
    badge = ET.fromstring((folder / "a.svg").read_text())
    assert f"{found['score']:.3f}" in badge.attrib["aria-label"]
    # After an update the run goes on all the same.
    monkeypatch.setattr("workers.compilation.orders.revision", lambda: "another")
    again = stichwerk(*asked, "--json")
    assert json.loads(again.out) == found
    assert jobs(folder) == 3
    other = stichwerk(*SHORT, "-b", "sparse", "--run", "second", "--seed", "7", "--json")
    assert json.loads(other.out)["digest"] != found["digest"]
    assert jobs(folder) == 6


def test_what_a_simulator_has_no_memory_for_counts_as_nothing(stichwerk, monkeypatch):
    def small(context, backend, **again):
        if context.job.program == "skat-4":
            raise BackendError("it needs 300 MiB")
        return simulated(context, backend, **again)

    monkeypatch.setattr("workers.stages.running.simulated", small)
    done = stichwerk(*SHORT, "-b", "aer", "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert [part["outcome"] for part in found["parts"]] == ["unsupported", "completed"]
    assert "MiB" in found["parts"][0]["why"]
    assert found["score"] == pytest.approx(found["parts"][1]["score"] / 2)


def test_nothing_is_submitted_that_costs_too_much(stichwerk, folder):
    for queued in ((), ("--queue",)):
        done = stichwerk(*SHORT, "-b", "ibm:torino", "--max-cost", "0.01USD", *queued)
        assert done.code == 2
        assert "nothing was submitted" in done.err.splitlines()[-1]
        assert jobs(folder) == 0


def test_a_score_is_not_complete_while_a_provider_has_lost_a_part(stichwerk, folder, monkeypatch):
    def lost(*_):
        raise BackendError("the device is away")

    monkeypatch.setattr("workers.stages.running.submit", lost)
    done = stichwerk(*SHORT, "-b", "ibm:torino", "--run", "a", "-o", "a.json", "--badge", "a.svg")
    assert done.code == 1
    assert "2 circuits, 300 shots, 0 parts left out, at least " in done.err
    assert "not complete, 2 parts lost" in done.out
    found = json.loads((folder / "a.json").read_text())
    assert [part["why"] for part in found["parts"]] == ["the device is away"] * 2
    assert {part["outcome"] for part in found["parts"]} == {"error"}
    assert "not complete" in (folder / "a.svg").read_text()


def edited(found, **changes):
    return json.dumps({**found, **changes})


def test_results_are_merged_once_each_and_edited_ones_refused(stichwerk, folder):
    for name, backend in (("a", "sparse"), ("b", "sparse:torino")):
        stichwerk(*SHORT, "-b", backend, "--run", name, "-o", f"{name}.json")
    found = json.loads((folder / "a.json").read_text())
    done = stichwerk(
        "score", "--merge", "b.json", "a.json", "a.json", "-o", "scores.html", "--json"
    )
    assert done.code == 0
    answer = json.loads(done.out)
    assert [one["backend"] for one in answer["scores"]] == ["sparse", "sparse:torino"]
    assert answer["duplicates"] == ["a.json"]
    assert answer["changes"] == []
    page = (folder / "scores.html").read_text()
    assert page.count("<tr>") > 3
    assert not re.search(r"(src|href)=\"(?!#)", page.partition('<script type="text/plain"')[0])
    forged = {**found, "score": 1.0}
    digest = _digest(ScoreFile.model_validate(forged))
    for text, message in (
        (edited(found, score=0.9), "was changed after it was written"),
        (edited(found, more=1), "no result of 'stichwerk score': more: Extra inputs"),
        (edited(found, score="1"), "score: Input should be a valid number"),
        (edited(forged, digest=digest), "the score is not the mean of its parts"),
        ("[1]", "no result"),
        ("{", "no result"),
        ("[" * 100_000, "no result"),
        ('{"score": NaN}', "no result"),
    ):
        (folder / "c.json").write_text(text)
        refused = stichwerk("score", "--merge", "a.json", "c.json", "-o", "scores.html")
        assert refused.code == 2, text[:40]
        assert message in refused.err.splitlines()[-1]
        assert "Traceback" not in refused.err
