"""The servers that play providers: routes, faults, their queue and what they tell of themselves."""

import json
import socket
import time
from http.client import HTTPConnection
from threading import Event
from urllib.request import urlopen

import pytest

from backends import JobState
from compiler.errors import InputError
from tests.servers.provider_simulators.faults import Fault, Faults, Rule, rule_from_text
from tests.servers.provider_simulators.machine import Machine
from tests.servers.provider_simulators.playing import simulated_providers
from tests.servers.provider_simulators.protocol import (
    PROVIDERS,
    Provider,
    Refusal,
    Response,
    Route,
    provider_simulator,
)
from tests.servers.provider_simulators.server import Server


class Example(Provider):
    def routes(self):
        return [
            Route("POST", "/jobs", "submit", self.submit),
            Route("GET", "/jobs/{id}", "status", self.parameters),
            Route("GET", "/token/{id}", "token", self.parameters, takes_token=False),
            Route("GET", "/{bucket}/{key+}", "result", self.parameters),
        ]

    def submit(self, request):
        id = str(len(self.machine.jobs))
        self.machine.accept(id, request.json()["key"], 5, lambda: b"0123456789")
        return Response.of_json({"id": id}, 201, X_Key="k")

    def parameters(self, request):
        if request.parameters.get("id") == "unknown":
            raise Refusal(404, "Unknown", "no such job")
        return Response.of_json({**request.parameters, "query": dict(request.query)})

    def environment(self, url):
        return {"EXAMPLE_URL": url}

    def refused(self, refusal):
        return Response.of_json({"why": refusal.message}, refusal.status)

    def expire(self):
        return Response.of_json({"why": "expired"}, 401)


@pytest.fixture
def example():
    faults = Faults(seed=3)
    with Server(Example(faults, Machine(faults))) as server:
        yield server


def test_another_provider_is_one_class_with_one_decorator():
    provider_simulator("example")(Example)
    try:
        with (
            simulated_providers() as variables,
            urlopen(f"{variables['EXAMPLE_URL']}/token/5") as answer,
        ):
            assert json.load(answer)["id"] == "5"
        assert {"STICHWERK_IBM_URL", "AWS_ENDPOINT_URL_BRAKET"} <= set(variables)
    finally:
        PROVIDERS.unregister("example")


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"faults": ["burn"]}, "burn"),
        ({"noiseless": True, "drift": 0.25}, "0.25"),
        ({"drift": 11}, "11"),
        ({"ports": {"imb": 5}}, "imb"),
    ],
)
def test_invalid_options_are_refused_before_anything_is_served(options, value):
    with pytest.raises(InputError, match=value):
        simulated_providers(**options)


def test_a_port_in_use_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(InputError, match=str(port)),
            simulated_providers(ports={"ibm": port}),
        ):
            pass


@pytest.fixture
def ask(example):
    """Return what asks over one connection, kept alive until it is cut."""
    connection = HTTPConnection(*example.http.server_address, timeout=10)

    def ask(method, path, body=None):
        connection.request(method, path, json.dumps(body) if body is not None else None)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or "null"), dict(answer.getheaders())

    yield ask
    connection.close()


