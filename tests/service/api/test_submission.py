"""`POST /jobs`: what is taken, and what is refused."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
from attrs import evolve
from sqlalchemy.orm import Session

from service.api import requests
from tests.backends.ibm.conftest import ibm, ibm_server  # noqa: F401
from tests.servers.fixtures import EACH_DATABASE
from tests.servers.provider_simulators.providers.ibm import SimulatedIBM
from tests.service.api.conftest import LIMITS, Api
from tests.service.conftest import GHZ_3 as GHZ
from tests.service.conftest import TOY
from workers.records.tables import Job, Order
from workers.settings import Settings

ROTATION = """OPENQASM 3.0; include "stdgates.inc"; input float theta; qubit[2] q;
bit[2] c; rx(theta) q[0]; cx q[0], q[1]; c = measure q;"""
JSON_TOY = {"game": "skat", "players": 2, "hand": 1, "deck": ["CA", "C10", "CK"]}


@EACH_DATABASE
def test_an_answer_names_the_jobs_which_are_due_and_told_to_workers(api: Api) -> None:
    answer = api.submit(repeat=2, tag="first", seed=5, max_cost_usd="1.5")
    assert answer.status_code == 202
    first, second = answer.json()["jobs"]
    assert first == {"id": first["id"], "job": f"/jobs/{first['id']}",
                     "result": f"/jobs/{first['id']}/result"}  # fmt: skip
    assert answer.headers["location"] == first["job"]
    with Session(api.engine) as session:
        jobs = [session.get_one(Job, one["id"]) for one in (first, second)]
        assert [(job.state, job.seed, job.tag, job.shots, job.backend) for job in jobs] == [
            ("queued", 5, "first", 100, "sparse"),
            ("queued", 6, "first", 100, "sparse"),
        ]
        assert all(job.due_at is not None and job.token_id is not None for job in jobs)
        assert jobs[0].max_cost_microusd == int(Decimal("1.5") * 10**6)
        assert jobs[0].target == "all:3"
    api.app.state.service.broker.close()
    assert api.redis.sent == [(first["id"], "compile"), (second["id"], "compile")]


@pytest.mark.parametrize(
    ("program", "target"),
    [
        ({"program": "skat-4"}, "all:17"),
        ({"game": TOY}, "all:16"),
        ({"game": json.dumps(JSON_TOY)}, "all:16"),
        ({"game": JSON_TOY}, "all:16"),
        ({"file": {"name": "toy.toml", "content": TOY}}, "all:16"),
        ({"file": {"name": "ghz.qasm", "content": GHZ}}, "all:3"),
        ({"program": "skat-4", "target": "heavy-hex:torino"}, "heavy-hex:torino"),
        ({"program": "skat-4", "backend": "aer:torino"}, "heavy-hex:torino"),
        ({"file": {"name": "rx.qasm", "content": ROTATION}, "bind": {"theta": 0.5}}, "all:2"),
    ],
)
def test_every_kind_of_program_is_taken(api: Api, program: dict[str, Any], target: str) -> None:
    (job,) = api.jobs(**program)
    assert api.get(f"/jobs/{job}").json()["target"] == target


def test_a_key_stands_for_the_same_jobs_though_the_calibration_has_changed(
    api: Api,
    ibm: SimulatedIBM,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    live = {"program": "endless-fun", "backend": "ibm:torino", "calibration": "live",
            "recompile_after_hours": 24, "key": "a"}  # fmt: skip
    first = api.submit(**live).json()
    monkeypatch.setattr(ibm._devices, "_growth", lambda: 2)
    assert api.submit(**live).json()["jobs"] == first["jobs"]
    with Session(api.engine) as session:
        job = session.get_one(Job, first["jobs"][0]["id"])
        assert job.target.startswith("device:ibm_torino:")
        assert job.max_calibration_hours == 24


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"program": "ghz.qasm"}, "program: names a file: send its content as 'file'"),
        ({"program": "../../etc/passwd"}, "program: String should match"),
        ({"program": "skat-4", "game": TOY}, "exactly one of program, game and file"),
        ({"file": {"name": "ghz.qpy", "content": "x"}}, "QPY is not taken over HTTP"),
        ({"file": {"name": "a/../b.qasm", "content": "x"}}, "file.name: String should match"),
        ({"file": {"name": "a.qasm", "content": GHZ.replace("c = measure q;", "")}}, "measures"),
        ({"expect": {"0" * 400: "1"}}, "outcomes of 400 bits are expected of it, and it has 3"),
        ({"expect": {f"{n:015b}": 1 for n in range(600)}}, "takes more than 20000 bytes"),
        ({"game": {"game": "skat", "players": None}}, "null has no meaning"),
        ({"game": 'game = "\\u0000"'}, "control character U+0000"),
        ({"game": {"\ud800": 1}}, "surrogate"),
        ({"backend": "abacus"}, "unknown backend 'abacus'"),
        ({"calibration": "snapshots"}, "calibration: unknown value 'snapshots'; did you mean"),
        ({"shot": 100}, "unknown field 'shot'; did you mean 'shots'?"),
        ({"bind": {"v": [0] * 3, "w": [0] * 2}}, "bind: 5 values; at most 4 are taken"),
        ({"shots": 2001}, "must be from 1 to 2000"),
        ({"tag": "a\0b"}, "tag: must be printable"),
        ({"game": 'game = "skat"\nplayers = ' + "9" * 10_000}, "game"),
        ({"max_cost_usd": "1_0"}, "write an amount of US dollars"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    api: Api, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any], says: str
) -> None:
    monkeypatch.setattr(requests, "MAX_PARAMETERS", 4)
    # As ASCII, since half of a surrogate pair is no UTF-8.
    asked = {"backend": "sparse", "shots": 100, "method": "fast"} | given
    if not {"program", "game", "file"} & given.keys():
        asked["file"] = {"name": "ghz.qasm", "content": GHZ}
    answer = api.post("/jobs", content=json.dumps(asked).encode(),
                      headers={"Content-Type": "application/json"})  # fmt: skip
    assert answer.status_code == 422
    assert answer.json().keys() == {"detail"}
    assert says in answer.json()["detail"]
    assert "\n" not in answer.json()["detail"]
    assert api.count() == 0


def test_a_body_that_is_too_large_is_refused_whatever_it_claims(api: Api) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(30):
            yield b" " * 1000

    for body in (b" " * 20_001, pieces()):
        answer = api.post("/jobs", content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()) == (413, {"detail": "more than 20000 bytes"})


@pytest.mark.parametrize(
    "body",
    [
        b'{"program": "skat-4", "backend": "sparse", "shots": 1, "shots": 2}',
        b'{"game": {"game": "skat", "game": "skat"}, "backend": "sparse"}',
        b'{"game": "{\\"game\\": \\"skat\\", \\"game\\": 1}", "backend": "sparse"}',
        b'{"program": "skat-4", "backend": "sparse", "max_cost_usd": NaN}',
        b'{"program": "skat-4", "backend": "sparse", "max_cost_usd": Infinity}',
        b'{"program": "skat-4", "backend": "sparse", "max_cost_usd": 1e999}',
        b'{"game": {"game": "skat", "players": -Infinity}, "backend": "sparse"}',
        b'{"program": "skat-4", "backend": "sparse", "seed": ' + b"9" * 10_000 + b"}",
        b'{"program": "skat-4", "backend": "sparse", "tag": "\xed\xa0\x80"}',
        b'{"a": ' * 2500 + b"1" + b"}" * 2500,
    ],
)
def test_json_that_parsers_read_differently_is_refused(api: Api, body: bytes) -> None:
    answer = api.post("/jobs", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.json().keys() == {"detail"}
    assert api.count() == 0


@pytest.mark.parametrize(
    "path", ["/jobs?limit=1_0", "/jobs?before=1_0", "/jobs?limit=%2B1", "/jobs/1_0", "/jobs/%D9%A3"]
)
def test_numbers_are_written_in_digits_only(api: Api, path: str) -> None:
    answer = api.get(path)
    assert answer.status_code == 422
    assert "write a whole number in digits" in answer.json()["detail"]


@EACH_DATABASE
def test_a_token_may_have_so_many_unfinished_jobs(api: Api) -> None:
    jobs = api.jobs(repeat=8)
    answer = api.submit()
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "10")
    assert "8 jobs of this token are open" in answer.json()["detail"]
    assert api.post(f"/jobs/{jobs[0]}/cancel").status_code == 200
    assert api.submit().status_code == 202


@pytest.mark.parametrize(
    ("given", "cost"),
    [
        ({"repeat": 2}, "0"),
        ({"backend": "braket:garnet", "repeat": 3}, "1.335"),
    ],
)
def test_an_answer_tells_what_the_jobs_cost_at_least(
    api: Api, given: dict[str, Any], cost: str
) -> None:
    assert api.submit(**given).json()["least_cost_usd"] == cost


@EACH_DATABASE
def test_budgets_hold(make_api: Callable[[Settings], Api]) -> None:
    api = make_api(evolve(LIMITS, job_budget_usd=Decimal("0.01")))
    answer = api.submit(backend="ibm:torino", shots=2000)
    assert answer.status_code == 422
    assert "of 0.01 USD; nothing was submitted" in answer.json()["detail"]
    assert api.count() == 0


def test_a_broker_that_is_away_changes_nothing(api: Api) -> None:
    api.redis.away = True
    assert len(api.jobs(repeat=3)) == 3


def test_a_time_limit_is_kept_through_the_check_for_the_worker(api: Api) -> None:
    """Zero seconds are a limit, too: one attempt is made."""
    limited, free = api.jobs(time_limit_seconds=0), api.jobs()
    with Session(api.engine) as session:
        orders = [session.get_one(Order, session.get_one(Job, job).order_digest)
                  for job in limited + free]  # fmt: skip
    assert [order.options.get("time_limit", "none") for order in orders] == [0, "none"]


@EACH_DATABASE
def test_the_same_key_is_the_same_jobs(api: Api) -> None:
    first = api.jobs(key="k", repeat=2)
    assert api.jobs(key="k", repeat=2) == first
    assert api.jobs(key="other") != first[:1]
    conflict = api.submit(key="k", repeat=2, max_cost_usd="1")
    assert (conflict.status_code, "key 'k'" in conflict.json()["detail"]) == (409, True)
    assert api.count() == 3


@EACH_DATABASE
def test_keys_belong_to_their_token(api: Api) -> None:
    other = api.token_for("submit")
    assert api.jobs(key="k") != api.jobs(key="k", token=other)


@EACH_DATABASE
def test_the_same_key_at_the_same_time_makes_one_job(api: Api) -> None:
    api.jobs(tag="known program")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: api.jobs(key="k")[0], range(8)))
    assert len(set(found)) == 1
    assert api.count() == 2


@pytest.mark.parametrize("key", ["", "a b", "x" * 129])
def test_a_strange_key_is_refused(api: Api, key: str) -> None:
    answer = api.post("/jobs", {"program": "skat-4", "backend": "sparse"},
                      headers={"Idempotency-Key": key})  # fmt: skip
    assert answer.status_code == 422
