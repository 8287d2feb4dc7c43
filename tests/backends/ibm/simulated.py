"""What the tests of IBM's machines share: circuits, keys, and how the simulated IBM is led."""

from functools import partial
from itertools import count

from attrs import evolve
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from backends import (
    CircuitJob,
    JobState,
)
from tests.servers.process import wait_until
from tests.servers.provider_simulators.faults import Faults, Rule
from tests.servers.provider_simulators.machine import Machine
from tests.servers.provider_simulators.providers.ibm import SimulatedIBM
from tests.servers.provider_simulators.server import Server

TARGET = "heavy-hex:torino"
KEYS = [f"{n:032x}" for n in range(1, 9)]
NUMBERS = count()
SECRET = "a-very-secret-api-key"
ACCOUNT_FILE = "qiskit_ibm_runtime.accounts.management._DEFAULT_ACCOUNT_CONFIG_JSON_FILE"


def three_registers():
    """Bits, from the lowest: 1, 0, then a random bit twice, then 1; in registers of 1, 3, 1."""
    qubits = QuantumRegister(133, "q")
    registers = [ClassicalRegister(n, name) for n, name in ((1, "low"), (3, "middle"), (1, "high"))]
    circuit = QuantumCircuit(qubits, *registers)
    circuit.x(0)
    circuit.sx(4)
    circuit.measure([0, 1, 4, 4, 0], [0, 1, 2, 3, 4])
    return circuit


def job(circuit=None, shots=200, target=TARGET):
    return CircuitJob(circuit or three_registers(), target, shots, seed=0)


def until_ended(backend, id, key=KEYS[0]):
    ended = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)
    assert wait_until(lambda: backend.status(id, key).state in ended, 120)
    return backend.status(id, key)


def counted(backend, id, circuit=None, shots=200, key=KEYS[0]):
    """Return the counts of a job that has ended."""
    return backend.counts(backend.raw_result(id), job(circuit, shots), key, id)


def fail(ibm, fault, operation="submit", times=1, seconds=1.0):
    ibm.faults.add(Rule(fault, operation, times, seconds=seconds))


def accepted(ibm, key=KEYS[0]):
    return [entry["id"] for entry in ibm.machine.audit() if entry["key"] == key]


def replaced(operation, change):
    """Return a simulated IBM with another answer to an operation."""

    class Replaced(SimulatedIBM):
        def routes(self):
            return [
                evolve(route, answer=partial(change, route.answer))
                if route.operation == operation
                else route
                for route in super().routes()
            ]

    faults = Faults()
    return Server(Replaced(faults, Machine(faults), api_key=SECRET))


def point_to(server, monkeypatch):
    for name, value in server.provider.environment(server.url).items():
        monkeypatch.setenv(name, value)
