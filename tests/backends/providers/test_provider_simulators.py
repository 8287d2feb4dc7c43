"""The servers that play providers: routes, faults, their queue and what they tell of themselves."""

import json
import socket
from types import SimpleNamespace
from urllib.request import urlopen

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import Clbit, IfElseOp, Parameter, Reset
from qiskit.circuit.library import CZGate, HGate, RZZGate
from qiskit.transpiler import Target

from compiler.errors import InputError
from compiler.targets.ibm_devices import configuration
from tests.servers.provider_simulators.faults import Fault, Rule, rule_from_text
from tests.servers.provider_simulators.ibm import program
from tests.servers.provider_simulators.ibm.program import check_native
from tests.servers.provider_simulators.playing import simulated_providers
from tests.servers.provider_simulators.protocol import (
    PROVIDERS,
    Provider,
    Refusal,
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


def test_rules_are_read_from_text():
    assert rule_from_text("cut-after") == Rule(Fault.CUT_AFTER)
    assert rule_from_text("cut-after:submit:2") == Rule(Fault.CUT_AFTER, "submit", 2)
    assert rule_from_text("slow-queue:*:0.25:9") == Rule(Fault.SLOW_QUEUE, "*", None, 0.25, 9.0)
    for text in ("", "burn", "cut-after:submit:often", "cut-after:submit:1:2:3"):
        with pytest.raises(InputError, match="FAULT"):
            rule_from_text(text)


@pytest.mark.parametrize(
    ("device", "gate", "qubits"),
    [
        ("boston", HGate(), (0,)),
        ("boston", CZGate(), (0, 100)),
        ("boston", RZZGate(0.5), (0, 1)),
        ("miami", Reset(), (0,)),
        ("miami", IfElseOp((Clbit(), 1), QuantumCircuit(1)), (0,)),
    ],
)
def test_a_simulated_ibm_refuses_what_the_device_does_not_have(device, gate, qubits):
    circuit = QuantumCircuit(configuration(device)["n_qubits"])
    if isinstance(gate, IfElseOp):
        circuit.add_bits([gate.condition[0]])
    circuit.append(gate, qubits)
    with pytest.raises(Refusal) as refused:
        check_native(circuit, np.zeros((1, 0)), f"ibm_{device}")
    assert refused.value.status == 400


def test_a_simulated_ibm_checks_the_angles_of_all_random_forms(monkeypatch):
    target = Target(num_qubits=2)
    target.add_instruction(RZZGate(Parameter("angle")), {(0, 1): None})
    monkeypatch.setattr(program, "snapshot", lambda _: SimpleNamespace(target=target))
    circuit = QuantumCircuit(2)
    circuit.rzz(Parameter("angle"), 0, 1)
    check_native(circuit, np.array([[0.5], [1.5]]), "ibm_boston")
    with pytest.raises(Refusal, match="angle"):
        check_native(circuit, np.array([[0.5], [1.6]]), "ibm_boston")
