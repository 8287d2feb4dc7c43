"""Score suites of standard benchmarks: outcomes, figures, proofs, records and resuming."""

import json
from math import sqrt

import pytest

from tests.service.cli.score.led import ended
from tests.workers.score.tiny import tiny_suite

ASKED = ("score", "--suite", "tiny-standard", "--processes", "1")


@pytest.fixture(autouse=True)
def tiny(request, folder):
    if "ibm" in request.fixturenames:
        yield
        return
    with tiny_suite(folder / "suites"):
        yield


def parts_of(document):
    return {part["name"]: part for part in document["parts"]}


def test_without_noise_every_benchmark_is_perfect(stichwerk, folder):
    done = stichwerk(*ASKED, "-b", "sparse", "--run", "a", "--json")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    parts = parts_of(document)
    outcomes = {name: part["outcome"] for name, part in parts.items()}
    assert outcomes.pop("clops") == "not applicable"
    assert outcomes.pop("mirror-wide") in ("unsupported", "completed")
    assert set(outcomes.values()) == {"completed"}
    assert parts["clops"]["score"] is None
    assert [parts[name]["score"] for name in ("mirror", "qft", "bseq", "eplg")] == [1] * 4
    chsh = parts["bseq"]["figures"]["mean_chsh"]
    assert abs(chsh["value"] - 2 * sqrt(2)) < 5 * chsh["uncertainty"]
    qaoa = parts["lr-qaoa"]
    assert qaoa["score"] == pytest.approx(2 * qaoa["figures"]["approx_ratio"]["value"] - 1)
    assert {part["verified"] for part in parts.values() if part["jobs"]} == {"exact"}
    assert parts["lr-qaoa"]["input_two_qubit_gates"] == 2 * 3
    assert document["game_volume"] == {}
    again = stichwerk(*ASKED, "-b", "sparse", "--run", "a", "-o", "a.json", "--json")
    assert json.loads(again.out) == document
    merged = stichwerk("score", "--merge", "a.json", "-o", "page.html")
    assert merged.code == 0, merged.err


@pytest.mark.full
def test_it_runs_at_a_provider(stichwerk, folder, ibm):
    words = ("score", "--suite", "tiny-timed", "-b", "ibm:boston", "--queue", "--json")
    done = stichwerk(*words, "--run", "a")
    assert done.code == 0, done.err
    (parent,) = json.loads(done.out)["jobs"]
    ended(folder, parent)
    document = json.loads(stichwerk("score", "--job", str(parent), "--json").out)
    assert document["complete"]
    clops = parts_of(document)["clops"]
    assert clops["outcome"] == "completed"
    assert clops["figures"]["clops_score"]["value"] > 0
    assert "Parts of scores" in stichwerk("job", str(parent)).out


def test_unknown_suites_and_devices_get_one_line(stichwerk):
    for words, value in (
        (("--suite", "standard-2", "-b", "sparse"), "standard-2"),
        (("--suite", "tiny-standard", "-b", "ibm:nowhere"), "nowhere"),
    ):
        done = stichwerk("score", *words)
        assert (done.code, done.out) == (2, "")
        assert value in done.err.splitlines()[-1]
