"""Both simulated providers, which fail in every way that leaves a job's fate in doubt."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from attrs import frozen

from tests.servers.provider_simulators.faults import Fault, Rule
from tests.servers.provider_simulators.machine import RAN_TOO_LONG
from tests.servers.provider_simulators.playing import running_providers
from tests.servers.provider_simulators.server import Server

REASONS = (
    "simulated failure of the job",
    "simulated failure of the program",
    RAN_TOO_LONG,
    "simulated refusal: gone",
    "no device",
    "no such device",
    "not found",
    "the device has been retired",
    "of the budget of tag",
)
"""What the reason of a failed job holds: what a simulated provider was told to do, or a budget."""

RULES = (
    Rule(Fault.CUT_BEFORE, "submit", probability=0.05),
    Rule(Fault.CUT_AFTER, "submit", probability=0.10),
    Rule(Fault.SERVER_ERROR, "submit", probability=0.05),
    Rule(Fault.SERVER_ERROR_AFTER, "submit", probability=0.10),
    Rule(Fault.TOO_MANY_REQUESTS, "submit", probability=0.05, seconds=0.3),
    Rule(Fault.QUOTA_EXCEEDED, "submit", probability=0.03),
    Rule(Fault.DEVICE_OFFLINE, "submit", probability=0.03),
    Rule(Fault.CONFLICT, "submit", probability=0.02),
    Rule(Fault.GONE, "submit", probability=0.005),
    Rule(Fault.BAD_REQUEST, "cancel", probability=0.3),
    Rule(Fault.SLOW_CANCEL, "cancel", probability=0.3, seconds=2),
    Rule(Fault.CANCEL_IGNORED, "cancel", probability=0.1),
    Rule(Fault.SERVER_ERROR, "metrics", probability=0.1),
    *(
        Rule(Fault.EXPIRED_TOKEN, operation, probability=0.01)
        for operation in ("submit", "status", "result", "metrics")
    ),
    *(
        rule
        for operation in ("find", "status", "result")
        for rule in (
            Rule(Fault.CUT_BEFORE, operation, probability=0.02),
            Rule(Fault.CUT_AFTER, operation, probability=0.02),
            Rule(Fault.SERVER_ERROR, operation, probability=0.02),
            Rule(Fault.TOO_MANY_REQUESTS, operation, probability=0.02, seconds=0.3),
        )
    ),
    Rule(Fault.SLOW_SUBMIT, "submit", probability=0.03, seconds=2),
    Rule(Fault.SLOW_ANSWER, "submit", probability=0.03, seconds=2),
    Rule(Fault.HIDDEN, "submit", probability=0.10, seconds=2),
    Rule(Fault.DUPLICATE_ID, "submit", probability=0.005),
    Rule(Fault.FOREIGN_RESULT, "result", probability=0.005),
    Rule(Fault.HOSTILE_RESULT, "result", probability=0.005),
    Rule(Fault.SLOW_QUEUE, "submit", probability=0.10, seconds=2),
    Rule(Fault.LATE_RESULT, "submit", probability=0.10, seconds=2),
    Rule(Fault.LATE_USAGE, "submit", probability=0.20, seconds=3),
    Rule(Fault.OVERRUN, "submit", probability=0.03, seconds=30),
    Rule(Fault.LOST_RESULT, "submit", probability=0.01),
    Rule(Fault.JOB_FAILED, "submit", probability=0.02),
    Rule(Fault.CIRCUIT_FAILED, "submit", probability=0.02),
    *(
        rule
        for operation in (
            "fence", "fence-details", "close-fence", "token", "search", "devices",
            "configuration", "properties", "usage", "device", "identity", "bucket",
        )
        for rule in (
            Rule(Fault.CUT_BEFORE, operation, probability=0.02),
            Rule(Fault.CUT_AFTER, operation, probability=0.02),
            Rule(Fault.SERVER_ERROR, operation, probability=0.02),
            Rule(Fault.TOO_MANY_REQUESTS, operation, probability=0.02, seconds=0.3),
        )
    ),
)  # fmt: skip

BEFORE = {"ibm": ("find", "fence", "properties", "usage"), "braket": ("find", "device")}
"""What each provider is asked for every job before it is asked to take it."""

OTHER_CRN = "crn:v1:bluemix:public:quantum-computing:eu-de:a/another:stichwerk::"
OTHER_API_KEY = "another-ibm-api-key"
OTHER_ACCOUNT, OTHER_ACCESS_KEY = "111111111111", "SIMULATEDACCESSKEY02"

OTHER = {
    "QISKIT_IBM_INSTANCE": OTHER_CRN,
    "QISKIT_IBM_TOKEN": OTHER_API_KEY,
    "AWS_ACCESS_KEY_ID": OTHER_ACCESS_KEY,
}
"""Variables that lead a worker to another account of each provider."""

PUT_ASIDE = (Fault.DUPLICATE_ID, Fault.FOREIGN_RESULT, Fault.HOSTILE_RESULT)
"""Faults after which a person must look at the job."""


@frozen(eq=False)
class Providers:
    """The two that are running.

    Args:
        environment: variables by which the SDKs find them, and nothing of real accounts.
    """

    servers: Mapping[str, Server]
    environment: Mapping[str, str]

    def audit(self) -> list[dict[str, Any]]:
        """Return every job that either has ever accepted."""
        return [job for server in self.servers.values() for job in server.provider.machine.audit()]

    def put_aside(self) -> int:
        """Return how many jobs have met a fault after which a person must look at them."""
        return sum(
            rule["fired"]
            for server in self.servers.values()
            for rule in server.provider.faults.listed()
            if rule["fault"] in PUT_ASIDE
        )

    def faults(self) -> dict[str, int]:
        """Return how often each rule has struck, by provider, fault and operation."""
        return {
            f"{name} {rule['fault']} {rule['operation']}": rule["fired"]
            for name, server in self.servers.items()
            for rule in server.provider.faults.listed()
            if rule["fired"]
        }


@contextmanager
def providers(seed: int) -> Iterator[Providers]:
    """Run both providers in this process, which nobody kills."""
    with running_providers(RULES, seed=seed) as servers:
        servers["ibm"].provider.access.other_instances[OTHER_CRN] = OTHER_API_KEY
        servers["braket"].provider.accounts[OTHER_ACCESS_KEY] = OTHER_ACCOUNT
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("AWS_", "QISKIT_IBM", "STICHWERK_"))
        }
        for server in servers.values():
            environment |= server.provider.environment(server.url)
        yield Providers(servers, environment)
