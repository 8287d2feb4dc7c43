"""Simulated providers, which a checkout has beside its tests, for `up --simulate-providers`."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from typing import Annotated, cast

import typer

from compiler.errors import InputError
from service.cli.options import MOST_SECONDS
from service.cli.output.printing import say

CHECKOUT = Path(__file__).parents[3]
PACKAGE = "tests.servers.provider_simulators"

QueueSeconds = Annotated[
    float,
    typer.Option(min=0, max=MOST_SECONDS, help="Minimum time of each simulated job in its queue."),
]
Drift = Annotated[
    float,
    typer.Option(
        min=0,
        help="Share by which all errors of the simulated devices grow in a simulated day, which "
        "takes a minute.",
    ),
]
Noiseless = Annotated[bool, typer.Option("--noiseless", help="Simulate devices without noise.")]
FaultRules = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        metavar="FAULT[:OPERATION[:AMOUNT[:SECONDS]]]",
        help="Rule of a failure; may be repeated. An amount with a decimal point is a "
        "probability, without one a number of times. An unknown fault prints all. Operations of "
        "all providers: submit, find, status, result, cancel.",
        show_default=False,
    ),
]


def simulated_providers(
    *, queue_seconds: float, drift: float, noiseless: bool, faults: Sequence[str]
) -> AbstractContextManager[Mapping[str, str]]:
    """Return a block in which threads of this process simulate all providers.

    It yields the variables that lead the providers' SDKs there.

    Raises:
        InputError: if this is no checkout, or an option is invalid.
    """
    folder = CHECKOUT / PACKAGE.replace(".", "/")
    if not folder.is_dir():
        raise InputError(
            f"simulated providers are not installed: no {folder}. Run stichwerk from a checkout of "
            "its repository, or leave out --simulate-providers"
        )
    # First, since some packages install a package `tests` of their own.
    sys.path.insert(0, str(CHECKOUT))
    playing = import_module(f"{PACKAGE}.playing")
    return cast(
        AbstractContextManager[Mapping[str, str]],
        playing.simulated_providers(
            queue_seconds=queue_seconds,
            drift=drift,
            noiseless=noiseless,
            faults=faults,
            listener=say,
        ),
    )
