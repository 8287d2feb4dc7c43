"""The option that names devices whose calibration is known."""

from collections.abc import Sequence
from typing import Annotated

import typer

from compiler.errors import InputError
from compiler.near_misses import meant
from compiler.targets.heavy_hex import DEVICES

Devices = Annotated[
    list[str] | None,
    typer.Option(
        "--device",
        help=f"On this device; may be repeated: {', '.join(DEVICES)}. By default the first two.",
        show_default=False,
    ),
]


def checked_devices(names: Sequence[str] | None) -> tuple[str, ...]:
    """Return the devices that were named, or the default ones.

    Raises:
        InputError: if there is no such device.
    """
    for name in names or ():
        if name not in DEVICES:
            raise InputError(f"unknown device '{name}'; {meant(name, DEVICES)}")
    return tuple(dict.fromkeys(names or list(DEVICES)[:2]))
