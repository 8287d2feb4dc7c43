"""What the simulated Braket refuses of circuits that measure on the way, as the real one would."""

import json

import pytest
from qiskit import QuantumCircuit

from backends import BackendError, CircuitJob, backend_from_spec
from tests.backends.braket.garnet import job, native, started, steered
from tests.backends.braket.simulated import KEY, tasks
from tests.servers.provider_simulators.braket import tasks as simulated_tasks


def sent(box: list[str], outside: str = "b[0] = measure $2;") -> str:
    return "\n".join(["OPENQASM 3.0;", "bit[1] b;", "#pragma braket verbatim", "box {", *box,
                      "}", outside, ""])  # fmt: skip


MEASURED = "measure_ff(0) $1;"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (sent([MEASURED, "measure_ff(0) $2;"]), "feedback key 0 is used twice"),
        (sent(["cc_prx(1.0, 0.0, 0) $2;", MEASURED]), "feedback key 0 is used before"),
        (
            sent([MEASURED, "measure_ff(1) $4;", "cc_prx(1.0, 0.0, 0) $2;",
                  "cc_prx(1.0, 0.0, 1) $2;"]),
            "qubit 2 is controlled by more than one qubit",
        ),
        (sent([MEASURED, "cc_prx(1.0, 0.0, 0) $8;"]), "qubit 8 is controlled from another group"),
        (sent([], f"{MEASURED}\nb[0] = measure $2;"), "'measure_ff' must be in a verbatim box"),
        (sent([MEASURED, "cc_prx(1.0, 0) $2;"]), "has wrong arguments"),
        (sent([MEASURED, "cc_prx(a, 0.0, 0) $2;"]), "has wrong arguments"),
        (sent(["measure_ff(0.5) $2;"]), "has wrong arguments"),
        (sent([MEASURED, "if (b[0] == 1) { prx(1.0, 0.0) $2; }"]), "cannot read 'if"),
        (sent(["reset $1;"]), "cannot read 'reset"),
        (sent(["b[0] = measure $1;", "prx(1.0, 0.0) $1;"]), "cannot read"),
    ],
)  # fmt: skip
def test_the_simulated_braket_refuses_what_the_guide_excludes(
    server, garnet, monkeypatch, source, message
):
    monkeypatch.setattr("backends.braket.devices.feed_forward_source", lambda *_: source)
    with pytest.raises(BackendError, match=f"ValidationException: .*{message}"):
        garnet.submit(job(native(steered())), KEY)
    assert tasks(server) == []


def test_the_simulated_braket_wants_experimental_capabilities_enabled(server, garnet, monkeypatch):
    asked = []
    limits = simulated_tasks._limits

    def without(device, task):
        asked.append(task.get("experimentalCapabilities"))
        return limits(device, {**task, "experimentalCapabilities": {"enabled": "NONE"}})

    monkeypatch.setattr(simulated_tasks, "_limits", without)
    with pytest.raises(BackendError, match="'measure_ff' is an experimental capability, which is"):
        garnet.submit(job(native(steered())), KEY)
    assert asked == [{"enabled": "ALL"}]


def test_a_circuit_without_feed_forward_asks_for_nothing_experimental(server, garnet, monkeypatch):
    asked = []
    limits = simulated_tasks._limits

    def noted(device, task):
        asked.append((task.get("experimentalCapabilities"), json.loads(task["action"])["source"]))
        return limits(device, task)

    monkeypatch.setattr(simulated_tasks, "_limits", noted)
    circuit = started()
    circuit.measure(0, 0)
    garnet.submit(job(native(circuit)), KEY)
    ((capabilities, source),) = asked
    assert capabilities is None
    assert "measure_ff" not in source


def test_sv1_is_sent_no_program_that_measures_on_the_way(server):
    sv1 = backend_from_spec("braket:sv1")
    with pytest.raises(BackendError, match="Amazon Braket takes final measurements only"):
        sv1.submit(CircuitJob(native(steered()), "all", 10, seed=1), KEY)
    assert tasks(server) == []


@pytest.mark.parametrize(
    "line", ["if (b[0] == 1) { x q[0]; }", "reset q[0];", "measure_ff(0) q[0];"]
)
def test_the_simulated_sv1_takes_final_measurements_only(server, monkeypatch, line):
    source = f"OPENQASM 3.0;\nbit[1] b;\nqubit[1] q;\n{line}\nb[0] = measure q[0];\n"
    monkeypatch.setattr("backends.braket.devices.simulator_source", lambda _: source)
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    with pytest.raises(BackendError, match="ValidationException: "):
        backend_from_spec("braket:sv1").submit(CircuitJob(circuit, "all", 10, seed=1), KEY)