def until(condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end


def test_paths_are_matched_as_they_were_sent(ask):
    assert ask("GET", "/jobs/arn%3Aa%2Fb?x=1&x=2")[1] == {
        "id": "arn:a/b",
        "query": {"x": ["1", "2"]},
    }
    assert ask("GET", "/bucket/a/b%20c")[1] == {"bucket": "bucket", "key": "a/b c", "query": {}}
    assert ask("GET", "/jobs/unknown")[:2] == (404, {"why": "no such job"})
    assert ask("PUT", "/jobs")[0] == 404
    status, answer, headers = ask("POST", "/jobs", {"key": "k"})
    assert (status, answer, headers["X-Key"]) == (201, {"id": "0"}, "k")


@pytest.mark.parametrize("body", [{"fault": "no-such"}, {"fault": "cut-after", "more": 1}, []])
def test_a_rule_that_is_none_is_refused(ask, body):
    assert ask("POST", "/faults", body)[0] == 400
    assert ask("GET", "/faults")[1] == []


def test_an_outage_lasts_until_it_is_lifted_and_other_faults_stay(ask):
    ask("POST", "/faults", {"fault": "outage"})
    ask("POST", "/faults", {"fault": "cut-after", "operation": "token"})
    for _ in range(3):
        assert ask("GET", "/jobs/1")[0] == 503
        assert ask("POST", "/jobs", {"key": "a"})[0] == 503
    assert ask("GET", "/audit")[1] == []
    assert [rule["fault"] for rule in ask("DELETE", "/faults/outage")[1]] == ["cut-after"]
    assert ask("GET", "/jobs/1")[0] == 200
    assert ask("DELETE", "/faults/no-such")[0] == 404


@pytest.mark.parametrize(("fault", "accepted"), [("slow-submit", 0), ("slow-answer", 1)])
def test_a_slow_provider_has_accepted_before_it_answers_or_not(example, ask, fault, accepted):
    ask("POST", "/faults", {"fault": fault, "operation": "submit", "times": 1, "seconds": 1.5})
    impatient = HTTPConnection(*example.http.server_address, timeout=0.3)
    impatient.request("POST", "/jobs", json.dumps({"key": "a"}))
    until(lambda: ask("GET", "/faults")[1][0]["fired"] == 1)
    assert len(example.provider.machine.jobs) == accepted
    with pytest.raises(TimeoutError):
        impatient.getresponse()
    impatient.close()
    until(lambda: len(example.provider.machine.jobs) == 1)


def test_rules_are_read_from_text():
    assert rule_from_text("cut-after") == Rule(Fault.CUT_AFTER)
    assert rule_from_text("cut-after:submit:2") == Rule(Fault.CUT_AFTER, "submit", 2)
    assert rule_from_text("slow-queue:*:0.25:9") == Rule(Fault.SLOW_QUEUE, "*", None, 0.25, 9.0)
    for text in ("", "burn", "cut-after:submit:often", "cut-after:submit:1:2:3"):
        with pytest.raises(InputError, match="FAULT"):
            rule_from_text(text)


@pytest.fixture
def machine():
    machine = Machine(Faults())
    yield machine
    machine.stop()


def test_jobs_run_one_after_the_other_in_the_order_they_came(machine):
    go, order = Event(), []
    first = machine.accept("1", "k", 1, lambda: (go.wait(10), order.append(1), b"1")[2])
    second = machine.accept("2", "k", 1, lambda: (order.append(2), b"2")[1])
    third = machine.accept("3", "k", 1, lambda: b"3")
    until(lambda: first.state is JobState.RUNNING)
    assert [machine.queue_position(job) for job in (first, second, third)] == [None, 1, 2]
    assert machine.cancel(third)
    assert not machine.cancel(third)
    go.set()
    until(lambda: second.state is JobState.DONE)
    assert order == [1, 2]
    assert machine.result(first) == b"1"
    assert third.state is JobState.CANCELLED
    assert machine.result(third) is None


def test_the_audit_tells_which_jobs_can_cost_anything(machine):
    machine.faults.add(Rule(Fault.CANCEL_IGNORED, "cancel", 1))
    machine.queue_seconds = 1000
    waiting = machine.accept("1", "k", 1, lambda: b"1", fence="f")
    assert machine.cancel(waiting)
    assert waiting.state is JobState.QUEUED
    assert machine.audit()[0]["can_bill"]
    machine.cancel(waiting)
    machine.queue_seconds = 0
    go = Event()
    running = machine.accept("2", "k", 1, lambda: (go.wait(10), b"2")[1])
    until(lambda: running.state is JobState.RUNNING)
    machine.cancel(running)
    go.set()
    told = [(entry["state"], entry["fence"], entry["can_bill"]) for entry in machine.audit()]
    assert told == [("cancelled", "f", False), ("cancelled", None, True)]
    assert [entry["started"] is not None for entry in machine.audit()] == [False, True]
