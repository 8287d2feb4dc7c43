"""What routers start from, and how their results become drafts."""

from collections.abc import Iterable

import numpy as np
from attrs import frozen
from qiskit.transpiler import Target

from compiler.errors import TargetError
from compiler.lowering.arrays import Complex, Integers
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.figures import figures
from compiler.lowering.mirror.collapse import collapse
from compiler.lowering.mirror.realise import realise
from compiler.lowering.mirror.unitaries import (
    Unitaries,
    as_circuit,
    unitaries_of,
    without_local,
)
from compiler.lowering.native import translated
from compiler.lowering.placement.placement import placement
from compiler.lowering.portfolio import best
from compiler.lowering.qiskit_level_3 import after, level_3
from compiler.targets.gate_sets import uniform_target
from compiler.targets.resonator import without_resonator

WINDOW = 8
"""On how many others a unitary may depend while a partner to merge with is sought."""


@frozen(eq=False)
class Routed:
    """A sequence of gates and swaps.

    Args:
        steps: shape (n, 3), as `realise` takes them.
        start: shape (wires,), the qubit that each logical wire starts on.
    """

    steps: Integers
    start: Integers


@frozen(eq=False)
class Source:
    """An optimised logical circuit that is to be routed.

    Args:
        draft: the circuit before routing.
        gates: the same as arrays.
        start: shape (wires,), the target's qubit that each wire has to start on; None if that
            is free.
    """

    draft: Draft
    gates: Unitaries
    start: Integers | None

    @classmethod
    def of(cls, draft: Draft, setting: Setting) -> "Source":
        """Optimise a draft as if every pair of qubits were coupled."""
        free = uniform_target(max(draft.circuit.num_qubits, 2), None, "cx", default="cx")
        simpler = level_3(draft.circuit, free, setting.seed, any_input=setting.any_input)
        logical = after(draft, simpler)
        gates = unitaries_of(logical.circuit)
        wires, unitaries, costs = collapse(gates.wires, gates.unitaries, WINDOW)
        start = setting.start_of(logical)
        return cls(
            logical,
            without_local(Unitaries(wires, unitaries, gates.ends), costs),
            None if start is None else np.array(start, np.int32),
        )

    def cost(self, routed: Routed) -> int:
        """Return how many CX a routed circuit comes to."""
        wires, unitaries, _, _ = self._realised(routed)
        return int(collapse(wires, unitaries, WINDOW)[2].sum())

    def written(self, routed: Routed, target: Target) -> Draft:
        """Return a routed circuit in the target's native gates."""
        wires, unitaries, initial, final = self._realised(routed)
        wires, unitaries, costs = collapse(wires, unitaries, WINDOW)
        ends = np.tile(np.eye(2, dtype=np.complex128), (target.num_qubits, 1, 1))
        ends[final] = self.gates.ends
        circuit = as_circuit(Unitaries(wires, unitaries, ends), costs, target.num_qubits)
        there = Draft(translated(circuit, target), tuple(initial.tolist()), tuple(final.tolist()))
        return after(self.draft, there)

    def _realised(self, routed: Routed) -> tuple[Integers, Complex, Integers, Integers]:
        fixed = self.start is not None
        return realise(routed.steps, routed.start, self.gates.unitaries, self.gates.wires, fixed)


def best_written(source: Source, found: Iterable[Routed], setting: Setting) -> Draft:
    """Return the best draft by the setting's objective among some routed circuits.

    Where errors decide, each is compared in the best place on the device.
    """
    drafts = [source.written(routed, setting.target) for routed in found]
    if setting.objective == "expected_fidelity":
        drafts = [placement.run(draft, setting) for draft in drafts]
    return best(
        [(draft, figures(draft.circuit, setting.target)) for draft in drafts], setting.objective
    )


def largest_component(target: Target, wires: int) -> tuple[Integers, Integers]:
    """Return the largest connected part of a target.

    Args:
        target: not fully coupled.
        wires: how many qubits are needed.

    Returns:
        Its qubits in rising order, and its edges, shape (n, 2), each in one direction, as
        indices of these.

    Raises:
        TargetError: if it has fewer qubits than needed.
    """
    parts = target.build_coupling_map().connected_components()
    largest = max(parts, key=lambda part: part.size())
    if largest.size() < wires:
        raise TargetError(
            f"{wires} qubits do not fit on {largest.size()} connected ones; use a larger target"
        )
    order = np.argsort(np.array(largest.graph.nodes(), np.int32))
    qubits = np.array(largest.graph.nodes(), np.int32)[order]
    rank = np.argsort(order)
    edges = {tuple(sorted((int(rank[a]), int(rank[b])))) for a, b in largest.get_edges()}
    return qubits, np.array(sorted(edges), np.int32)


def coupled(target: Target) -> bool:
    """Tell whether a target has a coupling map of qubits."""
    return target.build_coupling_map() is not None and without_resonator(target)
