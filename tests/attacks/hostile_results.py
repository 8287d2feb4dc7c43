"""Results of providers that lie, are cut off, or unpack to more than any memory holds."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from unittest.mock import patch

from backends import ProviderBackend, backend_from_spec
from tests.attacks.attack import Siege, attack
from tests.backends.braket import test_results as braket
from tests.backends.ibm.simulated import KEYS, job, until_ended
from tests.backends.results import check_harmless
from tests.servers.provider_simulators.faults import Faults
from tests.servers.provider_simulators.machine import Machine
from tests.servers.provider_simulators.providers.ibm import SimulatedIBM
from tests.servers.provider_simulators.server import Server

Read = Callable[[bytes], Mapping[int, int]]


@attack("results", "results that no provider should send")
def hostile_results(siege: Siege) -> Iterator[str]:
    """Make a real result of each provider hostile in many ways, and read it."""
    with _ibm_result() as (machine, result):
        readers: Mapping[str, tuple[Read, bytes]] = {
            "ibm": (lambda raw: machine.counts(raw, job(), KEYS[0], "any"), result),
            "braket": (braket.counts, braket.RESULT),
        }
        while not siege.over():
            name = siege.chance.choice(sorted(readers))
            read, raw = readers[name]
            seed = siege.chance.randrange(2**32)
            siege.tried[name] += 1
            try:
                check_harmless(read, raw, seed, read(raw))
            except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
                yield f"{name}, seed {seed}: {type(error).__name__}: {str(error)[:200]}"


@contextmanager
def _ibm_result() -> Iterator[tuple[ProviderBackend, bytes]]:
    """Yield IBM's backend, and a result as the simulated IBM sends it."""
    faults = Faults()
    with Server(SimulatedIBM(faults, Machine(faults))) as server:
        with patch.dict(os.environ, server.provider.environment(server.url)):
            backend = backend_from_spec("ibm:torino")
            assert isinstance(backend, ProviderBackend)
            accepted = backend.submit(job(), KEYS[0])
            until_ended(backend, accepted)
            result = backend.raw_result(accepted)
        yield backend, result
