"""The servers that play providers: routes, faults, their queue and what they tell of themselves."""

import json
import socket
from urllib.request import urlopen

import pytest

from compiler.errors import InputError
from tests.servers.provider_simulators.faults import Fault, Rule, rule_from_text
from tests.servers.provider_simulators.playing import simulated_providers
from tests.servers.provider_simulators.protocol import (
    PROVIDERS,
    Provider,
    Response,
    Route,
    provider_simulator,
)


class Example(Provider):
    def routes(self):
        return [Route("GET", "/token/{id}", "token", self.parameters, takes_token=False)]

    def parameters(self, request):
        return Response.of_json(dict(request.parameters))

    def environment(self, url):
        return {"EXAMPLE_URL": url}

    def refused(self, refusal):
        return Response.of_json({"why": refusal.message}, refusal.status)

    def expire(self):
        return Response.of_json({"why": "expired"}, 401)


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


def test_a_port_in_use_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(InputError, match=str(port)),
            simulated_providers(ports={"ibm": port}),
        ):
            pass


def test_rules_are_read_from_text():
    assert rule_from_text("cut-after") == Rule(Fault.CUT_AFTER)
    assert rule_from_text("cut-after:submit:2") == Rule(Fault.CUT_AFTER, "submit", 2)
    assert rule_from_text("slow-queue:*:0.25:9") == Rule(Fault.SLOW_QUEUE, "*", None, 0.25, 9.0)
    for text in ("", "burn", "cut-after:submit:often", "cut-after:submit:1:2:3"):
        with pytest.raises(InputError, match="FAULT"):
            rule_from_text(text)
