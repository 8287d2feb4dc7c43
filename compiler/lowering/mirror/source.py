"""The circuits that routers start from, and drafts of their results."""

from collections.abc import Iterable
from functools import cached_property, lru_cache, partial

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from compiler.caches import cached_result
from compiler.circuits.matrices import Integers, Matrix
from compiler.compiled import cached_njit
from compiler.dynamic.pieces import of_items
from compiler.errors import LoweringError, TargetError
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.figures import figures
from compiler.lowering.mirror.collapse import collapse
from compiler.lowering.mirror.parametrised import Parametrised
from compiler.lowering.mirror.problem import Device, Problem, backwards, device_of, problem
from compiler.lowering.mirror.unitaries import (
    SWAP,
    WINDOW,
    Realised,
    Unitaries,
    as_circuit,
    merged,
    realise,
    unitaries_of,
)
from compiler.lowering.native import translated
from compiler.lowering.pipeline import best
from compiler.lowering.placement import placement
from compiler.lowering.qiskit_level_3 import after, if_all_coupled
from compiler.targets import is_coupled
from compiler.targets.resonator import without_resonator

MANY = 128
"""Blocks beyond which they are routed, and not the gates that they are made of."""
MAX_TARGETS = 8
"""Size of the cache of targets."""
SAVING = 1
"""CX that a merger has to save where gates are counted."""
DEAD_END = 2**31 - 1
"""The cost of a search that did not reach the end."""


@frozen(eq=False)
class Routed:
    """A sequence of gates and swaps.

    Args:
        source: whose gates they are.
        steps: shape (n, 3), as `realise` takes them, on qubits of the source's device.
        start: shape (wires,), the qubit that each logical wire starts on.
    """

    source: "Source"
    steps: Integers
    start: Integers

    @cached_property
    def cost(self) -> int:
        """The CX that it comes to; more than any other's if not all gates are done."""
        if (self.steps[:, 0] >= 0).sum() < len(self.source.gates.wires):
            return DEAD_END
        return int(self._collapsed()[2].sum())

    @cached_property
    def end(self) -> Integers:
        """The qubit that each wire ends on, shape (wires,)."""
        return self.source.replayed(self.steps, self.start)[0]

    @cached_property
    def depth(self) -> int:
        """The depth that counts only those CX."""
        wires, _, costs = self._collapsed()
        layers: dict[int, int] = {}
        for (a, b), cost in zip(wires.tolist(), costs.tolist(), strict=True):
            layers[a] = layers[b] = max(layers.get(a, 0), layers.get(b, 0)) + cost
        return max(layers.values(), default=0)

    @property
    def swaps(self) -> int:
        """The swaps between its gates."""
        return int((self.steps[:, 0] == SWAP).sum())

    def written(self, target: Target, *, late: bool = False) -> Draft:
        """Return it in the target's native gates; see `as_circuit` for `late`.

        Cached, as searches from many layouts end in few routes.
        """
        key = (self.source, self.steps.tobytes(), self.start.tobytes(), target, late)
        return cached_result(key, partial(self._written, target, late=late))

    def _written(self, target: Target, *, late: bool) -> Draft:
        source = self.source
        if source.parametrised is not None:
            lowered = source.parametrised.written(source.gates.wires, self._realised, target)
            return after(source.draft, lowered)
        _, _, initial, final = self._realised(source.gates.unitaries)
        wires, unitaries, _ = self._collapsed()
        ends = np.tile(np.eye(2, dtype=np.complex128), (target.num_qubits, 1, 1))
        ends[final] = source.gates.ends
        circuit = as_circuit(Unitaries(wires, unitaries, ends), target.num_qubits, late=late)
        lowered = Draft(translated(circuit, target), tuple(initial.tolist()), tuple(final.tolist()))
        return after(source.draft, lowered)

    def _collapsed(self) -> tuple[Integers, Matrix, Integers]:
        """Return wires, unitaries and CX of its gates and swaps, merged."""
        wires, unitaries, _, _ = self._realised(self.source.gates.unitaries)
        return collapse(wires, unitaries, WINDOW, SAVING)

    def _realised(self, unitaries: Matrix) -> Realised:
        """Return the routed circuit on the target's qubits."""
        source, fixed = self.source, self.source.start is not None
        places, matrices, initial, final = realise(
            self.steps, self.start, unitaries, source.gates.wires, fixed
        )
        return source.qubits[places], matrices, source.qubits[initial], source.qubits[final]


