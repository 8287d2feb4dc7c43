"""Simulators with or without the noise of a device, and their preparation of circuits."""

import rustworkx as rx
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, ControlFlowOp, Qubit
from qiskit.circuit.library import XGate
from qiskit.transpiler import PassManager, Target
from qiskit.transpiler.passes import ALAPScheduleAnalysis, PadDelay, PadDynamicalDecoupling

from backends.backend import Calibration, CircuitJob, LocalBackend
from backends.calibration import errors_met, target_errors
from compiler.errors import InputError, MissingExtraError, nearest
from compiler.targets.calibration import calibrated_spec, calibrated_target, require_calibration
from compiler.targets.device import FAMILY, carried, is_device, known_device
from compiler.targets.ibm_devices import CURRENT, SDK, snapshot_names
from compiler.words.run_options import AMPLIFYING


class DeviceSimulator(LocalBackend):
    """A simulator without noise, or with that of a device.

    Args:
        name: of its family, such as `aer`.
        argument: empty, a device, or `device:variant`; a device may be a user's own spec.
        variant: allowed after a device's name.

    Attributes:
        device: whose noise is simulated; empty for none.
        has_variant: whether the variant is requested.
    """

    def __init__(self, name: str, argument: str, variant: str) -> None:
        own = ":".join(argument.split(":")[:3]) if argument.startswith(f"{FAMILY}:") else ""
        devices = (*snapshot_names(), *([own] if known_device(own) else []))
        allowed = (*devices, *(f"{device}:{variant}" for device in devices))
        if argument not in ("", *allowed):
            MissingExtraError.require(SDK)
            near = nearest(argument, allowed)
            names = ", ".join(f"{name}:{device}" for device in CURRENT)
            raise InputError(
                f"backend '{name}:{argument}': there is no device '{argument}'; "
                + (
                    f"did you mean '{name}:{near}'?"
                    if near
                    else f"write {names} or a file of your own such as {name}:my-device.toml, with "
                    f"':{variant}' after it if you like, or '{name}' alone for no noise"
                )
            )
        self.has_variant = argument.endswith(f":{variant}")
        self.device = carried(argument.removesuffix(f":{variant}"))
        if self.device == own:
            require_calibration(self.device, waits=self.has_variant)

    def default_target(self) -> str:
        """Return the device's target, or a fully coupled one without noise."""
        return calibrated_spec(self.device) if self.device else super().default_target()

    def treatments(self) -> frozenset[str]:
        """Return the capabilities that do not depend on the simulation."""
        return frozenset({AMPLIFYING}) if self.device else frozenset()

    def reads_with_errors(self) -> bool:
        """Return whether this is the simulator of a device."""
        return bool(self.device)

    def calibration(self, job: CircuitJob) -> Calibration | None:
        """Return the contents of a user's device file; shipped devices never change."""
        if not is_device(self.device):
            return None
        errors = errors_met(target_errors(calibrated_target(self.device)), job.circuit)
        return Calibration("", errors) if errors else None

    def accepts(self, target: str) -> bool:
        """Accept the device's own target only, since errors belong to its gates and edges."""
        return not self.device or target == calibrated_spec(self.device)


def light_cone(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit without barriers and without operations that no measurement depends on.

    Noise preserves probability, so operations outside the measurements' backward light cone change
    no outcome, with noise or without. Aer does the same, but fails on branches there.
    """
    items: list[CircuitInstruction] = []
    cone: set[Qubit] = set()
    for item in reversed(circuit.data):
        if item.operation.name == "barrier":
            continue
        if _writes(item) or cone.intersection(item.qubits):
            cone.update(item.qubits)
            items.append(item)
    reduced = circuit.copy_empty_like()
    for item in reversed(items):
        reduced.append(item)
    return reduced


def independent_parts(circuit: QuantumCircuit) -> list[QuantumCircuit]:
    """Return a circuit as circuits on the same qubits and bits of which no two share any.

    Args:
        circuit: without barriers.
    """
    bits = {bit: place for place, bit in enumerate((*circuit.qubits, *circuit.clbits))}
    graph = rx.PyGraph()
    graph.add_nodes_from(list(bits))
    places = [[bits[bit] for bit in (*item.qubits, *item.clbits)] for item in circuit.data]
    graph.add_edges_from_no_data([(own[0], other) for own in places for other in own[1:]])
    part_of = {place: n for n, own in enumerate(rx.connected_components(graph)) for place in own}
    parts: dict[int, QuantumCircuit] = {}
    for item, own in zip(circuit.data, places, strict=True):
        part = part_of[own[0]]
        if part not in parts:
            parts[part] = circuit.copy_empty_like()
        parts[part].append(item)
    return list(parts.values())


def _writes(item: CircuitInstruction) -> bool:
    """Return whether an operation measures, or measures in a branch."""
    if isinstance(item.operation, ControlFlowOp):
        return any(_writes(inner) for block in item.operation.blocks for inner in block.data)
    return bool(item.clbits)


def scheduled(circuit: QuantumCircuit, device: str) -> QuantumCircuit:
    """Return a circuit whose idle times, as late as possible, are explicit delays."""
    target = calibrated_target(device)
    return PassManager([ALAPScheduleAnalysis(target=target), PadDelay(target=target)]).run(circuit)


def decoupled(circuit: QuantumCircuit, target: Target) -> QuantumCircuit:
    """Return a circuit in whose idle times qubits are flipped forth and back, by Qiskit's own pass.

    Idle times are explicit delays, as late as possible; those without room for flips stay delays.

    Args:
        circuit: native, without branches.
        target: with the durations of all of its gates, and of `x`.
    """
    padding = PadDynamicalDecoupling(target=target, dd_sequence=[XGate(), XGate()])
    return PassManager([ALAPScheduleAnalysis(target=target), padding]).run(circuit)
