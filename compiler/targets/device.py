"""Devices of the user's own, known by a spec made of their contents, which travels with them."""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType

from attrs import asdict, field, frozen
from qiskit.circuit import Measure, Reset
from qiskit.circuit.library import get_standard_gate_name_mapping
from qiskit.transpiler import InstructionProperties, QubitProperties, Target

from compiler.errors import TargetError
from compiler.targets.target import device_hint, target_family
from compiler.words.machine_names import DIGITS

FAMILY = "device"
NAME = re.compile(r"[A-Za-z0-9_.+-]{1,32}", re.ASCII)

NS = 1e-9
GATES = MappingProxyType(
    {
        name: gate
        for name, gate in get_standard_gate_name_mapping().items()
        if name not in ("measure", "reset", "delay", "global_phase") and gate.num_qubits < 3
    }
)
"""Qiskit's standard gates on one and two qubits, by name."""


@frozen
class Placed:
    """A gate, a measurement or a reset on some qubits.

    Args:
        qubits: that it acts on, in its own order.
        error: average infidelity from 0 to 1, None if unknown; of a measurement the probability
            of reading the wrong value, averaged over |0⟩ and |1⟩.
        duration_ns: how long it takes, None if unknown.
    """

    qubits: tuple[int, ...]
    error: float | None = None
    duration_ns: float | None = None


@frozen
class QubitCalibration:
    """Values of a qubit.

    Args:
        t1_us: relaxation time, in microseconds.
        t2_us: dephasing time, in microseconds.
        one_for_zero: probability that |0⟩ is read as 1.
        zero_for_one: probability that |1⟩ is read as 0.
    """

    t1_us: float | None = None
    t2_us: float | None = None
    one_for_zero: float | None = None
    zero_for_one: float | None = None


@frozen
class Device:
    """Qubits, native gates where they may act, and a calibration as far as it is known.

    Args:
        name: letters, digits and `_.+-`, at most 32.
        qubits: the values of each qubit.
        gates: by the name of Qiskit's standard gates, with `measure` and perhaps `reset`.
        dt_ns: the clock's unit, of which durations are multiples where qubits are scheduled.
        calibrated_at: time of the calibration, ISO 8601; empty if it is unknown.
    """

    name: str
    qubits: tuple[QubitCalibration, ...]
    gates: Mapping[str, tuple[Placed, ...]] = field(hash=False)
    dt_ns: float = 1.0
    calibrated_at: str = ""

    @property
    def content(self) -> bytes:
        """All of it as JSON, the same for the same device; see `device_from_content`."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode()

    @property
    def spec(self) -> str:
        """`device:name:digest`, by which a process that was told of it knows it."""
        digest = sha256(self.content).hexdigest()[:DIGITS]
        return f"{FAMILY}:{self.name}:{digest}"

    def target(self) -> Target:
        """Return it as Qiskit's target, which takes seconds for large devices."""
        target = Target(
            num_qubits=len(self.qubits),
            dt=self.dt_ns * NS,
            qubit_properties=[
                QubitProperties(t1=scaled(q.t1_us, 1e-6), t2=scaled(q.t2_us, 1e-6))
                for q in self.qubits
            ],
        )
        operations = {**GATES, "measure": Measure(), "reset": Reset()}
        for name, places in self.gates.items():
            properties = {
                place.qubits: InstructionProperties(scaled(place.duration_ns, NS), place.error)
                for place in places
            }
            target.add_instruction(operations[name], properties, name=name)
        return target


def device_from_content(content: bytes) -> Device:
    """Return the device whose `Device.content` this is."""
    document = json.loads(content)
    return Device(
        document["name"],
        tuple(QubitCalibration(**qubit) for qubit in document["qubits"]),
        {
            name: tuple(Placed(tuple(p.pop("qubits")), **p) for p in places)
            for name, places in document["gates"].items()
        },
        document["dt_ns"],
        document["calibrated_at"],
    )


class DeviceSpec(str):
    """The spec of a device that this process knows; pickled, it takes the device along."""

    __slots__ = ()

    def __reduce__(self) -> tuple[object, ...]:
        return _arrived, (_devices[self].content,)


_devices: dict[str, Device] = {}


def make_known(device: Device) -> DeviceSpec:
    """Let this process know a device by its spec, which is returned."""
    _devices[device.spec] = device
    return DeviceSpec(device.spec)


def known_device(spec: str) -> Device | None:
    """Return the device of a spec; None if it is no such spec, or of none that is known here."""
    return _devices.get(spec)


def carried(spec: str) -> str:
    """Return the spec of a known device as one that travels, and any other as it is."""
    return DeviceSpec(spec) if spec in _devices else spec


def carried_target(target: str | Target) -> str | Target:
    """Return a target as it is, or its spec as one that travels."""
    return carried(target) if isinstance(target, str) else target


def is_device(spec: str) -> bool:
    """Return whether a spec is that of a user's own device."""
    return spec.startswith(f"{FAMILY}:")


@target_family(FAMILY, "device: my-device.toml or .json  a device of your own, see docs/devices.md")
def own_device(size: str, gates: str) -> Target:
    """Return the target of a device of the user's own.

    Raises:
        TargetError: if this process knows no such device.
    """
    spec = f"{FAMILY}:{size}:{gates}"
    if spec not in _devices:
        hint = device_hint(size) or "; give the file that describes it"
        raise TargetError(f"target '{spec.rstrip(':')}' is not known here{hint}")
    return _devices[spec].target()


def _arrived(content: bytes) -> DeviceSpec:
    return make_known(device_from_content(content))


def scaled(value: float | None, unit: float) -> float | None:
    """Return a value in another unit, None if it is unknown."""
    return None if value is None else value * unit
