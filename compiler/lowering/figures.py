"""The figures of a native circuit: sizes, depths, duration, expected fidelity."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np
from attrs import evolve, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import ControlFlowOp
from qiskit.circuit.exceptions import CircuitError
from qiskit.exceptions import QiskitError
from qiskit.transpiler import Target

from compiler.circuits.matrices import Reals
from compiler.dynamic.pieces import body_of
from compiler.fault_tolerant.counting import logical_resources
from compiler.fault_tolerant.resources import PROGRAM_ERROR


@frozen
class Figures:
    """Figures of a native circuit, final measurements included.

    Args:
        qubits: physical qubits that some gate or measurement touches.
        two_qubit_gates: gates on two qubits.
        two_qubit_depth: depth counting only those.
        depth: depth counting gates and measurements.
        gates: all gates, without measurements.
        duration_ns: of the circuit scheduled as early as possible, where the target has durations.
        expected_fidelity: product of (1 - error) of all gates and measurements, and of the decay
            of waiting qubits, see `idle_fidelity`; where the target has errors.
        t_count: T gates of the synthesised circuit on error-corrected qubits, where they were
            asked for, as all that follows: four for a Toffoli gate, rotations at their cost, see
            `compiler.fault_tolerant.resources.LogicalResources.t_count`.
        t_count_unmeasured: T gates of the native circuit as it is written, which clears nothing
            by measurement and looks up no angles.
        t_gates: of `t_count`, those that are T gates themselves.
        toffolis: Toffoli gates, and ANDs, which are measured away.
        rotations: by angles that are no multiple of π/4, each synthesised by itself.
        table_rotations: by tables of angles, each an addition to a phase gradient.
        t_depth: the longest chain of T gates, Toffoli gates and rotations, each as one.
        logical_qubits: of the synthesised circuit, with those of the phase gradient.
    """

    qubits: int
    two_qubit_gates: int
    two_qubit_depth: int
    depth: int
    gates: int
    duration_ns: float | None
    expected_fidelity: float | None
    t_count: int | None = None
    t_count_unmeasured: int | None = None
    t_gates: int | None = None
    toffolis: int | None = None
    rotations: int | None = None
    table_rotations: int | None = None
    t_depth: int | None = None
    logical_qubits: int | None = None


def figures(circuit: QuantumCircuit, target: Target) -> Figures:
    """Count a native circuit, of alternative bodies the one with the most two-qubit gates."""
    circuit = longest_path(circuit)
    operations = operations_of(circuit)
    acting = [each for each in operations if each.name != "barrier"]
    gates = [each for each in acting if each.name not in ("measure", "reset")]
    depth, two_qubit_depth = _depths(operations, circuit)
    return Figures(
        qubits=len({qubit for each in acting for qubit in each.qubits}),
        two_qubit_gates=sum(len(each.qubits) == 2 for each in gates),
        two_qubit_depth=two_qubit_depth,
        depth=depth,
        gates=len(gates),
        duration_ns=_duration_ns(circuit, target),
        expected_fidelity=expected_fidelity(operations, target),
    )


class Operation(NamedTuple):
    """An operation by name, with the indices of its qubits and of its classical bits."""

    name: str
    qubits: tuple[int, ...]
    clbits: tuple[int, ...]


def operations_of(circuit: QuantumCircuit) -> list[Operation]:
    """Return a circuit's operations: figures look at each several times."""
    qubit = {each: place for place, each in enumerate(circuit.qubits)}
    clbit = {each: place for place, each in enumerate(circuit.clbits)}
    return [
        Operation(
            item.name,
            tuple([qubit[each] for each in item.qubits]),
            tuple([clbit[each] for each in item.clbits]),
        )
        for item in circuit.data
    ]


def with_t_gates(
    native_figures: Figures, logical: QuantumCircuit, native: QuantumCircuit
) -> Figures:
    """Return figures together with those of T gates.

    Args:
        native_figures: of the native circuit.
        logical: the circuit before lowering, its operators synthesised.
        native: the circuit, without its measurements.
    """
    counted = logical_resources(logical)
    return evolve(
        native_figures,
        t_count=counted.t_count(PROGRAM_ERROR),
        t_count_unmeasured=logical_resources(native).t_count(PROGRAM_ERROR),
        t_gates=counted.t_gates,
        toffolis=counted.toffolis,
        rotations=counted.rotations,
        table_rotations=counted.table_rotations,
        t_depth=counted.depth,
        logical_qubits=counted.all_qubits(PROGRAM_ERROR),
    )


