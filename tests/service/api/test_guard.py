"""Who may do what: tokens, scopes, and whose jobs are whose."""

import pytest
from sqlalchemy.orm import Session

from tests.service.api.conftest import Api
from workers.tokens import Scope, revoke_token

DOORS = {
    ("POST", "/jobs"): Scope.SUBMIT,
    ("GET", "/jobs"): Scope.READ,
    ("GET", "/jobs/1"): Scope.READ,
    ("GET", "/jobs/1/result"): Scope.READ,
    ("GET", "/jobs/1/raw"): Scope.READ,
    ("POST", "/jobs/1/cancel"): Scope.CANCEL,
    ("POST", "/jobs/1/retry"): Scope.CANCEL,
    ("POST", "/jobs/1/rescore"): Scope.CANCEL,
    ("POST", "/jobs/cancel"): Scope.CANCEL,
    ("POST", "/jobs/retry"): Scope.CANCEL,
    ("GET", "/status"): Scope.METRICS,
    ("GET", "/metrics"): Scope.METRICS,
}
OPEN = ("/live", "/health", "/openapi.json", "/docs")


def test_every_route_is_guarded_or_known_to_be_open(api: Api) -> None:
    described = api.client.get("/openapi.json").json()["paths"]
    doors = {path.replace("1", "{job_id}") for _, path in DOORS}
    assert set(described) == doors | {"/live", "/health"}
    for path in doors:
        assert all("security" in operation for operation in described[path].values())


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer stw_unknown",
        "Basic c3R3OnN0dw==",
        "stw_unknown",
        "Bearer " + "x" * 1000,
        "Bearer \xff\xfe",
    ],
)
def test_without_a_known_token_nothing_opens(api: Api, authorization: str | None) -> None:
    headers = {} if authorization is None else {"Authorization": authorization.encode("latin-1")}
    for method, path in DOORS:
        # Not even the body is looked at.
        answer = api.client.request(method, path, headers=headers, content=b"{")
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json().keys() == {"detail"}


@pytest.mark.parametrize("scope", Scope)
def test_a_scope_opens_its_own_doors_only(api: Api, scope: Scope) -> None:
    api.jobs()
    # `all` alone is refused when a token is made, so it comes with the scope that opens nothing.
    token = api.token_for(*{scope, Scope.METRICS} if scope is Scope.ALL else {scope})
    for (method, path), needed in DOORS.items():
        answer = api.ask(method, path, token, content=b"{}")
        if needed is scope or (scope is Scope.ALL and needed is Scope.METRICS):
            assert answer.status_code not in (401, 403)
        else:
            assert answer.status_code == 403
            assert answer.json() == {"detail": f"this token lacks the scope '{needed}'"}


def test_what_is_open_needs_no_token(api: Api) -> None:
    for path in OPEN:
        assert api.client.get(path).status_code == 200


def test_a_revoked_token_opens_nothing(api: Api) -> None:
    assert api.get("/jobs").status_code == 200
    with Session(api.engine) as session:
        revoke_token(session, "tests")
    assert api.get("/jobs").status_code == 401


def test_jobs_of_others_are_as_if_they_were_not(api: Api) -> None:
    (job,) = api.jobs()
    stranger = api.token_for("submit", "read", "cancel")
    assert api.get("/jobs", token=stranger).json()["jobs"] == []
    for method, path in DOORS:
        if path.startswith("/jobs/1"):
            theirs = api.ask(method, path.replace("1", str(job)), stranger)
            unknown = api.ask(method, path.replace("1", "999"), stranger)
            assert (theirs.status_code, unknown.status_code) == (404, 404)
            assert theirs.text.replace(str(job), "N") == unknown.text.replace("999", "N")
    assert api.get(f"/jobs/{job}").json()["state"] == "queued"


def test_the_scope_all_widens_the_others(api: Api) -> None:
    (job,) = api.jobs()
    operator = api.token_for("read", "all")
    assert [one["id"] for one in api.get("/jobs", token=operator).json()["jobs"]] == [job]
    assert api.get(f"/jobs/{job}", token=operator).status_code == 200
    assert api.post(f"/jobs/{job}/cancel", token=operator).status_code == 403