@frozen(eq=False)
class Source:
    """An optimised logical circuit that is to be routed.

    Args:
        draft: the circuit before routing.
        gates: the same as arrays.
        qubits: the target's qubits in use.
        device: these, by index.
        start: shape (wires,), the qubit of the device that each wire has to start on; None if
            that is free.
        parametrised: the circuit that the arrays are of at random values, if it has parameters.
    """

    draft: Draft
    gates: Unitaries
    qubits: Integers
    device: Device
    start: Integers | None
    parametrised: Parametrised | None = None

    @classmethod
    def of(cls, draft: Draft, setting: Setting) -> "Source":
        """Optimise a draft as if every pair of qubits were coupled."""
        logical = if_all_coupled(draft, setting, "cx")
        return cls._merged(logical, SAVING, setting)

    @classmethod
    def in_blocks(cls, draft: Draft, setting: Setting) -> "Source":
        """Multiply all gates that can be brought together in a draft, also where that saves no CX.

        There are fewer gates to route then, and more of them commute: rotations exp(iθ Z⊗Z) do,
        where two CX about a rotation do not.

        Swaps become new names. Nothing else simplifies the circuit, unless it has gates on more
        than two qubits.

        Args:
            draft: to be routed.
            setting: with the places where wires have to start.
        """
        if any(len(item.qubits) > 2 and item.name != "barrier" for item in draft.circuit.data):
            draft = if_all_coupled(draft, setting, "cx")
        draft = after(draft, without_swaps(draft.circuit))
        return cls._merged(draft, 0, setting)

    @classmethod
    def _merged(cls, draft: Draft, saving: int, setting: Setting) -> "Source":
        start, fixed = setting.start_of(draft), None
        qubits, edges = largest_component(setting.target, draft.circuit.num_qubits)
        if start is not None:
            if not {*start} <= {*qubits.tolist()}:
                raise LoweringError("a qubit is not connected to the others")
            fixed = np.searchsorted(qubits, start).astype(np.int32)
        parametrised = Parametrised.of(draft.circuit) if draft.circuit.parameters else None
        gates = (
            parametrised.unitaries
            if parametrised is not None
            else merged(unitaries_of(draft.circuit), saving)
        )
        return cls(draft, gates, qubits, device_of(edges), fixed, parametrised)

    @cached_property
    def ways(self) -> tuple[Problem, Problem]:
        """The problem of routing all gates, forwards and backwards."""
        return problem(self.gates, self.device), problem(backwards(self.gates), self.device)

    def replayed(self, steps: Integers, start: Integers) -> tuple[Integers, Integers]:
        """Return the layout after some steps, and 1 for each qubit that something has acted on."""
        touched = np.full(len(self.qubits), self.start is not None, np.int32)
        return _replay(steps, start, touched)


@cached_njit()
def _replay(steps: Integers, start: Integers, touched: Integers) -> tuple[Integers, Integers]:
    places = start.copy()
    held = np.full(len(touched), -1, np.int32)
    held[start] = np.arange(len(start))
    for index in range(len(steps)):
        gate, a, b = steps[index]
        if gate >= 0 or touched[a] or touched[b]:
            touched[a] = touched[b] = 1
        if gate >= 0:
            continue
        held[a], held[b] = held[b], held[a]
        for place in (a, b):
            if held[place] >= 0:
                places[held[place]] = place
    return places, touched


def without_swaps(circuit: QuantumCircuit) -> Draft:
    """Return a circuit whose swaps are a permutation of its qubits at the end."""
    if "swap" not in circuit.count_ops():
        return Draft.of(circuit)
    wires = circuit.qubits
    held = {wire: wire for wire in wires}
    items = []
    for item in circuit.data:
        if item.name == "swap":
            a, b = item.qubits
            held[a], held[b] = held[b], held[a]
        else:
            items.append(item.replace(qubits=[held[wire] for wire in item.qubits]))
    index = {wire: place for place, wire in enumerate(wires)}
    final = tuple(index[held[wire]] for wire in wires)
    return Draft(of_items(items, circuit), tuple(range(len(wires))), final)


def best_written(routes: Iterable[Routed], setting: Setting) -> Draft:
    """Return the best draft by the setting's objective among some routed circuits.

    Where errors decide, each is compared in the best place on the device.
    """
    drafts = (routed.written(setting.target, late=setting.any_input) for routed in routes)
    if setting.objective == "expected_fidelity":
        drafts = (placement.run(draft, setting) for draft in drafts)
    return best_of(drafts, setting)


def best_of(drafts: Iterable[Draft], setting: Setting) -> Draft:
    """Return the best draft by the setting's objective, of as good ones the first."""
    candidates = [*dict.fromkeys(drafts)]
    if len(candidates) == 1:
        return candidates[0]
    counted = [(each, figures(each.circuit, setting.target)) for each in candidates]
    return best(counted, setting.objective)


@lru_cache(MAX_TARGETS)
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
    """Return whether a target has a coupling map of qubits."""
    return is_coupled(target) and without_resonator(target)
