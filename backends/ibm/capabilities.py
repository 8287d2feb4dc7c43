"""Capabilities of IBM's devices, each from its own configuration.

IBM's guide on executing dynamic circuits allows `if_test` without nesting, measurements and resets
outside of it, and conditions whose operands have up to 32 bits. Its fake devices take more. A
`switch` is sent as one `if` after the other; see `compiler.dynamic.switches`.
"""

from decimal import Decimal

from compiler.dynamic.needs import Need
from compiler.targets.ibm_devices import configuration

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


def supported_needs(device: str) -> frozenset[Need]:
    """Return what a device can do besides gates and final measurements."""
    offered = configuration(device).get("supported_instructions") or ()
    if "if_else" not in offered:
        return frozenset()
    return BRANCHES | {Need.MEASUREMENT} | ({Need.RESET} if "reset" in offered else set())


def rep_delay_seconds(device: str) -> Decimal:
    """Return the device's default pause between two shots."""
    return MICROSECOND * Decimal(str(configuration(device).get("default_rep_delay") or USUAL_DELAY))


def max_shots(device: str) -> int:
    """Return the most shots that a device takes in one job."""
    return int(configuration(device)["max_shots"])
