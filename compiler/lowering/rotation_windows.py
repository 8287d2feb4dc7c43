"""Windows on few qubits, built anew from their Pauli rotations by tket."""

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit

from compiler.circuits.gate_order import by_urgency
from compiler.circuits.matrices import Matrix
from compiler.lowering.barriers import between_barriers
from compiler.lowering.draft import Draft, Pass, Property, Setting
from compiler.lowering.mirror.unitaries import cost_of, pushed
from compiler.lowering.qiskit_level_3 import after
from compiler.lowering.tket import (
    GATES,
    INVERSES,
    Gate,
    from_rotations,
    is_generic,
    item_of,
    plain_gates,
)
from compiler.targets import is_coupled

MAX_CACHED = 4_096
"""Windows that are cached; many circuits repeat few."""

WINDOWS = ((3, False), (4, True), (8, True))
"""Qubits of the windows that are resynthesised one after the other, and whether from the end.

From |0…0⟩ all begin at the beginning, where later passes know the state. A quick attempt ends
where the first windows save nothing.
"""
ROUNDS = 2
"""Repetitions of all windows on any input, except in quick attempts."""
QUICK_WINDOWED, MAX_WINDOWED = 1_000, 5_000
"""Two-qubit gates up to which circuits are resynthesised in windows."""


@between_barriers
def _resynthesise(draft: Draft, setting: Setting) -> Draft:
    """Build windows on few qubits anew from their Pauli rotations where that takes fewer gates.

    Gates that are local stay so, other than where the whole circuit is built anew.
    """
    plain = plain_gates(draft, setting)
    max_gates = QUICK_WINDOWED if setting.quick else MAX_WINDOWED
    if plain.num_nonlocal_gates() > max_gates or (setting.quick and is_generic(plain)):
        return draft
    rewritten = [_Rewritten.of(Draft.of(plain))]
    rebased = is_coupled(setting.target)
    rounds = ROUNDS if setting.any_input and not setting.quick else 1
    for width, backwards in WINDOWS * rounds:
        if backwards and setting.any_input:
            rewritten.append(rewritten[-1].inverse().in_windows(width, rebased=rebased).inverse())
        else:
            rewritten.append(rewritten[-1].in_windows(width, rebased=rebased))
        if setting.quick and rewritten[1].cost >= rewritten[0].cost:
            return draft
    best = min(rewritten, key=lambda each: each.cost)
    if best is rewritten[0]:
        return draft
    return after(draft, Draft(best.circuit(), best.initial, best.final))


@frozen(eq=False)
class _Rewritten:
    """A circuit or a window as a sequence of gates; its qubits may change places.

    Args:
        gates: those that tket is given or builds, up to the global phase.
        initial: for each qubit, the one that holds it at the start.
        final: for each qubit, the one that holds it at the end.
    """

    gates: tuple[Gate, ...]
    initial: tuple[int, ...]
    final: tuple[int, ...]

    @classmethod
    def of(cls, draft: Draft) -> "_Rewritten":
        """Return a draft of these gates as it is, without its global phase."""
        index = {qubit: wire for wire, qubit in enumerate(draft.circuit.qubits)}
        gates = tuple(
            (item.name, tuple(item.params), tuple(index[qubit] for qubit in item.qubits))
            for item in draft.circuit.data
        )
        return cls(gates, draft.initial_layout, draft.final_layout)

    @cached_property
    def cost(self) -> int:
        """The CX that are left where all qubits are coupled and gates that commute are merged."""
        items = [(places[::-1], _matrix(name, angles)) for name, angles, places in self.gates]
        ends = np.tile(np.eye(2, dtype=np.complex128), (len(self.initial), 1, 1))
        return cost_of(pushed(items, ends))

    def inverse(self) -> "_Rewritten":
        """Return the inverse."""
        gates = tuple(
            (INVERSES[name], tuple(-angle for angle in angles), places)
            for name, angles, places in reversed(self.gates)
        )
        return _Rewritten(gates, self.final, self.initial)

    def in_windows(self, width: int, *, rebased: bool) -> "_Rewritten":
        """Build windows on so many qubits anew, where that takes fewer gates each."""
        places = [*range(len(self.initial))]
        gates: list[Gate] = []
        for window in _windows_of(_in_order(self.gates), width):
            wires = sorted({place for _, _, at in window for place in at})
            local = {wire: at for at, wire in enumerate(wires)}
            built = _built(
                len(wires),
                tuple((name, angles, tuple(local[q] for q in at)) for name, angles, at in window),
                rebased=rebased,
            )
            slots = dict(zip(built.initial, [places[wire] for wire in wires], strict=True))
            for name, angles, at in built.gates:
                gates.append((name, angles, tuple(slots[q] for q in at)))
            for wire, last in zip(wires, built.final, strict=True):
                places[wire] = slots[last]
        final = tuple(places[place] for place in self.final)
        return _Rewritten(tuple(gates), self.initial, final)

    def circuit(self) -> QuantumCircuit:
        """Return the circuit."""
        circuit = QuantumCircuit(len(self.initial))
        qubits = circuit.qubits
        for name, angles, places in self.gates:
            circuit._append(item_of(name, angles, [qubits[place] for place in places]))
        return circuit


