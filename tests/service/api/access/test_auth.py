"""Who may do what: tokens, scopes, and whose jobs are whose."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve
from fastapi.testclient import TestClient
from sqlalchemy import event, select
from sqlalchemy.orm import Session

from compiler.errors import InputError
from service.api.app import create_app
from service.api.dependencies import FAILURES_A_MINUTE
from service.api.limits import allowed_hosts, trusted_proxies
from tests.service.api.conftest import LIMITS, Api
from workers.accounts.tokens import Scope, create_token, revoke_token
from workers.records.tables import Token, now
from workers.settings import Settings

DOORS = {
    ("POST", "/jobs"): Scope.SUBMIT,
    ("GET", "/jobs"): Scope.READ,
    ("GET", "/jobs/1"): Scope.READ,
    ("GET", "/jobs/1/result"): Scope.READ,
    ("GET", "/jobs/1/raw"): Scope.READ,
    ("POST", "/jobs/1/cancel"): Scope.CANCEL,
    ("POST", "/jobs/1/retry"): Scope.CANCEL,
    ("POST", "/jobs/1/rescore"): Scope.CANCEL,
    ("GET", "/token"): Scope.READ,
    ("GET", "/status"): Scope.METRICS,
    ("GET", "/metrics"): Scope.METRICS,
}
OPEN = ("/live", "/health", "/openapi.json", "/docs")


def test_every_route_is_guarded_or_known_to_be_open(api: Api) -> None:
    described = api.client.get("/openapi.json").json()["paths"]
    doors = {path.replace("1", "{job_id}") for _, path in DOORS}
    # Whoever plays brings the secret of a seat.
    played = {path for path in described if path.startswith("/play/")}
    assert set(described) - played == doors | {"/live", "/health"}
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


def test_an_expired_token_opens_nothing(api: Api) -> None:
    with Session(api.engine) as session:
        token = session.scalars(select(Token).where(Token.name == "tests")).one()
        token.expires_at = now() + timedelta(hours=1)
        session.commit()
        assert api.get("/jobs").status_code == 200
        token.expires_at = now() - timedelta(seconds=1)
        session.commit()
    assert api.get("/jobs").status_code == 401


def stop_the_clock(api: Api) -> None:
    """Let no time pass in which calls become allowed again."""
    api.app.state.service.rates._clock = lambda: 1000.0


def test_a_token_may_call_so_often(make_api: Callable[[Settings], Api]) -> None:
    api = make_api(evolve(LIMITS, calls_a_minute=3))
    stop_the_clock(api)
    statuses = [api.get("/jobs").status_code for _ in range(3)]
    late = api.get("/jobs")
    assert (statuses, late.status_code) == ([200] * 3, 429)
    assert 1 <= int(late.headers["retry-after"]) <= 20
    # Another token has calls of its own, and may have its own limit.
    with Session(api.engine) as session:
        other = create_token(session, "other", ["read"], calls_a_minute=5)
    assert [api.get("/jobs", token=other).status_code for _ in range(6)] == [200] * 5 + [429]


def flooded(api: Api) -> list[int]:
    """Return how requests without a valid token are answered, the last of them too many."""
    return [api.get("/jobs", token=f"stw_{n}").status_code for n in range(FAILURES_A_MINUTE + 1)]


def test_who_tries_many_tokens_is_told_to_wait_and_nobody_else(api: Api) -> None:
    stop_the_clock(api)
    late = api.token_for("read")
    assert flooded(api) == [401] * FAILURES_A_MINUTE + [429]
    assert api.get("/jobs", token="stw_x").headers["retry-after"] == "1"
    # From the same address, and neither token has been used before.
    assert api.get("/jobs").status_code == 200
    assert api.get("/jobs", token=late).status_code == 200
    with Session(api.engine) as session:
        revoke_token(session, "tests")
    assert api.get("/jobs").status_code == 429


def read_again_by(api: Api) -> list[float]:
    """Return the clock by which the API reads again which tokens there are."""
    known, passed = api.app.state.service.known_tokens, [0.0]
    known._clock, known._read_again_at = lambda: passed[0], 0.0
    return passed


def test_a_token_that_is_created_during_a_flood_is_let_in(api: Api) -> None:
    stop_the_clock(api)
    flooded(api)
    passed = read_again_by(api)
    assert api.get("/jobs", token="stw_x").status_code == 429
    created = api.token_for("read")
    passed[0] = 1.0
    assert api.get("/jobs", token=created).status_code == 200


def test_a_flood_of_unknown_tokens_asks_the_database_little(api: Api) -> None:
    stop_the_clock(api)
    flooded(api)
    passed = read_again_by(api)
    questions: list[str] = []

    def asked(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        questions.append(statement)

    event.listen(api.engine, "before_cursor_execute", asked)
    for n in range(100):
        passed[0] = n / 1000
        assert api.get("/jobs", token=f"stw_other_{n}").status_code == 429
    # All digests are read at most every 0.05 s.
    assert len([one for one in questions if "token" in one]) == 2


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8000", 200),
        ("127.0.0.1:1", 200),
        ("[::1]:8000", 200),
        ("10.1.2.3:8000", 200),
        ("evil.example", 400),
        ("localhost.evil.example", 400),
        ("evil.example:localhost", 400),
        ("localhost:80:80", 400),
        ("localhost@evil.example", 400),
        ("", 400),
    ],
)
def test_requests_for_other_hosts_are_refused(api: Api, host: str, status: int) -> None:
    """Else a page of evil.example could lead its name here, and read the answers."""
    app = create_app(api.app.state.service, allowed_hosts("", "10.1.2.3"))
    answer = TestClient(app).get("/openapi.json", headers={"Host": host})
    assert answer.status_code == status


def test_hosts_are_what_is_set_and_else_this_machine() -> None:
    assert allowed_hosts(" a.example , b.example", "0.0.0.0") == ["a.example", "b.example"]
    assert allowed_hosts("", "::") == ["localhost", "127.0.0.1", "[::1]", "[::]"]


def test_proxies_are_addresses_and_networks_but_not_everybody() -> None:
    assert trusted_proxies("10.1.2.3, fd00:42::/64,") == [
        "10.1.2.3/32", "::ffff:10.1.2.3/128", "fd00:42::/64",
    ]  # fmt: skip
    for wrong in ("*", "0.0.0.0/0", "::/0", "10.1.2.3/16", "proxy.example", "10.1.2.3:80"):
        with pytest.raises(InputError, match="STICHWERK_TRUSTED_PROXIES"):
            trusted_proxies(f"10.1.2.3,{wrong}")


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
