"""Registry of backends by spec, with checks of the circuits that each can run."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from attrs import frozen
from qiskit import QuantumCircuit

from backends.backend import AccountDevice, Backend
from compiler.arguments import checked
from compiler.dynamic.needs import Need, measures, needs_of
from compiler.errors import InputError, TargetError, UnknownNameError, nearest
from compiler.formats.parameter_values import unbound
from compiler.registry import Registry
from compiler.targets import sized_spec, target_from_spec
from compiler.targets.ibm_devices import is_snapshot, snapshot_names
from compiler.targets.resonator import computational_qubits


@frozen
class BackendFamily:
    """Kind of backend.

    Args:
        build: makes a backend of the text that follows the colon in its spec, which may be empty.
        summary: one line for lists.
        devices: names of devices in service that may follow the colon, as far as known offline.
        list_account: returns the devices of the account of this process; without one those in
            service, with the status `NO_ACCOUNT`. It raises `BackendError` if the provider does
            not list them.
    """

    build: Callable[[str], Backend]
    summary: str
    devices: Sequence[str] = ()
    list_account: Callable[[], Sequence[AccountDevice]] = tuple


backends: Registry[BackendFamily] = Registry("backend", "backends")

F = TypeVar("F", bound=Callable[[str], Backend])


def backend(
    name: str,
    summary: str,
    devices: Sequence[str] = (),
    list_account: Callable[[], Sequence[AccountDevice]] = tuple,
) -> Callable[[F], F]:
    """Return a decorator that files a builder of backends, a class or a function.

    See `BackendFamily` for the arguments.
    """
    file = backends.register(name)

    def decorate(build: F) -> F:
        file(BackendFamily(build, summary, devices, list_account))
        return build

    return decorate


@checked
def backend_from_spec(spec: str) -> Backend:
    """Return the backend that a spec names.

    Raises:
        UnknownNameError: if there is no such backend.
        InputError: if it does not know the argument after the colon.
    """
    name, _, argument = spec.partition(":")
    if name not in backends and not nearest(name, backends):
        device = name.removeprefix("ibm_")
        devices = [name for family in backends.values() for name in family.devices]
        near = nearest(device, (*devices, *snapshot_names()), alike=0.8)
        if is_snapshot(near):
            raise UnknownNameError(
                f"unknown backend '{name}'; write ibm:{near}, or aer:{near} for a simulation"
            )
        if near:
            family = next(name for name, family in backends.items() if near in family.devices)
            raise UnknownNameError(f"unknown backend '{name}'; did you mean '{family}:{near}'?")
    return backends[name].build(argument)


def target_on(spec: str, target: str = "") -> str:
    """Return the spec of the target that circuits for a backend are lowered to.

    Args:
        spec: of the backend.
        target: the one that is asked for; `""` for the backend's own.

    Raises:
        InputError: if there is no such backend.
        TargetError: if it runs circuits for other targets.
    """
    machine = backend_from_spec(spec)
    own = machine.default_target()
    if target and not machine.accepts(target):
        raise TargetError(f"backend '{spec}' runs circuits for '{own}', not '{target}'")
    return target or own


def larger_device(spec: str, qubits: int) -> str:
    """Return a device in service of a backend's family that has so many qubits; "" if none does.

    Args:
        spec: of a backend.
        qubits: that a program needs.
    """
    family = spec.partition(":")[0]
    for device in backends[family].devices:
        target = backend_from_spec(f"{family}:{device}").default_target()
        # A target without a size of its own is a simulator's.
        if sized_spec(target, qubits) == target and (
            computational_qubits(target_from_spec(target)) >= qubits
        ):
            return f"{family}:{device}"
    return ""


def check_runnable(spec: str, circuit: QuantumCircuit) -> None:
    """Refuse a circuit that a backend cannot run, or that measures nothing.

    Args:
        spec: of the backend.
        circuit: gates, measurements, resets and branches, native or not.

    Raises:
        InputError: with the fault.
    """
    if names := unbound(circuit):
        raise InputError(
            f"{circuit.name}: parameters without values: {names}; give each a number with --bind "
            "or --bind-file"
        )
    if not measures(circuit):
        raise InputError(
            f"{circuit.name}: the circuit measures nothing; add measurements to run it"
        )
    lacking = needs_of(circuit) - backend_from_spec(spec).supports()
    if lacking:
        able = ", ".join(sorted(name for name in backends if _supports(name, lacking)))
        raise InputError(
            f"{circuit.name}: backend '{spec}' does not support {', '.join(sorted(lacking))}; "
            f"try {able}"
        )


def check_shots_on(spec: str, shots: int) -> None:
    """Refuse more or fewer shots than a backend takes in one job.

    Raises:
        InputError: naming its limit.
    """
    machine = backend_from_spec(spec)
    if shots < machine.min_shots():
        raise InputError(
            f"shots = {shots}: backend '{spec}' takes at least {machine.min_shots()} a job; "
            "change --shots"
        )
    limit = machine.max_shots()
    if limit is not None and shots > limit:
        raise InputError(
            f"shots = {shots}: backend '{spec}' takes at most {limit} a job; repeat the job instead"
        )


def _supports(name: str, needs: frozenset[Need]) -> bool:
    """Return whether a backend without an argument has a capability."""
    try:
        return needs <= backend_from_spec(name).supports()
    except InputError:
        return False


def refuse_argument(name: str, argument: str) -> None:
    """Refuse an argument after the colon.

    Raises:
        InputError: if there is one.
    """
    if argument:
        raise InputError(f"backend '{name}:{argument}': '{name}' takes nothing after the colon")
