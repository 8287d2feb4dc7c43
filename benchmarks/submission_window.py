"""`python -m benchmarks.submission_window`: how long after its last check a paid request arrives.

Another worker may take a job over once its lease has run out. The last check of the lease is made
as the request leaves the SDK's connection; what follows is the window that no check covers. The
real SDKs speak over loopback to this repository's simulators of IBM and of Amazon Braket.
"""

import argparse
import os
import statistics
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from time import perf_counter
from unittest.mock import patch

from attrs import define, evolve, field, frozen
from qiskit import QuantumCircuit

from backends import CircuitJob, ProviderBackend, backend_from_spec
from tests.servers.provider_simulators.faults import Faults
from tests.servers.provider_simulators.machine import Machine
from tests.servers.provider_simulators.protocol import Request, Response, Route
from tests.servers.provider_simulators.providers.braket import SimulatedBraket
from tests.servers.provider_simulators.providers.ibm import SimulatedIBM
from tests.servers.provider_simulators.server import Server

AWS_ALONE = {
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_CONFIG_FILE": os.devnull,
}


@define
class Arrivals:
    """When requests arrive at a simulated provider."""

    seconds: list[float] = field(factory=list)

    def noting(self, route: Route) -> Route:
        """Return a route that notes when it is asked."""

        def answer(request: Request) -> Response:
            self.seconds.append(perf_counter())
            return route.answer(request)

        return evolve(route, answer=answer)


@frozen
class Window:
    """What was measured of one way to submit, in seconds.

    Args:
        what: provider, and how it was asked.
        gaps: from the last check to the arrival, the first over a cold connection.
        calls: whole submissions.
        looks: searches for the key before them.
    """

    what: str
    gaps: Sequence[float]
    calls: Sequence[float]
    looks: Sequence[float]

    def __str__(self) -> str:
        gaps = [1000 * gap for gap in self.gaps]
        return (
            f"{self.what}: check to arrival {gaps[0]:.2f} ms cold, "
            f"{statistics.median(gaps):.2f} ms median, {max(gaps):.2f} ms at most; "
            f"a submission {1000 * statistics.median(self.calls):.0f} ms median, the look for its "
            f"key before it {1000 * statistics.median(self.looks):.0f} ms median "
            f"({len(gaps)} submissions)"
        )


def measured(
    what: str, backend: ProviderBackend, job: CircuitJob, arrivals: Arrivals, n: int, fenced: bool
) -> Window:
    """Submit a job n times, under fences or not."""
    gaps, calls, looks = [], [], []
    for number in range(n):
        key = f"{number:016x}{fenced:016x}"
        began = perf_counter()
        backend.find(key, datetime.now(UTC))
        looks.append(perf_counter() - began)
        fence = backend.fence() if fenced else None
        left: list[float] = []
        began = perf_counter()
        backend.submit(
            job,
            key,
            fence=fence,
            leave=lambda left=left: left.append(perf_counter()),
        )
        calls.append(perf_counter() - began)
        gaps.append(arrivals.seconds[-1] - left[0])
    return Window(what, gaps, calls, looks)


@contextmanager
def provider(simulated: SimulatedIBM | SimulatedBraket) -> Iterator[Arrivals]:
    """Serve a simulated provider, lead the SDKs there, and note when requests arrive."""
    arrivals = Arrivals()
    with Server(simulated) as server:
        server.http.routes = [arrivals.noting(route) for route in server.http.routes]
        with patch.dict(os.environ, AWS_ALONE | simulated.environment(server.url)):
            yield arrivals


def job(qubits: int, target: str) -> CircuitJob:
    """Return a job of one measured qubit on a device."""
    circuit = QuantumCircuit(qubits, 1)
    circuit.measure(0, 0)
    return CircuitJob(circuit, target, shots=100, seed=0)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.submission_window")
    parser.add_argument("--submissions", type=int, default=12, help="of each kind")
    n = parser.parse_args().submissions
    faults = Faults()
    with provider(SimulatedIBM(faults, Machine(faults), api_key="key")) as arrivals:
        ibm, asked = backend_from_spec("ibm:torino"), job(133, "heavy-hex:torino")
        for fenced, what in ((False, "IBM, in job mode"), (True, "IBM, in a batch")):
            print(measured(what, ibm, asked, arrivals, n, fenced))
    with provider(SimulatedBraket(faults, Machine(faults))) as arrivals:
        braket, asked = backend_from_spec("braket:garnet"), job(20, "iqm:garnet")
        print(measured("Braket", braket, asked, arrivals, n, fenced=False))


if __name__ == "__main__":
    main()
