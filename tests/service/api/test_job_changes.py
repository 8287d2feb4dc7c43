"""Cancel, retry and rescore."""

from collections.abc import Sequence

import pytest

from tests.servers.fixtures import EACH_DATABASE
from tests.service.api.conftest import TOY, Api


def sent(api: Api) -> Sequence[tuple[int, str]]:
    api.app.state.service.broker.close()
    return api.redis.sent


@EACH_DATABASE
def test_cancel_and_retry(api: Api) -> None:
    (job,) = api.jobs()
    answer = api.post(f"/jobs/{job}/cancel")
    assert answer.status_code == 200
    assert answer.json() == {
        "id": job, "state": "cancelled", "error": None, "cancel_requested": False,
        "retry_of": None,
    }  # fmt: skip
    again = api.post(f"/jobs/{job}/cancel")
    assert (again.status_code, again.json()) == (
        409,
        {"detail": f"job {job} is cancelled already"},
    )
    assert api.post(f"/jobs/{job}/retry").json()["state"] == "queued"
    assert api.post(f"/jobs/{job}/retry").status_code == 409
    assert sent(api) == [(job, "compile"), (job, "compile")]
    api.finish(job)
    assert api.get(f"/jobs/{job}").json()["state"] == "done"


def test_rescore(api: Api) -> None:
    (job,) = api.jobs(game=TOY)
    assert api.post(f"/jobs/{job}/rescore").status_code == 409
    api.finish(job)
    scores = api.get(f"/jobs/{job}/result").json()["scores"]
    assert api.post(f"/jobs/{job}/rescore").json()["state"] == "scoring"
    assert sent(api)[-1] == (job, "score")
    api.finish(job)
    assert api.get(f"/jobs/{job}/result").json()["scores"] == scores


def test_a_job_that_its_provider_ended_is_retried_as_a_new_one(api: Api) -> None:
    (job,) = api.jobs()
    api.change(job, state="failed", provider_state="failed", provider_id="x", due_at=None)
    answer = api.post(f"/jobs/{job}/retry").json()
    assert (answer["retry_of"], answer["state"]) == (job, "queued")
    assert answer["id"] != job
    assert api.get(f"/jobs/{answer['id']}").json()["retry_of"] == job


@pytest.mark.parametrize(("job", "status"), [("7", 404), ("0", 422), ("9" * 30, 422), ("x", 422)])
def test_unknown_jobs(api: Api, job: str, status: int) -> None:
    for change in ("cancel", "retry", "rescore"):
        assert api.post(f"/jobs/{job}/{change}").status_code == status
        assert api.get(f"/jobs/{job}/{change}").status_code == 405
