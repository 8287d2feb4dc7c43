"""Targets by spec: `family`, `family:size`, `family:size:gates` or `family:device`."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeVar

from attrs import frozen
from qiskit.transpiler import Target

from compiler.errors import TargetError, UnknownNameError, nearest
from compiler.registry import Registry

MAX_QUBITS = 2000

Build = Callable[[str, str], Target]


@frozen
class TargetFamily:
    """A kind of topology.

    Args:
        build: makes a target from a size or device name, and a gate set's name (`""`: default).
        summary: one line for lists.
        list_devices: returns the names of devices that may stand in place of a size.
    """

    build: Build
    summary: str
    list_devices: Callable[[], Iterable[str]] = tuple

    @property
    def devices(self) -> tuple[str, ...]:
        """Names of devices that may stand in place of a size."""
        return tuple(self.list_devices())


target_families: Registry[TargetFamily] = Registry("target", "compiler.targets")

B = TypeVar("B", bound=Build)


def target_family(
    name: str, summary: str, list_devices: Callable[[], Iterable[str]] = tuple
) -> Callable[[B], B]:
    """Return a decorator that files a builder of targets under a family's name."""
    file = target_families.register(name)

    def decorate(build: B) -> B:
        file(TargetFamily(build, summary, list_devices))
        return build

    return decorate


MAX_TARGETS = 64
"""Targets of which it is cached whether their qubits are coupled."""


def is_coupled(target: Target) -> bool:
    """Return whether a target has a coupling map, so that not any two qubits can meet."""
    return _is_coupled(target, tuple(target.operation_names))


@lru_cache(MAX_TARGETS)
def _is_coupled(target: Target, _: tuple[str, ...]) -> bool:
    """Cached by the target and its operations: every pass of every pipeline asks."""
    return target.build_coupling_map() is not None


def restricted(
    target: Target,
    keep: Callable[[str, tuple[int, ...] | None], bool] = lambda *_: True,
    num_qubits: int | None = None,
) -> Target:
    """Return a part of a target.

    Args:
        target: with more instructions.
        keep: whether an instruction stays on some qubits, or where it acts on any, on None.
        num_qubits: of the part; as many as the target has by default.
    """
    part = Target(
        description=target.description,
        num_qubits=num_qubits or target.num_qubits,
        dt=target.dt,
        qubit_properties=target.qubit_properties,
    )
    for name in target.operation_names:
        places = {None: None} if target[name] is None else target[name]
        remaining = {at: properties for at, properties in places.items() if keep(name, at)}
        if remaining:
            operation = target.operation_from_name(name)
            part.add_instruction(operation, None if None in remaining else remaining, name=name)
    return part


def target_from_spec(spec: str) -> Target:
    """Return the target that a complete spec names; its `description` is the spec.

    Raises:
        UnknownNameError: if there is no such family.
        TargetError: if the size, the device or the gate set is not to be had.
    """
    family, size, gates = _parts(spec)
    target = target_families[family].build(size, gates)
    target.description = spec
    return target


def sized_spec(spec: str, qubits: int) -> str:
    """Return `spec` with its size filled in, `qubits` where the spec leaves it out."""
    family, size, gates = _parts(spec)
    return ":".join(part for part in (family, size or str(qubits), gates) if part)


def _parts(spec: str) -> tuple[str, str, str]:
    parts = spec.split(":")
    if len(parts) > 3:
        raise TargetError(f"target '{spec}': write family:size:gates, such as star:17:cz")
    family, size, gates = parts + [""] * (3 - len(parts))
    if family not in target_families and (hint := device_hint(size, family)):
        raise UnknownNameError(f"unknown target '{spec}'{hint}")
    _ = target_families[family]
    return family, size, gates


def device_hint(*names: str, alike: float = 0.8) -> str:
    """Return the suggestion of the device that is most like one of some names; empty if none is.

    Args:
        names: the first one that is like a device counts, with or without `ibm_` before it.
        alike: see `nearest`.
    """
    devices = {
        device: f"{name}:{device}"
        for name, family in target_families.items()
        for device in family.devices
    }
    for name in names:
        if near := nearest(name.removeprefix("ibm_"), devices, alike):
            return f"; did you mean '{devices[near]}'?"
    return ""


def parse_size(family: str, size: str) -> int:
    """Read a number of qubits.

    Raises:
        TargetError: if it is not a whole number from 2 to `MAX_QUBITS`.
    """
    number = int(size) if size.isascii() and size.isdigit() and len(size) < 10 else 0
    if not 2 <= number <= MAX_QUBITS:
        hint = device_hint(size, alike=0.6)
        devices = " or a device of 'stichwerk targets'" if target_families[family].devices else ""
        raise TargetError(
            f"target '{family}:{size}': the size must be a whole number "
            f"from 2 to {MAX_QUBITS}{devices}{hint}"
        )
    return number
