"""Re-placement of a routed circuit on the device's best qubits and couplers."""

from collections import defaultdict
from collections.abc import Iterator
from math import inf

import numpy as np
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.converters import circuit_to_dag
from qiskit.transpiler import InstructionProperties, Target
from qiskit.transpiler.passes import VF2PostLayout

from compiler.circuits.matrices import Reals
from compiler.circuits.tolerances import ROUNDING
from compiler.dynamic.pieces import of_items
from compiler.lowering.draft import ALL, Draft, Pass, Setting
from compiler.lowering.figures import (
    calibrated,
    expected_fidelity,
    idle_fidelity,
    idle_seconds,
    operations_of,
)
from compiler.targets import is_coupled

CALLS_PER_CANDIDATE = 10_000
"""Pairs of a qubit and a place that are tried, for each candidate of the budget.

A million find the best place of all for circuits on up to 60 qubits of a heavy-hex device.
"""


def _place(draft: Draft, setting: Setting) -> Draft:
    return draft if setting.start is not None else placed(draft, draft.circuit, setting)


def placed(draft: Draft, gates: QuantumCircuit, setting: Setting) -> Draft:
    """Return a draft on the device's best qubits and couplers.

    Args:
        draft: native, on the device's qubits.
        gates: of its circuit, those of every body too, as if nothing were measured.
        setting: the target and the budget.
    """
    places = places_for(evolve(draft, circuit=gates), setting)
    if places is None:
        return draft
    return evolve(
        draft,
        circuit=moved(draft.circuit, places),
        initial_layout=tuple(places[q] for q in draft.initial_layout),
        final_layout=tuple(places[q] for q in draft.final_layout),
    )


def places_for(draft: Draft, setting: Setting) -> dict[int, int] | None:
    """Return the qubit on which each of a device's had better lie; None if all lie well already.

    The expected fidelity grows, readout of measured qubits included: all logical
    qubits, if it is not known which ones are.
    """
    target = setting.fractional or setting.target
    gates = set(draft.circuit.count_ops()) - {"barrier"}
    if not places_differ(target) or not gates <= set(target.operation_names):
        return None
    read = range(len(draft.final_layout)) if draft.measured is None else draft.measured
    circuit = QuantumCircuit(target.num_qubits, len(draft.final_layout))
    circuit.compose(draft.circuit, range(draft.circuit.num_qubits), inplace=True)
    for logical in read:
        circuit.measure(draft.final_layout[logical], logical)
    operations = operations_of(circuit)
    scored, waiting = _with_waits(circuit, idle_seconds(operations, target), target)
    before = expected_fidelity(operations, target) or 0.0
    best = None
    for places in _layouts(scored, waiting, CALLS_PER_CANDIDATE * setting.budget):
        elsewhere = [
            each._replace(qubits=tuple([places[qubit] for qubit in each.qubits]))
            for each in operations
        ]
        after = expected_fidelity(elsewhere, target) or 0.0
        if after > before * (1 + ROUNDING):
            best, before = places, after
    return best


def _layouts(circuit: QuantumCircuit, target: Target, calls: int) -> Iterator[dict[int, int]]:
    """Yield new places of a target's qubits: of all at once, then of those first that interact.

    Each of the others may lie anywhere, so that a search over all tries few places of a pair.
    """
    items = [item for item in circuit.data if item.name != "barrier"]
    paired = {qubit for item in items if len(item.qubits) == 2 for qubit in item.qubits}
    if layout := _searched(circuit, target, calls):
        yield layout
    errors: defaultdict[int, Reals] = defaultdict(lambda: np.zeros(target.num_qubits))
    for item in items:
        if paired.isdisjoint(item.qubits):
            (qubit,) = item.qubits
            errors[circuit.find_bit(qubit).index] += _losses(item.name, target)
    if not errors:
        return
    among = of_items((item for item in items if paired.issuperset(item.qubits)), circuit)
    layout = _searched(among, target, calls) or {}
    places = {q: layout.get(q, q) for q in (circuit.find_bit(qubit).index for qubit in paired)}
    for qubit, losses in errors.items():
        losses[[*places.values()]] = inf
        places[qubit] = int(np.argmin(losses))
    unused = iter(sorted(set(range(target.num_qubits)) - {*places.values()}))
    yield {q: places[q] if q in places else next(unused) for q in range(target.num_qubits)}


def _searched(circuit: QuantumCircuit, target: Target, calls: int) -> dict[int, int] | None:
    """Return the best new places that Qiskit's search meets; None if there are none better."""
    search = VF2PostLayout(target, seed=-1, call_limit=calls, max_trials=-1)
    search.run(circuit_to_dag(circuit))
    layout = search.property_set["post_layout"]
    return layout and {place: layout[qubit] for place, qubit in enumerate(circuit.qubits)}


def _losses(name: str, target: Target) -> Reals:
    """Return the logarithm of a gate's fidelity on each qubit, negated; infinite where it is none.

    Shape (qubits,).
    """
    places = [target[name].get((q,), None) for q in range(target.num_qubits)]
    with np.errstate(divide="ignore"):
        return -np.log1p([-(each.error or 0.0) if each else -1.0 for each in places])


def _with_waits(
    circuit: QuantumCircuit, seconds: Reals, target: Target
) -> tuple[QuantumCircuit, Target]:
    """Return a circuit with a gate for each qubit that waits, and a target that has these gates.

    Their errors are the decay of each of the target's qubits in that time: waiting times
    is taken from where they lie so far, as gates take about as long elsewhere.
    """
    scored, waiting = circuit.copy(), Target(num_qubits=target.num_qubits)
    for name in set(circuit.count_ops()) - {"barrier"}:
        waiting.add_instruction(target.operation_from_name(name), dict(target[name]), name=name)
    for place in np.flatnonzero(seconds):
        gate = Gate(f"wait_{place}", 1, [])
        lost = 1 - idle_fidelity(float(seconds[place]), target)
        errors = {(q,): InstructionProperties(error=float(e)) for q, e in enumerate(lost)}
        waiting.add_instruction(gate, errors)
        scored.append(gate, [int(place)])
    return scored, waiting


def moved(circuit: QuantumCircuit, places: dict[int, int]) -> QuantumCircuit:
    """Return a circuit on other qubits of the same device.

    Args:
        circuit: on the device's qubits.
        places: the new place of each qubit.
    """
    wires = circuit.qubits
    to = {wire: wires[places[index]] for index, wire in enumerate(wires)}
    moved = (
        item.replace(qubits=[to[qubit] for qubit in item.qubits if qubit in to])
        for item in circuit.data
    )
    return of_items(moved, circuit)


def places_differ(target: Target) -> bool:
    """Return whether a target is not fully coupled and has errors for its two-qubit gates."""
    return is_coupled(target) and calibrated(target)


placement = Pass("placement", _place, preserves=ALL, suits=places_differ, takes_parameters=True)