@lru_cache(MAX_CACHED)
def _matrix(name: str, angles: tuple[float, ...]) -> Matrix:
    return GATES[name].replace(params=angles).matrix


def _in_order(gates: Sequence[Gate]) -> list[Gate]:
    """Return gates, those on one qubit as early as they can be."""
    last, before = dict[int, int](), list[set[int]]()
    for index, (_, _, places) in enumerate(gates):
        before.append({last[place] for place in places if place in last})
        last |= dict.fromkeys(places, index)
    return [gates[index] for index in by_urgency(before, [len(places) for _, _, places in gates])]


def _windows_of(gates: Iterable[Gate], width: int) -> list[list[Gate]]:
    """Return gates in windows on few qubits, in an order in which these can be applied.

    They are those of Qiskit's `CollectMultiQBlocks`, which takes ten times as long.

    Args:
        gates: those on one qubit as early as they can be.
        width: qubits of a window at most, two or more.
    """
    windows: list[list[Gate]] = []
    groups: dict[int, tuple[list[int], list[Gate]]] = {}
    for gate in gates:
        places = set(gate[2])
        joined = [groups.setdefault(place, ([place], [])) for place in places]
        if joined[0] is not joined[-1]:
            excess = sum(len(qubits) for qubits, _ in joined) - width
            for qubits, held in sorted(joined, key=lambda g: (len(g[0]), g[0][0]), reverse=True):
                if excess > 0:
                    excess -= len(qubits) - 1
                    windows.append(held)
                    groups |= {qubit: ([qubit], []) for qubit in qubits}
            joined = [groups[place] for place in places]
            first, last = sorted(joined, key=lambda group: len(group[1]), reverse=True)
            first[0].extend(last[0])
            first[1].extend(last[1])
            groups |= dict.fromkeys(last[0], first)
            joined = [first]
        joined[0][1].append(gate)
    left = [held for place, (qubits, held) in groups.items() if place == qubits[0]]
    return [window for window in windows + left if window]


@lru_cache(MAX_CACHED)
def _built(qubits: int, gates: tuple[Gate, ...], *, rebased: bool) -> _Rewritten:
    """Return a window, built anew where that takes fewer gates.

    Args:
        qubits: of the window.
        gates: name, angles and qubits of each.
        rebased: see `from_rotations`.
    """
    places = tuple(range(qubits))
    window = _Rewritten(gates, places, places)
    if qubits < 3 or window.cost <= 2:
        return window
    rewritten = _Rewritten.of(from_rotations(window.circuit(), rebased=rebased))
    return rewritten if rewritten.cost < window.cost else window


tket_windows = Pass("pauli-windows", _resynthesise, preserves={Property.GATES}, rebuilds=True)
