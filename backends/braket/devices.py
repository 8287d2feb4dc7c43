"""Amazon Braket's gate devices: those that the SDK names, and those of an account."""

from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

from attrs import frozen
from qiskit import QuantumCircuit

from backends.backend import NO_ACCOUNT, AccountDevice
from backends.braket.connection import asking, has_account, region_of, session_in
from backends.braket.feed_forward import feed_forward
from backends.braket.program import Program, simulator_program, verbatim_program
from backends.errors import BackendError
from backends.providers.text import line
from compiler.dynamic.needs import Need
from compiler.dynamic.pieces import acted_on, is_dynamic
from compiler.errors import InputError, MissingExtraError, meant
from compiler.targets import iqm

PROVIDERS = ("amazon", "aqt", "ionq", "iqm", "rigetti")
"""Parts of ARNs of those whose native gates are known; see `backends.braket.native`."""

SIMULATOR_QUBITS = {"sv1": 34, "dm1": 17}
AMPLITUDES_PER_SECOND = 10**8
"""Amplitudes a second that a simulator's gates change, low so that bills are not too low."""
MAX_SECONDS = 6 * 3600
"""After which Braket ends a task on a simulator, by Amazon's list of quotas."""

SUPPORTED: Mapping[str, frozenset[Need]] = {
    "garnet": frozenset(
        {
            Need.MEASUREMENT,
            Need.RESET,
            Need.IF,
            Need.SWITCH,
            Need.EXPRESSION,
            Need.ARITHMETIC,
            Need.INDEX,
            Need.TRUTH,
        }
    ),
    "emerald": frozenset({Need.RESET}),
}
"""By Amazon's developer guide; see `backends.braket.feed_forward`.

A qubit of Emerald is known to share a group with itself alone.
"""


@frozen
class Device:
    """A machine, or a simulator on demand.

    Args:
        arn: Braket's own name of it.
    """

    arn: str

    @property
    def label(self) -> str:
        """The last part of its ARN, such as `Forte-1`."""
        return self.arn.rpartition("/")[2]

    @property
    def name(self) -> str:
        """Argument of a spec after the colon, and key in the table of prices after `braket:`."""
        return self.label.lower()

    @property
    def provider(self) -> str:
        """One of `PROVIDERS`."""
        return self.arn.split("/")[-2]

    @property
    def real(self) -> bool:
        """Return whether it is a machine."""
        return ":device/qpu/" in self.arn

    @property
    def snapshot(self) -> str | None:
        """Spec of the shipped target that circuits are lowered to; None if there is none."""
        if not self.real:
            return "all"
        return f"iqm:{self.name}" if self.name in iqm.DEVICES else None

    def seconds(self, circuit: QuantumCircuit) -> Decimal:
        """Return the most seconds that are charged for a circuit, a rough upper guess."""
        if self.real:
            return Decimal(0)
        states = 2 if self.name == "dm1" else 1
        changed = circuit.size() << states * len(acted_on(circuit))
        return min(Decimal(changed) / AMPLITUDES_PER_SECOND, Decimal(MAX_SECONDS))

    def program(self, circuit: QuantumCircuit, *, verbatim: bool = True) -> Program:
        """Return a circuit in OpenQASM 3.

        Args:
            circuit: on the device's qubits.
            verbatim: whether a machine runs native gates as they stand; otherwise its provider
                compiles the program.

        Raises:
            BackendError: if the device cannot run it.
        """
        if self.feeds_forward(circuit):
            return feed_forward(circuit, self.name)
        if self.real and verbatim:
            return verbatim_program(circuit, self.provider)
        limit = SIMULATOR_QUBITS.get(self.name)
        if limit is not None and (qubits := len(acted_on(circuit))) > limit:
            raise BackendError(f"braket:{self.name} takes {limit} qubits, not {qubits}")
        return simulator_program(circuit)

    def feeds_forward(self, circuit: QuantumCircuit) -> bool:
        """Return whether a circuit needs Braket's experimental capabilities."""
        return self.name in SUPPORTED and is_dynamic(circuit)

    def supports(self) -> frozenset[Need]:
        """Return its capabilities besides gates and final measurements."""
        return SUPPORTED.get(self.name, frozenset())


@cache
def sdk_devices() -> Mapping[str, Device]:
    """Return the gate devices in service that the SDK names, by our names; none without it.

    Its list is read without the package around it, which takes seconds to import.
    """
    package = find_spec("braket")
    if package is None:
        return {}
    assert package.submodule_search_locations is not None
    file = Path(package.submodule_search_locations[0]) / "devices" / "devices.py"
    spec = spec_from_file_location("braket_device_names", file)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    makers = [kind for kind in vars(module.Devices).values() if isinstance(kind, type(Enum))]
    arns = {str(arn.value) for maker in makers for arn in maker if not arn.name.startswith("_")}
    devices = (Device(arn) for arn in sorted(arns))
    return {device.name: device for device in devices if device.provider in PROVIDERS}


def account_devices() -> dict[str, Device]:
    """Return the gate devices of the account of this process that are not retired, by our names.

    Raises:
        BackendError: if Amazon does not list them.
    """
    return {device.name: device for device, _ in _listed()}


def list_account() -> list[AccountDevice]:
    """Return the devices of the account, or those in service; see `account_devices`."""
    devices = [
        (device, {"providerName": device.provider, "deviceStatus": NO_ACCOUNT})
        for device in sdk_devices().values()
    ]
    return [
        AccountDevice(
            f"braket:{device.name}",
            line(summary.get("providerName", ""), 40),
            None,
            None,
            line(summary.get("deviceStatus", ""), 40).lower(),
        )
        for device, summary in (_listed() if has_account() else devices)
    ]


def _listed() -> list[tuple[Device, Mapping[str, object]]]:
    devices: dict[str, tuple[Device, Mapping[str, object]]] = {}
    for region in sorted({region_of(device.arn) for device in sdk_devices().values()} - {""}):
        with asking(f"listing the devices of Amazon Braket in {region}"):
            for summary in session_in(region).search_devices():
                arn = str(summary["deviceArn"])
                if arn.count("/") >= 2 and Device(arn).provider in PROVIDERS:
                    devices[arn] = (Device(arn), summary)
    return sorted(devices.values(), key=lambda pair: pair[0].name)


@cache
def device_named(argument: str) -> Device:
    """Return the device of a name or an ARN; the account is asked for names that the SDK lacks.

    Raises:
        InputError: If there is none, naming those of the account.
        MissingExtraError: If Braket's SDK is not installed.
    """
    MissingExtraError.require("braket")
    if argument in sdk_devices():
        return sdk_devices()[argument]
    parts = argument.split("/")
    if argument.startswith("arn:aws:braket:") and len(parts) == 4 and parts[2] in PROVIDERS:
        return Device(argument)
    try:
        offered = account_devices() if has_account() else dict(sdk_devices())
    except BackendError:
        offered = dict(sdk_devices())
    if argument in offered:
        return offered[argument]
    raise InputError(
        f"backend 'braket:{argument}': the account has no such gate device; "
        f"{meant(argument, offered, 'braket:')}"
    )
