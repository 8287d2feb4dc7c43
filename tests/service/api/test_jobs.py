"""`GET /jobs` and what lies below it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import sqrt
from typing import Any

import pytest
from sqlalchemy import event

from tests.servers.fixtures import EACH_DATABASE
from tests.service.api.conftest import Api
from tests.service.conftest import TOY
from workers.records.tables import now


def listed(api: Api, **query: Any) -> list[int]:
    answer = api.get("/jobs", params=query)
    assert answer.status_code == 200, answer.text
    return [job["id"] for job in answer.json()["jobs"]]


@EACH_DATABASE
def test_pages_lead_from_the_newest_to_the_oldest(api: Api) -> None:
    jobs = api.jobs(repeat=5)
    seen: list[int] = []
    page = api.get("/jobs?limit=2").json()
    while True:
        seen += [job["id"] for job in page["jobs"]]
        if page["before"] is None:
            break
        page = api.get("/jobs", params={"limit": 2, "before": page["before"]}).json()
    assert seen == jobs[::-1]
    assert listed(api, limit=5) == seen


@EACH_DATABASE
def test_lists_can_be_narrowed(api: Api) -> None:
    (plain,) = api.jobs()
    tagged = api.jobs(repeat=2, tag="pläne & Karten")
    (aer,) = api.jobs(backend="aer", tag="pläne & Karten")
    api.post(f"/jobs/{plain}/cancel")
    assert listed(api, state="cancelled") == [plain]
    assert listed(api, state="queued", backend="sparse") == tagged[::-1]
    assert listed(api, tag="pläne & Karten") == [aer, *tagged[::-1]]
    assert listed(api, tag="pläne & Karten", backend="aer") == [aer]
    assert listed(api, tag="none") == []
    long_ago = now() - timedelta(days=3)
    api.change(plain, created_at=long_ago)
    assert plain not in listed(api, since=(now() - timedelta(hours=1)).isoformat())
    assert plain in listed(api, since="2001-01-01")
    # The same moment in another zone, and without one.
    east = (long_ago + timedelta(hours=14)).replace(tzinfo=None).isoformat() + "+14:00"
    assert plain in listed(api, since=east)
    assert plain not in listed(api, since=(long_ago + timedelta(seconds=1)).isoformat())
    assert plain in listed(api, since=long_ago.replace(tzinfo=None).isoformat())


@pytest.mark.parametrize(
    "query",
    [
        "limit=0", "limit=1001", "limit=x", "limit=99999999999999999999999", "before=0",
        "before=2147483648", "before=-1", "state=lost", "tag=%00", "tag=", "tag=%0a",
        "backend=%27%3B--", "since=yesterday", "since=9999-12-31T23:59:59-14:00",
        "since=0001-01-01T00:00:00%2B14:00", "since=1e300", "unknown=1", "tag=a&limit=%ff",
    ],
)  # fmt: skip
def test_strange_queries_are_refused(api: Api, query: str) -> None:
    answer = api.get(f"/jobs?{query}")
    assert answer.status_code == 422
    assert answer.json().keys() == {"detail"}


@EACH_DATABASE
def test_a_list_reads_only_the_columns_that_it_shows(api: Api) -> None:
    api.jobs()
    statements: list[str] = []
    event.listen(
        api.engine, "before_cursor_execute", lambda *given: statements.append(str(given[2]))
    )
    api.get("/jobs")
    (of_jobs,) = [text for text in statements if "FROM jobs" in text]
    assert "raw_result" not in of_jobs
    assert "counts" not in of_jobs


def test_a_job_tells_its_stages_and_their_times(api: Api) -> None:
    (job,) = api.jobs(tag="first")
    before = api.get(f"/jobs/{job}").json()
    assert (before["state"], before["tag"], before["compilation"]) == ("queued", "first", None)
    assert [stage["state"] for stage in before["stages"]] == ["queued"]
    assert before["stages"][0]["seconds"] >= 0
    api.finish(job)
    after = api.get(f"/jobs/{job}").json()
    assert [stage["state"] for stage in after["stages"]] == [
        "queued", "compiling", "verifying", "submitting", "running", "scoring", "done",
    ]  # fmt: skip
    assert after["stages"][-1]["seconds"] is None
    assert datetime.fromisoformat(after["finished_at"]).tzinfo == UTC
    assert after["compilation"]["two_qubit_gates"] == 2
    assert [one["state"] for one in after["events"]][-1] == "done"


@pytest.mark.parametrize(
    ("job", "status"),
    [
        ("7", 404), ("2147483647", 404), ("0", 422), ("-1", 422), ("2147483648", 422),
        ("9" * 400, 422), ("x", 422), ("1.5", 422), ("%00", 422),
    ],
)  # fmt: skip
def test_unknown_jobs(api: Api, job: str, status: int) -> None:
    for path in ("", "/result", "/raw"):
        answer = api.get(f"/jobs/{job}{path}")
        assert (answer.status_code, answer.json().keys()) == (status, {"detail"})
        if status == 404:
            assert answer.json() == {"detail": f"there is no job {job}"}


def test_the_result_of_a_circuit(api: Api) -> None:
    (job,) = api.jobs()
    waiting = api.get(f"/jobs/{job}/result")
    assert waiting.status_code == 409
    assert waiting.json() == {"detail": f"job {job} is queued and has no counts"}
    api.finish(job)
    result = api.get(f"/jobs/{job}/result").json()
    assert set(result["counts"]) == {"000", "111"}
    assert sum(result["counts"].values()) == result["shots"] == 100
    assert (result["outcomes"], result["unscored"]) == (None, None)
    half = result["counts"]["000"] / 100
    raw = {
        "shots": 100,
        "hellinger_fidelity": pytest.approx((sqrt(half / 2) + sqrt((1 - half) / 2)) ** 2),
        "normalized_fidelity": pytest.approx(1, abs=0.1),
        "tvd": pytest.approx(abs(half - 0.5)),
        "legal_fraction": 1,
        "observables": {},
    }
    assert result["scores"] == {"raw": raw}


def test_the_result_of_a_game(api: Api) -> None:
    (job,) = api.jobs(game=TOY)
    api.finish(job)
    result = api.get(f"/jobs/{job}/result").json()
    assert sum(result["outcomes"].values()) == sum(result["counts"].values()) == 100
    assert "illegal" not in result["outcomes"]
    assert result["scores"]["raw"]["legal_fraction"] == 1


@EACH_DATABASE
def test_the_raw_result_is_what_the_provider_sent(api: Api) -> None:
    (job,) = api.jobs()
    assert api.get(f"/jobs/{job}/raw").status_code == 409
    api.change(job, raw_result=b"<html>\0\xff")
    answer = api.get(f"/jobs/{job}/raw")
    assert (answer.status_code, answer.content) == (200, b"<html>\0\xff")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == f'attachment; filename="job-{job}.raw"'


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


@pytest.mark.parametrize(("job", "status"), [("7", 404), ("0", 422), ("9" * 30, 422), ("x", 422)])
def test_changes_of_unknown_jobs(api: Api, job: str, status: int) -> None:
    for change in ("cancel", "retry", "rescore"):
        assert api.post(f"/jobs/{job}/{change}").status_code == status
        assert api.get(f"/jobs/{job}/{change}").status_code == 405
