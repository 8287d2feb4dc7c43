"""Options that name targets, backends and devices, also by the file of one's own device."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

import typer

from backends import BackendError, ProviderBackend, backend_from_spec, backends
from backends.devices.reading import LIVE, SNAPSHOT, backend_named, target_named
from compiler.errors import InputError, meant
from compiler.targets import target_families
from compiler.targets.device import is_device
from compiler.targets.ibm_devices import CURRENT, is_snapshot, snapshot_names

DEFAULT = ("boston", "miami")
"""Devices of the figures in docs/results-noise.md."""


def complete_target(incomplete: str) -> list[str]:
    """Return the specs of targets that begin with a text."""
    specs = [
        f"{name}:{device}"
        for name, family in target_families.items()
        for device in ("", *family.devices)
    ]
    return [spec for spec in specs if spec.startswith(incomplete)]


def complete_backend(incomplete: str) -> list[str]:
    """Return the specs of backends that begin with a text, also of the account's devices."""
    specs: list[str] = []
    for name, family in backends.items():
        specs += [name, *(f"{name}:{device}" for device in family.devices)]
        # Listing an account takes seconds.
        if incomplete.startswith(f"{name}:"):
            with suppress(BackendError):
                specs += [device.backend for device in family.list_account()]
    return [spec for spec in dict.fromkeys(specs) if spec.startswith(incomplete)]


def complete_device(incomplete: str) -> list[str]:
    """Return the names of shipped devices that begin with a text."""
    return [name for name in snapshot_names() if name.startswith(incomplete)]


Devices = Annotated[
    list[str] | None,
    typer.Option(
        "--device",
        help=f"Device; may be repeated: {', '.join(CURRENT)}, or the file of a device. "
        f"By default {' and '.join(DEFAULT)}.",
        show_default=False,
        autocompletion=complete_device,
    ),
]
Target = Annotated[
    str, typer.Option("--target", "-t", callback=target_named, autocompletion=complete_target)
]
"""Target, see 'stichwerk targets', or the file of a device: .toml, .json, or IBM's .json."""
BackendTarget = Annotated[
    str, typer.Option("--target", "-t", callback=target_named, autocompletion=complete_target)
]
"""Target, or the file of a device; by default the backend's."""
Backend = Annotated[
    str, typer.Option("--backend", "-b", callback=backend_named, autocompletion=complete_backend)
]
"""Backend, see 'stichwerk backends'; device files as in aer:my-device.toml."""

Calibration = Annotated[str, typer.Option("--calibration", metavar="snapshot|live|FILE")]
"""Calibration to compile for: snapshot (shipped with the SDK); live (current; needs an account in
the environment, and is then the default for a single program); or a device file."""

RecompileAfter = Annotated[float | None, typer.Option(metavar="HOURS", min=0.0)]
"""Compile again before submission if the calibration is older than this number of hours, and a
newer one exists; never by default."""


def default_calibration(backend: str, target: str) -> str:
    """Return `LIVE` for a provider with an account, without a target, and `SNAPSHOT` else."""
    machine = None if target else backend_from_spec(backend)
    is_live = isinstance(machine, ProviderBackend) and machine.has_live_calibration()
    return LIVE if is_live else SNAPSHOT


def checked_devices(names: Sequence[str] | None) -> tuple[str, ...]:
    """Return the devices that were named, or the default ones.

    Returns:
        Of each its name, or the spec of one's own.

    Raises:
        InputError: if there is no such device.
    """
    targets = [target_named(name) for name in names or DEFAULT]
    for name in targets:
        if not (is_device(name) or is_snapshot(name)):
            raise InputError(f"unknown device '{name}'; {meant(name, snapshot_names())}")
    return tuple(dict.fromkeys(targets))


def targets_named(texts: list[str] | None) -> list[str] | None:
    """Return the specs of targets; see `target_named`."""
    return texts and [target_named(text) for text in texts]
