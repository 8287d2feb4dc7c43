"""All registered providers, served side by side."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager

from backends.aer import AerBackend
from backends.backend import LocalBackend
from compiler.errors import InputError
from tests.servers.provider_simulators.faults import Faults, Rule, rule_from_text
from tests.servers.provider_simulators.machine import Machine
from tests.servers.provider_simulators.noise import InProcesses, NoisyDevices
from tests.servers.provider_simulators.protocol import PROVIDERS
from tests.servers.provider_simulators.server import Server
from workers.parallel import Pool

MAX_DRIFT = 10.0


def simulated_providers(
    *,
    queue_seconds: float = 0,
    drift: float = 0,
    noiseless: bool = False,
    faults: Sequence[str] = (),
    ports: Mapping[str, int] | None = None,
    seed: int = 0,
    listener: Callable[[str], None] = lambda _: None,
) -> AbstractContextManager[Mapping[str, str]]:
    """Check the options, and return a block that yields the variables that lead to the servers.

    Args:
        queue_seconds: how long each job stays queued at least.
        drift: by which share all errors of the devices grow in a simulated day.
        noiseless: whether devices have no errors.
        faults: as of `rule_from_text`, in force at each provider.
        ports: of 127.0.0.1, by provider; a free one for each other.
        seed: of the shots, and of faults by chance.
        listener: is told the name and URL of each server.

    Raises:
        InputError: if an option is invalid.
    """
    if not 0 <= drift <= MAX_DRIFT:
        raise InputError(f"invalid drift: {drift:g}. Choose a number from 0 to {MAX_DRIFT:g}")
    if noiseless and drift:
        raise InputError(f"drift without noise: {drift:g}. Leave out --drift or --noiseless")
    simulator = AerBackend("") if noiseless else NoisyDevices(drift)
    rules = [rule_from_text(text) for text in faults]
    for name in ports or {}:
        PROVIDERS[name]  # raises UnknownNameError, which is an InputError

    @contextmanager
    def serving() -> Iterator[Mapping[str, str]]:
        with (
            Pool(len(PROVIDERS)) as pool,
            running_providers(
                rules,
                simulator=InProcesses(simulator, pool),
                queue_seconds=queue_seconds,
                ports=ports,
                seed=seed,
            ) as servers,
        ):
            variables: dict[str, str] = {}
            for name, server in servers.items():
                listener(f"{name}: {server.url}")
                variables |= server.provider.environment(server.url)
            yield variables

    return serving()


@contextmanager
def running_providers(
    rules: Sequence[Rule] = (),
    *,
    simulator: LocalBackend | None = None,
    queue_seconds: float = 0,
    ports: Mapping[str, int] | None = None,
    seed: int = 0,
) -> Iterator[dict[str, Server]]:
    """Serve all registered providers from threads of this process; yield the servers by name.

    Raises:
        InputError: if a port cannot be listened to.
    """
    servers: dict[str, Server] = {}
    with ExitStack() as stack:
        for place, (name, provider) in enumerate(PROVIDERS.items()):
            faults = Faults(seed + place)
            for rule in rules:
                faults.add(rule)
            machine = Machine(faults, queue_seconds)
            simulated = provider(faults, machine, simulator=simulator, seed=seed)
            port = (ports or {}).get(name, 0)
            try:
                servers[name] = stack.enter_context(Server(simulated, port))
            except OSError as error:
                raise InputError(
                    f"port {port} of 127.0.0.1: {error.strerror}. Choose another port"
                ) from error
        yield servers
