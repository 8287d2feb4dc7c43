"""Suites, scores and campaigns that are compiled for the calibration of now."""

import json

import pytest

from tests.servers.provider_simulators.machine import DAY_SECONDS
from tests.service.cli.score.led import ended, handed


@pytest.fixture
def answer(stichwerk):
    """Return a function that returns what a command prints as JSON."""

    def printed(*words):
        done = stichwerk(*words, "--json")
        assert done.code == 0, done.err
        return json.loads(done.out)

    return printed


@pytest.mark.full
def test_a_score_has_digest_time_and_age_of_the_calibration_and_resumes_with_it(
    answer, stichwerk, folder, ibm
):
    live = ("--calibration", "live", "--recompile-after", "1000")
    parent, _ = handed(stichwerk, "monday", *live)
    ibm.clock.seconds = DAY_SECONDS
    assert handed(stichwerk, "monday", *live)[0] == parent
    ended(folder, parent)
    score = answer("score", "--job", str(parent))
    (calibration,) = score["calibrations"]
    part = answer("job", str(score["parts"][0]["jobs"][0]))
    assert score["target"] == part["target"]
    assert score["target"].startswith("device:ibm_torino:")
    circuit = part["compilation"]
    assert calibration["digest"] == circuit["calibration_digest"]
    assert calibration["at"][:16] == circuit["calibrated_at"][:16]
    assert 0 <= calibration["age_hours"] < 25
    assert calibration["digest"][:8] in stichwerk("score", "--job", str(parent)).out
    assert calibration["digest"][:8] in stichwerk("job", str(parent)).out
