"""The command `advise` that asks a backend: by counted shots, or by amplitude estimation."""

import json

import pytest
from sqlalchemy.orm import Session

from tests.service.conftest import TWO_CARDS
from tests.workers.folder_provider import FolderProvider
from workers.records.database import open_database
from workers.records.tables import Job

pytestmark = pytest.mark.usefixtures("brief_searches")

CHANCES = {"CA": 1.0, "H7": 0.5}
"""Of its cards, exactly: CA wins all, H7 only if SA, and no trump, is played to it."""


@pytest.fixture
def small(folder):
    path = folder / "small.toml"
    path.write_text(TWO_CARDS)
    return str(path)


@pytest.fixture(autouse=True)
def nobody_listens(monkeypatch):
    """There is no Redis at this address."""
    monkeypatch.setenv("STICHWERK_REDIS", "redis://127.0.0.1:1/0")


def estimates(answer):
    return {one["card"]: one["quantum"] for one in answer["cards"]}


def test_estimates_hold_the_exact_chances(stichwerk, small, folder):
    drawn = folder / "advice.png"
    done = stichwerk(
        *("advise", small, "--backend", "sparse", "--estimator", "bayesian"),
        *("--error", "0.04", "--plot", str(drawn), "--json"),
    )
    assert done.code == 0
    answer = json.loads(done.out)
    assert (answer["estimator"], answer["error"], answer["shots"]) == ("bayesian", 0.04, 100)
    found = estimates(answer)
    for name, exact in CHANCES.items():
        one = found[name]
        assert one["low"] <= exact <= one["high"] <= one["low"] + 0.08
        assert (one["method"], one["estimate"]["reached"]) == ("quantum", True)
        assert one["job"] is not None
        assert one["estimate"]["verified"] == ["exact"]
        assert f"{name}: P(win) on sparse {one['p_win']:.3f}" in done.err
    taken = found["H7"]["estimate"]
    # What sampling takes: 1.96² / 4 / 0.04².
    assert taken["calls"] < taken["sampling_calls"] == 601
    assert (taken["deepest"], taken["circuits"]) == (1, 2)
    lines = done.err.splitlines()
    planned = [place for place, line in enumerate(lines) if line.startswith("planned: about")]
    asked = [place for place, line in enumerate(lines) if ": round 1: " in line]
    assert len(planned) == 2
    assert planned[0] < asked[0]
    assert drawn.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("party", ["", "party = [1]\n"])
def test_circuits_of_all_cards_are_one_provider_job(
    stichwerk, small, folder, party, tmp_path_factory
):
    (folder / "small.toml").write_text(party + TWO_CARDS)
    # A backend's name, here with the folder's, has at most 80 characters.
    provider = FolderProvider(tmp_path_factory.mktemp("p"))
    provider.do_wrong("group", 10)
    spec = f"folder:{provider.folder}"
    done = stichwerk("advise", small, "--backend", spec, "--shots", "400", "--json")
    assert done.code == 0, done.err
    assert " and 1 more: costs at least 0.5 USD" in done.err
    cards = json.loads(done.out)["cards"]
    for one in cards:
        measured, exact = one["quantum"], one["superposed"]["p_win"]
        assert measured["low"] <= exact <= measured["high"] < measured["low"] + 0.11
    jobs = sorted(one["quantum"]["job"] for one in cards)
    with Session(open_database(str(folder / "stichwerk.sqlite"))) as session:
        leader, follower = (session.get_one(Job, number) for number in jobs)
        assert [leader.leader_id, follower.leader_id] == [leader.id] * 2
        assert provider.accepted() == [leader.key]


def test_workers_are_given_a_job_for_each_card(stichwerk, small, folder):
    done = stichwerk(
        *("advise", small, "--backend", "ibm:torino", "--estimator", "bayesian"),
        *("--queue", "--tag", "mine", "--max-cost", "90USD", "--json"),
    )
    assert done.code == 0, done.err
    answer = json.loads(done.out)
    assert set(estimates(answer).values()) == {None}
    assert (answer["recommended"], answer["backend"]) == ("CA", "ibm:torino")
    assert sorted(answer["jobs"]) == ["CA", "H7"]
    assert sorted(answer["jobs"].values()) == [1, 2]
    told = [line for line in done.err.splitlines() if line.startswith("planned: about")]
    assert len(told) == 2
    assert all("that costs about" in line and "USD, or more" in line for line in told)
    with Session(open_database(str(folder / "stichwerk.sqlite"))) as session:
        for name, number in answer["jobs"].items():
            job = session.get(Job, number)
            assert (job.program, job.tag, job.shots) == (f"after-{name}.toml", "mine", 100)
            assert job.request["estimator"] == "bayesian"
            assert job.request["noisy"]
            assert job.max_cost_microusd == 90_000_000
