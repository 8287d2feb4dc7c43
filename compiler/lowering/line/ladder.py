"""Phases on all pairs of wires along a line without a swap: wires hold differences."""

from graphlib import CycleError, TopologicalSorter

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit.library import UnitaryGate

from compiler.circuits.tolerances import SAME
from compiler.lowering.arrays import Complex, Integers, Reals
from compiler.lowering.mirror.two_qubit_matrices import axis, same_axis
from compiler.lowering.mirror.unitaries import Unitaries

FIRST, SECOND = 0, 1
"""The axes that a wire may keep to, one after the other."""


@frozen(eq=False)
class Ladder:
    """Wires in an order in which each meets the later ones once it has met the earlier ones.

    Args:
        order: the wires.
        couplings: for each place of the order, θ of exp(iθ Z⊗Z) by the place of the later wire.
        frames: shape (wires, 2, 2, 2), by place: the change of basis that makes a wire's first
            axis Z, and its second one.
        turns: shape (wires, 2), by place: θ of exp(iθ Z) about either axis.
        ends: shape (wires, 2, 2), by place: what follows on each wire.
        phase: of the whole, in radians.
    """

    order: Integers
    couplings: tuple[dict[int, float], ...]
    frames: Complex
    turns: Reals
    ends: Complex
    phase: float

    @property
    def cost(self) -> int:
        """The CX that it takes at most."""
        reaches = sum(max(each) - place for place, each in enumerate(self.couplings) if each)
        return 2 * reaches + 2 * max(len(self.order) - 2, 0)

    def circuit(self, line: Integers, qubits: int) -> QuantumCircuit:
        """Return it in CX between neighbours of a line; every wire stays on its qubit.

        From the second on, each wire holds its difference to the one before it. CX down the line
        then add the first wire to all others' own values; phases follow, and CX back up. So a
        pair takes two CX where a phase and a swap would take three: n² + n − 4 for a Fourier
        transform on n qubits. Reference: Park, Ahn, "Reducing CNOT count in quantum Fourier
        transform for the linear nearest-neighbor architecture", Sci. Rep. 13 (2023) 8638.

        Args:
            line: shape (wires,), coupled qubits in a row.
            qubits: width of the circuit.
        """
        made, at = QuantumCircuit(qubits, global_phase=self.phase), line.tolist()
        for place, frames in enumerate(self.frames):
            _append(made, frames[FIRST], at[place])
        for place in range(len(at) - 1, 1, -1):
            made.cx(at[place - 1], at[place])
        for place, couplings in enumerate(self.couplings):
            first, second = self.frames[place]
            own = second @ first.conj().T @ _about_z(self.turns[place, FIRST])
            _append(made, _about_z(self.turns[place, SECOND]) @ own, at[place])
            last = max(couplings, default=place)
            for lower in range(place, last):
                made.cx(at[lower], at[lower + 1])
            for later, theta in couplings.items():
                made.rz(-2 * theta, at[later])
            for lower in range(last - 1, place - 1, -1):
                made.cx(at[lower], at[lower + 1])
            if place + 2 < len(at):
                made.cx(at[place + 1], at[place + 2])
            _append(made, self.ends[place] @ second.conj().T, at[place])
        return made


def ladder_of(gates: Unitaries) -> Ladder | None:
    """Find the ladder that gates are, None if they are none.

    That are those of which any two wires have at most one, all of them exp(iθ a·σ⊗b·σ) and turns
    about these axes, where each wire keeps to one axis and then perhaps to another, all of whose
    partners come later: Fourier transforms, or phases between all wires.
    """
    wires = gates.wires.tolist()
    if len({(min(pair), max(pair)) for pair in wires}) < len(wires):
        return None
    axes: list[list[Complex]] = [[] for _ in gates.ends]
    pieces = np.empty((len(wires), 2), np.int32)
    for gate, (pair, unitary) in enumerate(zip(wires, gates.unitaries, strict=True)):
        for side, wire in enumerate(pair):
            kept, own = axis(unitary, side), axes[wire]
            if not np.abs(kept).max() or np.abs(kept.imag).max() > SAME:
                return None
            if not (own and same_axis(own[-1], kept)):
                own.append(kept)
            pieces[gate, side] = len(own) - 1
    if max(map(len, axes)) > 2:
        return None
    order = _order(wires, pieces, [len(each) for each in axes])
    return None if order is None else _ladder(gates, axes, np.array(order, np.int32))


def _order(wires: list[list[int]], pieces: Integers, kept: list[int]) -> list[int] | None:
    """Return an order in which what a wire does about its first axis is with those before it."""
    earlier: dict[int, set[int]] = {wire: set() for wire in range(len(kept))}
    for pair, piece in zip(wires, pieces.tolist(), strict=True):
        for side, wire in enumerate(pair):
            if kept[wire] == 2:
                other = pair[1 - side]
                before, after = (wire, other) if piece[side] == SECOND else (other, wire)
                earlier[after].add(before)
    try:
        return list(TopologicalSorter(earlier).static_order())
    except CycleError:
        return None


def _ladder(gates: Unitaries, axes: list[list[Complex]], order: Integers) -> Ladder | None:
    count = len(order)
    places = np.empty(count, np.int32)
    places[order] = np.arange(count)
    frames = np.tile(np.eye(2, dtype=np.complex128), (count, 2, 1, 1))
    for place, wire in enumerate(order.tolist()):
        found = [_to_z(each) for each in axes[wire]]
        if found:
            frames[place] = found[0], found[-1]
    turns, phase = np.zeros((count, 2)), 0.0
    couplings: tuple[dict[int, float], ...] = tuple({} for _ in range(count))
    for pair, unitary in zip(gates.wires.tolist(), gates.unitaries, strict=True):
        high, low = places[pair].tolist()
        of_high, of_low = (SECOND, FIRST) if high < low else (FIRST, SECOND)
        frame = np.kron(frames[high, of_high], frames[low, of_low])
        diagonal = frame @ unitary @ frame.conj().T
        if np.abs(diagonal - np.diag(np.diag(diagonal))).max() > SAME:
            return None
        angles = np.angle(np.diag(diagonal))
        phase += angles.sum() / 4
        turns[high, of_high] += angles @ (1, 1, -1, -1) / 4
        turns[low, of_low] += angles @ (1, -1, 1, -1) / 4
        couplings[min(high, low)][max(high, low)] = float(angles @ (1, -1, -1, 1) / 4)
    return Ladder(order, couplings, frames, turns, gates.ends[order], float(phase))


def _to_z(direction: Complex) -> Complex:
    """Return V with V (a·σ) V† = Z."""
    x, y, z = direction.real
    matrix = np.array([[z, x - 1j * y], [x + 1j * y, -z]])
    _, vectors = np.linalg.eigh(matrix)
    return vectors[:, ::-1].conj().T


def _about_z(theta: float) -> Complex:
    return np.diag(np.exp((1j * theta, -1j * theta)))


def _append(circuit: QuantumCircuit, matrix: Complex, qubit: int) -> None:
    circuit.append(UnitaryGate(matrix, check_input=False), [qubit])
