"""Changing many jobs by one request."""

import pytest

from service.api.routes import job_changes
from tests.servers.fixtures import EACH_DATABASE
from tests.service.api.conftest import Api


def states(api: Api) -> dict[int, str]:
    return {job["id"]: job["state"] for job in api.get("/jobs").json()["jobs"]}


@EACH_DATABASE
def test_all_of_a_tag_are_cancelled_and_retried(api: Api) -> None:
    mine, other = api.jobs(tag="mine", repeat=3), api.jobs(tag="other")
    answer = api.post("/jobs/cancel", {"tag": "mine"})
    assert answer.status_code == 200
    assert answer.json() == {
        "jobs": [
            {
                "id": job,
                "state": "cancelled",
                "error": None,
                "cancel_requested": False,
                "retry_of": None,
            }
            for job in mine
        ],
        "refused": [],
        "left": 0,
    }
    assert states(api) == dict.fromkeys(mine, "cancelled") | dict.fromkeys(other, "queued")
    assert api.post("/jobs/retry", {"tag": "mine"}).json()["jobs"] == [], "none has failed"
    again = api.post("/jobs/retry", {"tag": "mine", "state": "cancelled"}).json()
    assert [job["id"] for job in again["jobs"]] == mine
    assert set(states(api).values()) == {"queued"}


def test_a_token_changes_its_own_only(api: Api) -> None:
    api.jobs(tag="mine")
    stranger = api.token_for("cancel")
    everybody = api.token_for("cancel", "all")
    asked = {"json": {"state": "queued"}}
    assert api.ask("POST", "/jobs/cancel", stranger, **asked).json()["jobs"] == []
    assert len(api.ask("POST", "/jobs/cancel", everybody, **asked).json()["jobs"]) == 1
    assert api.ask("POST", "/jobs/cancel", api.token_for("read"), **asked).status_code == 403


def test_no_more_than_so_many_at_once(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_changes, "MAX_AT_ONCE", 2)
    jobs = api.jobs(tag="mine", repeat=5)
    answers = [api.post("/jobs/cancel", {"tag": "mine"}).json() for _ in range(3)]
    changed = [[job["id"] for job in one["jobs"]] for one in answers]
    assert changed == [jobs[:2], jobs[2:4], jobs[4:]]
    assert [one["left"] for one in answers] == [3, 1, 0]


@pytest.mark.parametrize(
    ("name", "asked", "detail"),
    [
        ("cancel", {}, "say which jobs: give tag, state, or both"),
        ("cancel", {"tag": ""}, "tag: String should have at least 1 character"),
        ("cancel", {"state": "done"}, "state: must be one of queued, compiling"),
        ("retry", {"state": "queued"}, "state: must be one of failed, cancelled"),
        ("retry", {"tags": "mine"}, "unknown field 'tags'; did you mean 'tag'?"),
    ],
)
def test_what_cannot_be_asked(api: Api, name: str, asked: dict[str, str], detail: str) -> None:
    answer = api.post(f"/jobs/{name}", asked)
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith(detail)


@EACH_DATABASE
def test_jobs_in_quarantine_are_listed_and_not_retried_with_others(api: Api) -> None:
    held, failed, _ = api.jobs(tag="mine", repeat=3)
    api.change(held, state="failed", quarantined="it kills workers")
    api.change(failed, state="failed")
    (shown,) = api.get("/jobs?quarantined=true").json()["jobs"]
    assert (shown["id"], shown["quarantined"]) == (held, "it kills workers")
    answer = api.post("/jobs/retry", {"tag": "mine"}).json()
    assert [job["id"] for job in answer["jobs"]] == [failed]