def longest_path(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit without branches: of the bodies of each the one with the most gates.

    Gates on two qubits count first, all gates then.
    """
    if not circuit.has_control_flow_op():
        return circuit
    path = circuit.copy_empty_like()
    for item in circuit.data:
        if not isinstance(item.operation, ControlFlowOp):
            path.append(item)
            continue
        bodies = [longest_path(body_of(block, circuit, item)) for block in item.operation.blocks]
        longest = max(bodies, key=lambda body: (body.num_nonlocal_gates(), body.size()))
        path.compose(longest, path.qubits, path.clbits, inplace=True)
    return path


def _depths(operations: Sequence[Operation], circuit: QuantumCircuit) -> tuple[int, int]:
    """Return the depth without barriers, at which bits wait all the same, and of gates on two."""
    all_gates = [0] * (circuit.num_qubits + circuit.num_clbits)
    on_two = [*all_gates]
    for name, qubits, clbits in operations:
        bits = qubits + tuple([circuit.num_qubits + clbit for clbit in clbits])
        if not bits:
            continue
        last = max([all_gates[bit] for bit in bits]) + (name != "barrier")
        last_on_two = max([on_two[bit] for bit in bits]) + (len(qubits) == 2)
        for bit in bits:
            all_gates[bit], on_two[bit] = last, last_on_two
    return max(all_gates, default=0), max(on_two, default=0)


def calibrated(target: Target) -> bool:
    """Return whether a target knows the errors of its two-qubit gates."""
    return any(
        properties is not None and properties.error is not None
        for name in target.operation_names
        if target.operation_from_name(name).num_qubits == 2
        for properties in (target[name] or {}).values()
    )


def _duration_ns(circuit: QuantumCircuit, target: Target) -> float | None:
    try:
        return float(circuit.estimate_duration(target, unit="s")) * 1e9
    except (QiskitError, CircuitError):
        return None


def idle_seconds(operations: Sequence[Operation], target: Target) -> Reals:
    """Return how long each qubit waits after its first gate if all gates run as late as possible.

    Args:
        operations: native ones; qubit q is the target's qubit q.
        target: gates of which it has no duration take none.

    Returns:
        Shape (qubits,).
    """
    durations: dict[tuple[str, tuple[int, ...]], float] = {}
    left: dict[int, float] = defaultdict(float)
    waits = [0.0] * target.num_qubits
    for name, qubits, clbits in reversed(operations):
        duration = durations.get((name, qubits))
        if duration is None:
            properties = target.get(name, {}).get(qubits) if name != "barrier" else None
            duration = durations[name, qubits] = (properties and properties.duration) or 0.0
        if len(qubits) == 1 and not clbits:
            left[qubits[0]] += duration
            continue
        bits = qubits + tuple([-1 - clbit for clbit in clbits])
        begin = max([left[bit] for bit in bits], default=0.0)
        if name != "barrier":
            for qubit in qubits:
                waits[qubit] += begin - left[qubit]
        for bit in bits:
            left[bit] = begin + duration
    return np.array(waits)


def idle_fidelity(seconds: Reals | float, target: Target) -> Reals:
    """Return the average fidelity with which each qubit of a target keeps its state for a time.

    It is 1/2 + exp(-t/T2)/3 + exp(-t/T1)/6, the average gate fidelity of amplitude and phase
    damping; 1 where the target has no T1 and T2.

    Args:
        seconds: of all qubits, or for each, shape (qubits,).
        target: with T1 and T2 in seconds.

    Returns:
        Shape (qubits,).
    """
    properties = target.qubit_properties or [None] * target.num_qubits
    times = [((p and p.t1) or inf, (p and p.t2) or inf) for p in properties]
    t1, t2 = np.array(times).T
    return np.asarray(1 / 2 + np.exp(-seconds / t2) / 3 + np.exp(-seconds / t1) / 6)


def expected_fidelity(operations: Sequence[Operation], target: Target) -> float | None:
    """Return the figure of that name; see `Figures`."""
    success = 1.0
    counted = Counter((name, qubits) for name, qubits, _ in operations if name != "barrier")
    for (name, qubits), count in counted.items():
        properties = target[name].get(qubits) if name in target.operation_names else None
        if properties is None or properties.error is None:
            return None
        success *= (1 - properties.error) ** count
    return success * float(idle_fidelity(idle_seconds(operations, target), target).prod())
