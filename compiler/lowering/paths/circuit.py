"""Circuits as parts between barriers, and as arrays for the search along paths."""

from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit

from compiler.circuits.matrices import Bits, Integers, Matrix
from compiler.circuits.tolerances import ROUNDING
from compiler.lowering.mirror.problem import Device, problem
from compiler.lowering.mirror.unitaries import Unitaries, merged, unitaries_of
from compiler.lowering.paths.state import Gates
from compiler.lowering.sweep.annealing import annealed
from compiler.synthesis.segments import segments

MOVES = 20_000
"""Moves of the annealing for each wire."""
LONG = 2
"""Parts from a wire's first gate to its last one from which on it has a home."""


@frozen(eq=False)
class Parts:
    """A circuit cut at barriers across all of its qubits.

    Args:
        parts: unitaries of each.
        begins: the first gate of each part, and the number of gates.
        early: of each part, the wires that leave |0⟩ in it before their first gate on two wires,
            or are measured without one; none where no wire is done with.
        gates: of all parts, without homes.
    """

    parts: Sequence[Unitaries]
    begins: Sequence[int]
    early: Sequence[Integers]
    gates: Gates

    @classmethod
    def of(
        cls, circuit: QuantumCircuit, device: Device, measured: Collection[int] | None = None
    ) -> "Parts":
        """Cut a circuit of gates on one and two qubits.

        Args:
            circuit: with barriers.
            device: to be routed on.
            measured: wires that are measured in the end, if others are done with after their
                last gate; None if none is.
        """
        width = circuit.num_qubits
        parts = [merged(unitaries_of(part), 0) for part in segments(circuit, width)]
        begins = np.cumsum([0, *(len(part.wires) for part in parts)]).tolist()
        together = Unitaries(
            np.concatenate([part.wires for part in parts]),
            np.concatenate([part.unitaries for part in parts]),
            parts[0].ends,
        )
        order = problem(together, device)
        ends = order.wires.ravel()
        own = np.argsort(ends, kind="stable").astype(np.int32) // 2
        firsts = np.searchsorted(np.sort(ends), np.arange(width + 1)).astype(np.int32)
        gates = Gates(
            order.wires,
            order.missing,
            order.offsets,
            order.dependants,
            firsts,
            own,
            np.full(width, -1, np.int32),
            np.zeros(width, np.bool_),
        )
        early = [np.empty(0, np.int32) for _ in parts]
        if measured is not None:
            early = _reusing(parts, gates.done_with, measured)
        return cls(parts, begins, early, gates)

    def with_homes(self, device: Device, seed: int) -> Gates:
        """Return the gates with homes for wires with gates in many parts, by annealing.

        Two wires are near each other if they have gates, or if a wire without a home has gates
        with one after the other.
        """
        gates = self.gates
        part_of = np.searchsorted(self.begins, np.arange(len(gates.wires)), side="right")
        width = len(gates.homes)
        lists = [gates.own[gates.firsts[w] : gates.firsts[w + 1]] for w in range(width)]
        long = [len(own) > 0 and part_of[own[-1]] - part_of[own[0]] >= LONG for own in lists]
        index = np.cumsum(long) - 1
        pairs = [(a, b) for a, b in gates.wires.tolist() if long[a] and long[b]]
        for wire, own in enumerate(lists):
            if not long[wire]:
                partners = [int(gates.wires[gate].sum()) - wire for gate in own]
                partners = [other for other in partners if long[other]]
                pairs += [(a, b) for a, b in pairwise(partners) if a != b]
        if not pairs:
            return gates
        near = index[np.array(pairs)].astype(np.int32)
        homes = gates.homes.copy()
        homes[long] = annealed(near, int(sum(long)), device, seed, MOVES)
        return gates._replace(homes=homes)


def _reusing(
    parts: Sequence[Unitaries], done_with: Bits, measured: Collection[int]
) -> list[Integers]:
    """Note the wires that are done with after their last gate; return the early ones of each part.

    No wire is done with on which one-qubit gates act in a later part, in which they would be
    missing.
    """
    begun, alone = np.zeros_like(done_with), np.zeros_like(done_with)
    is_measured = np.isin(np.arange(len(begun)), [*measured])
    early = []
    for number, part in enumerate(parts):
        has_gates = np.isin(np.arange(len(begun)), part.wires)
        begun |= has_gates
        alone = alone & ~has_gates | ~has_gates & ~_is_identity(part.ends)
        last = number == len(parts) - 1
        early.append(np.flatnonzero(~begun & (alone | last & is_measured)).astype(np.int32))
    done_with[:] = begun & ~alone & ~is_measured
    return early


def _is_identity(gates: Matrix) -> Bits:
    """Return which one-qubit gates, shape (n, 2, 2), are the identity up to a phase."""
    phases = gates[:, :1, :1] * np.eye(2)
    return np.asarray(np.abs(gates - phases).max(axis=(1, 2)) < ROUNDING)
