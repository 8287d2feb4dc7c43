"""Capabilities of IBM's devices, each from its own configuration.

IBM's guide on executing dynamic circuits allows `if_test` without nesting, measurements and resets
outside of it, and conditions whose operands have up to 32 bits. Its fake devices take more. A
`switch` is sent as one `if` after the other; see `compiler.dynamic.switches`.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from compiler.dynamic.needs import Need
from compiler.targets.ibm_devices import configuration, is_snapshot

BRANCHES = frozenset(
    {
        Need.IF,
        Need.SWITCH,
        Need.EXPRESSION,
        Need.SEVERAL_BITS,
        Need.ENTANGLED_WITHIN,
        Need.SEVERAL_SOURCES,
    }
)
"""Needs of circuits that a device with `if_else` meets."""

MICROSECOND = Decimal("1e-6")

USUAL_DELAY = 250.0
"""Pause between shots, in microseconds, of a retired device that names none."""


@cache
def configuration_of(device: str) -> Mapping[str, Any]:
    """Return a device's configuration, that of its account if no snapshot is shipped."""
    if is_snapshot(device):
        return configuration(device)
    from backends.ibm.connection import ask

    name = f"ibm_{device}"
    content: Mapping[str, Any] = ask(
        device, lambda connection: connection.service.client.backend_configuration(name)
    )
    return content


def supported_needs(device: str) -> frozenset[Need]:
    """Return a device's capabilities besides gates and final measurements."""
    offered = configuration_of(device).get("supported_instructions") or ()
    if "if_else" not in offered:
        return frozenset()
    return BRANCHES | {Need.MEASUREMENT} | ({Need.RESET} if "reset" in offered else set())


def rep_delay_seconds(device: str) -> Decimal:
    """Return the device's default pause between two shots."""
    return MICROSECOND * Decimal(
        str(configuration_of(device).get("default_rep_delay") or USUAL_DELAY)
    )


def max_shots(device: str) -> int:
    """Return the most shots that a device takes in one job."""
    return int(configuration_of(device)["max_shots"])


def max_circuits(device: str) -> int:
    """Return the most circuits that a device takes in one job, by its configuration.

    IBM no longer enforces this number, by its guide on job limits.
    """
    return int(configuration_of(device).get("max_experiments") or 1)
