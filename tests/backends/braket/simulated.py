"""What the tests of Amazon Braket share: a circuit, and how its simulation is asked."""

import json
import math
from collections.abc import Mapping
from urllib.request import urlopen

from qiskit import QuantumCircuit

from backends import (
    CircuitJob,
    JobState,
    JobStatus,
    ProviderBackend,
)
from tests.servers.process import wait_until
from tests.servers.provider_simulators.faults import Fault, Rule
from tests.servers.provider_simulators.server import Server

KEY = "0123456789abcdef" * 2


def job(shots: int = 200) -> CircuitJob:
    """Return 1 in bit 0, a fair coin in bit 2, and bit 1 unused, on qubits 4 and 1."""
    circuit = QuantumCircuit(20, 3)
    circuit.r(math.pi, 0.3, 4)
    circuit.r(math.pi / 2, math.pi / 2, 1)
    circuit.cz(1, 4)
    circuit.barrier()
    circuit.measure(4, 0)
    circuit.measure(1, 2)
    return CircuitJob(circuit, "iqm:garnet", shots, seed=1)


def fail(server: Server, fault: Fault, operation: str, **rule: float) -> None:
    server.provider.faults.add(Rule(fault, operation, **{"times": 1, **rule}))


def tasks(server: Server) -> list[dict[str, object]]:
    with urlopen(f"{server.url}/audit") as answer:
        return json.load(answer)


def wait(backend: ProviderBackend, task: str, key: str = KEY) -> JobStatus:
    ended = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)
    assert wait_until(lambda: backend.status(task, key).state in ended, 30)
    return backend.status(task, key)


def counted(backend: ProviderBackend, task: str, asked: CircuitJob) -> Mapping[int, int]:
    """Return the counts of a job that has ended."""
    return backend.counts(backend.raw_result(task), asked, KEY, task)
