"""Scores of nonlocal games: the largest that a device wins."""

import json
from xml.etree import ElementTree

import pytest

from service.cli.score.command import badge_svg, planned_batch, play_suite, score_sentence
from service.results.jobs.device_scores import wins_words
from tests.service.cli.score.led import ended
from workers.score import suite as suites
from workers.score.suite import Suite, score_run, suite_named


@pytest.fixture
def result(monkeypatch, tmp_path):
    """Return the score of a perfect machine by the two smallest parts."""
    whole = suite_named("nonlocal-1")
    parts = [part for part in whole.parts if part.name in ("chsh", "ghz-3")]
    small = whole.model_copy(update={"parts": [p.model_copy(update={"shots": 100}) for p in parts]})
    assert isinstance(small, Suite)
    monkeypatch.setattr(suites, "suite_named", lambda name: small)
    monkeypatch.setattr("workers.batches.batch.suite_named", lambda name: small)
    run = score_run(small, "sparse", "test", "")
    return play_suite(
        run, planned_batch(run, 0, None), None, f"sqlite:///{tmp_path / 'records.sqlite'}", 1
    )


def test_a_perfect_machine_beats_every_classical_strategy(result):
    assert [part.circuits for part in result.parts] == [4, 4]
    chsh, ghz = (part.figures for part in result.parts)
    assert chsh["classical_bound"].value == ghz["classical_bound"].value == 0.75
    assert ghz["win_rate"].value == result.parts[1].score == 1
    assert ghz["sigmas"].value > 10
    assert result.complete
    assert "beats every classical strategy" in score_sentence(result)
    texts = [of.text for of in ElementTree.fromstring(badge_svg(result)).iter()]
    assert wins_words([part.model_dump() for part in result.parts]) in texts


def test_a_machine_that_wins_nothing_says_so():
    losing = {"family": "GHZ games", "name": "ghz-3", "figures": {"sigmas": {"value": 2.9}}}
    assert wins_words([losing]) == "classical bound not beaten"
    won = {"family": "GHZ games", "name": "ghz-4", "figures": {"sigmas": {"value": 3.5}}}
    assert "3.5 σ (ghz-4)" in wins_words([losing, won])
    assert wins_words([{"family": "card games", "name": "skat-4", "figures": {}}]) == ""


def test_all_questions_are_one_job_of_a_provider(stichwerk, folder, ibm):
    options = ("--questions", "-b", "ibm:torino", "--shots", "100", "--json")
    (parent,) = json.loads(stichwerk("submit", "chsh", *options).out)["jobs"]
    ended(folder, parent)
    assert len(ibm.machine.audit()) == 1
    won = json.loads(stichwerk("job", str(parent), "--json").out)["batched"]["win_rate"]
    assert (won["shots"], won["beats"]) == (400, won["sigmas"] >= 3)
    assert 0.75 < won["win_rate"] < 0.95
    assert won["mitigated"] is not None
