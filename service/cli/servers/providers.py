"""The command `providers`: simulated IBM and Amazon Braket, to try the real SDKs against."""

import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from backends.provider_simulators.faults import Fault, Faults, Rule, rule_from_text
from backends.provider_simulators.machine import DAY_SECONDS, Machine
from compiler.errors import InputError
from service.cli.options import MOST_SECONDS
from service.cli.output.printing import say

if TYPE_CHECKING:
    from backends.backend import LocalBackend

MOST_DRIFT = 10.0

Port = Annotated[int, typer.Option(min=0, max=65535, help="Of 127.0.0.1; 0 takes a free one.")]

QueueSeconds = Annotated[
    float,
    typer.Option(
        min=0,
        max=MOST_SECONDS,
        help="How long each simulated job stays queued at least.",
    ),
]
Drift = Annotated[
    float,
    typer.Option(
        min=0,
        max=MOST_DRIFT,
        help="Share by which all errors of the simulated devices grow in a simulated day, which "
        f"takes {DAY_SECONDS:g} seconds.",
    ),
]
Noiseless = Annotated[
    bool, typer.Option("--noiseless", help="Let the simulated devices play without noise.")
]
FaultRules = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        metavar="FAULT[:OPERATION[:AMOUNT[:SECONDS]]]",
        help="What goes wrong; may be repeated. An amount with a decimal point is a "
        f"probability, without one a number of times. Faults: {', '.join(Fault)}. "
        "Operations at both: submit, find, status, result, cancel.",
        show_default=False,
    ),
]


def providers_command(
    *,
    port_ibm: Port = 0,
    port_braket: Port = 0,
    queue_seconds: QueueSeconds = 0,
    drift: Drift = 0,
    noiseless: Noiseless = False,
    fault: FaultRules = None,
    seed: Annotated[
        int,
        typer.Option(min=0, max=2**31 - 1, help="Of the shots, and of faults by chance."),
    ] = 0,
) -> None:
    """Play IBM and Amazon Braket on this machine until Ctrl-C, with jobs run on Aer.

    Devices have the errors of gates and readout of their calibration snapshots, SV1 has none.
    The variables that lead the SDKs there are written to stdout, to be read by a shell. Each
    server has /audit, which lists the jobs it accepted, and /faults, to which rules can be posted.

    Example: `stichwerk providers > providers.env`, then `. ./providers.env` in another shell
    """
    rules = [rule_from_text(text) for text in fault or ()]
    simulator = simulated_noise(drift, noiseless)
    with simulated_providers(
        simulator, port_ibm, port_braket, queue_seconds, rules, seed=seed
    ) as variables:
        for name, value in variables.items():
            print(f"export {name}={shlex.quote(value)}", flush=True)
        say("until Ctrl-C")
        while True:
            time.sleep(3600)


def simulated_noise(drift: float, noiseless: bool) -> "LocalBackend":
    """Return what simulated devices run circuits on.

    Raises:
        InputError: if noise is to grow, and not to be there.
    """
    if noiseless and drift:
        raise InputError("--drift is of noise, and --noiseless asks for none; leave one out")
    from backends.aer import AerBackend
    from backends.provider_simulators.noise import NoisyDevices

    return AerBackend("") if noiseless else NoisyDevices(drift)


@contextmanager
def simulated_providers(
    simulator: "LocalBackend",
    port_ibm: int = 0,
    port_braket: int = 0,
    queue_seconds: float = 0,
    rules: Sequence[Rule] = (),
    *,
    seed: int = 0,
) -> Iterator[dict[str, str]]:
    """Play both providers in threads of this process; yields the variables that lead there.

    Raises:
        InputError: if a port cannot be listened to.
    """
    from backends.provider_simulators.braket.api import SimulatedBraket
    from backends.provider_simulators.ibm.api import SimulatedIBM
    from backends.provider_simulators.server import Server

    variables: dict[str, str] = {}
    with ExitStack() as servers:
        for provider, port in ((SimulatedIBM, port_ibm), (SimulatedBraket, port_braket)):
            faults = Faults(seed)
            for rule in rules:
                faults.add(rule)
            simulated = provider(
                faults, Machine(faults, queue_seconds), simulator=simulator, seed=seed
            )
            try:
                server = servers.enter_context(Server(simulated, port))
            except OSError as error:
                raise InputError(f"port {port} of 127.0.0.1: {error.strerror}") from error
            variables |= simulated.environment(server.url)
            say(f"{provider.__name__}: {server.url}")
        yield variables
