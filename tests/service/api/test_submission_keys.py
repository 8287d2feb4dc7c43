"""`POST /jobs` with an idempotency key: nothing is taken twice."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.servers.fixtures import EACH_DATABASE
from tests.service.api.conftest import Api


@EACH_DATABASE
def test_the_same_key_is_the_same_jobs(api: Api) -> None:
    first = api.jobs(key="k", repeat=2)
    assert api.jobs(key="k", repeat=2) == first
    assert api.jobs(key="other") != first[:1]
    assert api.count() == 3


def test_the_same_key_with_another_limit_of_cost_is_a_conflict(api: Api) -> None:
    first = api.jobs(key="k", max_cost_usd="1")
    assert api.jobs(key="k", max_cost_usd="1.00") == first
    for other in ({"max_cost_usd": "2"}, {}):
        assert api.submit(key="k", **other).status_code == 409
    assert api.count() == 1


@pytest.mark.parametrize(
    "given",
    [
        {"shots": 101}, {"tag": "x"}, {"repeat": 3}, {"backend": "aer"}, {"time_limit_seconds": 60},
    ],
)  # fmt: skip
def test_the_same_key_for_something_else_is_a_conflict(api: Api, given: dict[str, Any]) -> None:
    api.jobs(key="k", repeat=2)
    answer = api.submit(**{"key": "k", "repeat": 2} | given)
    assert answer.status_code == 409
    assert "idempotency key 'k' stands for other jobs" in answer.json()["detail"]


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
