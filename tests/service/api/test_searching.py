"""Jobs by words, what has not changed, and what a token is for."""

from decimal import Decimal
from typing import Any

import pytest
from attrs import evolve
from sqlalchemy import event

from tests.servers.fixtures import EACH_DATABASE
from tests.service.api.conftest import LIMITS, Api
from tests.service.conftest import TOY
from workers.clock import database_now
from workers.records.queries import jobs
from workers.records.tables import Spending


def page(api: Api, **query: Any) -> tuple[list[int], int | None]:
    answer = api.get("/jobs", params=query)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    return [job["id"] for job in told["jobs"]], told["before"]


@EACH_DATABASE
def test_jobs_are_found_by_words_and_by_their_program(api: Api) -> None:
    (ghz,) = api.jobs(tag="100%_Night")
    (game,) = api.jobs(game=TOY)
    api.change(game, error="No Device")
    assert page(api, text="no dev") == ([game], None)
    assert page(api, text="0%_n") == ([ghz], None)
    assert page(api, text="_0%") == ([], None)
    assert page(api, text="GHZ.") == ([ghz], None)
    assert page(api, text=str(game)) == ([game], None)
    assert page(api, text=f"#{ghz}") == ([ghz], None)
    assert page(api, text="9" * 30) == ([], None)
    assert page(api, program="ghz.qasm") == ([ghz], None)
    assert page(api, program="ghz") == ([], None)
    assert page(api, program="ghz.qasm", text="no dev") == ([], None)
    assert page(api, text="sparse", tag="100%_Night") == ([ghz], None)
    api.post(f"/jobs/{game}/cancel")
    assert page(api, text="sparse", state="cancelled") == ([game], None)


def test_a_search_tells_where_it_ended(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_SEARCHED", 3)
    (wanted,) = api.jobs(tag="needle")
    others = api.jobs(repeat=5, tag="hay")
    found, before = page(api, text="needle")
    assert (found, before) == ([], others[2])
    assert page(api, text="needle", before=before) == ([wanted], wanted)
    assert page(api, text="needle", before=wanted) == ([], None)
    # A page that is full ends at its last job.
    assert page(api, text="hay", limit=2) == (others[:-3:-1], others[-2])
    # What has an index narrows what is looked through.
    assert page(api, text="needle", tag="needle") == ([wanted], None)


@pytest.mark.parametrize("any_engine", ["sqlite"], indirect=True)
def test_a_list_goes_by_an_index(api: Api) -> None:
    statements: list[tuple[str, Any]] = []
    event.listen(
        api.engine, "before_cursor_execute", lambda *given: statements.append((given[2], given[3]))
    )
    for query in ("", "tag=a", "backend=sparse", "state=done", "text=a", "program=a"):
        assert api.get(f"/jobs?{query}").status_code == 200
    lists = [(text, given) for text, given in statements if "FROM jobs" in text]
    assert len(lists) == 8
    with api.engine.connect() as connection:
        for text, given in lists:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", given).all()
            steps = [str(step[-1]) for step in plan]
            assert all(step.startswith("SEARCH") for step in steps if "jobs" in step), steps
            # Only what a search has found is sorted, of so many at most.
            searched = any(step.startswith("MATERIALIZE") for step in steps)
            assert searched or "USE TEMP B-TREE FOR ORDER BY" not in steps, steps
            assert "LIMIT" in text


@EACH_DATABASE
def test_what_has_not_changed_is_not_sent_again(api: Api) -> None:
    (job,) = api.jobs()
    for path in ("/jobs", f"/jobs/{job}"):
        tag = api.get(path).headers["ETag"]
        same = api.get(path, headers={"If-None-Match": f'"other", {tag}'})
        assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", tag)
        assert api.get(path, headers={"If-None-Match": '"other"'}).status_code == 200
        api.post(f"/jobs/{job}/{'cancel' if path == '/jobs' else 'retry'}")
        assert api.get(path, headers={"If-None-Match": tag}).status_code == 200


@EACH_DATABASE
def test_a_token_tells_what_it_is_for_and_what_is_left(make_api: Any) -> None:
    api = make_api(evolve(LIMITS, tag_budget_usd=Decimal(2)))
    with api.app.state.service.writing() as session:
        day = f"day:{database_now(session):%Y-%m-%d}"
        for budget, spent in (
            (f"token:1:{day}", 250_000), ("token:1:tag:night:tag:x", 500_000),
            ("token:11:tag:theirs", 700_000), ("tag:ours", 100_000), (day, 1_000_000),
        ):  # fmt: skip
            session.add(Spending(budget=budget, reserved_microusd=spent))
        session.commit()
    told = api.get("/token").json()
    assert (told["name"], told["expires_at"]) == ("tests", None)
    assert told["scopes"] == ["cancel", "metrics", "read", "submit"]
    assert told["budgets"] == [
        {"name": day.replace(":", " "), "limit_usd": None, "reserved_usd": "0.25", "spent": False,
         "left_usd": None},
        {"name": "tag night:tag:x", "limit_usd": "2", "reserved_usd": "0.5",
         "spent": False, "left_usd": "1.5"},
    ]  # fmt: skip
    everybody = api.get("/token", token=api.token_for("read", "all")).json()["budgets"]
    assert {"tag ours", "tag theirs of token 11"} <= {one["name"] for one in everybody}
