"""Options that name targets, backends and devices, also by the file of one's own device."""

from collections.abc import Sequence
from typing import Annotated

import typer

from compiler.errors import InputError
from compiler.near_misses import meant
from compiler.targets.device import is_device
from compiler.targets.ibm_devices import CURRENT, is_snapshot, snapshot_names
from workers.devices.reading import backend_named, target_named

DEFAULT = ("torino", "marrakesh")
"""Devices of the figures in docs/results.md."""

Devices = Annotated[
    list[str] | None,
    typer.Option(
        "--device",
        help=f"On this device; may be repeated: {', '.join(CURRENT)}, or the file of one's own. "
        f"By default {' and '.join(DEFAULT)}.",
        show_default=False,
    ),
]
Target = Annotated[
    str,
    typer.Option(
        "--target",
        "-t",
        help="Where to lower to; see 'stichwerk targets'. Also the file of a device: .toml, or "
        ".json, IBM's too.",
        callback=target_named,
    ),
]
BackendTarget = Annotated[
    str,
    typer.Option(
        "--target",
        "-t",
        help="Where to lower to, also the file of a device; by default the backend's.",
        callback=target_named,
    ),
]
Backend = Annotated[
    str,
    typer.Option(
        "--backend",
        "-b",
        help="See 'stichwerk backends'; also with the file of a device, as aer:my-device.toml.",
        callback=backend_named,
    ),
]


def checked_devices(names: Sequence[str] | None) -> tuple[str, ...]:
    """Return the devices that were named, or the default ones.

    Returns:
        Of each its name, or the spec of one's own.

    Raises:
        InputError: if there is no such device.
    """
    found = [target_named(name) for name in names or DEFAULT]
    for name in found:
        if not (is_device(name) or is_snapshot(name)):
            raise InputError(f"unknown device '{name}'; {meant(name, snapshot_names())}")
    return tuple(dict.fromkeys(found))


def targets_named(texts: list[str] | None) -> list[str] | None:
    """Return the specs of targets; see `target_named`."""
    return texts and [target_named(text) for text in texts]
