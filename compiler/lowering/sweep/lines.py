"""Phases on all pairs of wires along a line without a swap: wires hold differences.

Long lines of coupled qubits on a device.

Routing along a line of qubits: chains without swaps, and networks in which all wires meet.
"""

from functools import lru_cache
from graphlib import CycleError, TopologicalSorter

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit.library import UnitaryGate

from compiler.circuits.matrices import Bits, Integers, Matrix, Reals, onto_z
from compiler.circuits.tolerances import SAME
from compiler.compiled import cached_njit
from compiler.lowering.mirror.collapse import axis
from compiler.lowering.mirror.problem import DEVICES, Problem
from compiler.lowering.mirror.unitaries import SWAP, Unitaries

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
        ends: shape (wires, 2, 2), by place: the last gates on each wire.
        phase: of the whole, in radians.
    """

    order: Integers
    couplings: tuple[dict[int, float], ...]
    frames: Matrix
    turns: Reals
    ends: Matrix
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
        result, at = QuantumCircuit(qubits, global_phase=self.phase), line.tolist()
        for place, frames in enumerate(self.frames):
            _append(result, frames[FIRST], at[place])
        for place in range(len(at) - 1, 1, -1):
            result.cx(at[place - 1], at[place])
        for place, couplings in enumerate(self.couplings):
            first, second = self.frames[place]
            own = second @ first.conj().T @ _about_z(self.turns[place, FIRST])
            _append(result, _about_z(self.turns[place, SECOND]) @ own, at[place])
            last = max(couplings, default=place)
            for lower in range(place, last):
                result.cx(at[lower], at[lower + 1])
            for later, theta in couplings.items():
                result.rz(-2 * theta, at[later])
            for lower in range(last - 1, place - 1, -1):
                result.cx(at[lower], at[lower + 1])
            if place + 2 < len(at):
                result.cx(at[place + 1], at[place + 2])
            _append(result, self.ends[place] @ second.conj().T, at[place])
        return result


def ladder_of(gates: Unitaries) -> Ladder | None:
    """Find the ladder that gates are, None if they are none.

    That are those of which any two wires have at most one, all of them exp(iθ a·σ⊗b·σ) and turns
    about these axes, where each wire keeps to one axis and then perhaps to another, all of whose
    partners come later: Fourier transforms, or phases between all wires.
    """
    wires = gates.wires.tolist()
    if len({(min(pair), max(pair)) for pair in wires}) < len(wires):
        return None
    axes: list[list[Matrix]] = [[] for _ in gates.ends]
    lengths: list[float] = [0.0] * len(gates.ends)
    pieces = np.empty((len(wires), 2), np.int32)
    for gate, (pair, unitary) in enumerate(zip(wires, gates.unitaries, strict=True)):
        for side, wire in enumerate(pair):
            direction, own, length = axis(unitary, side), axes[wire], _turn(unitary, side)
            if not direction.any() or np.abs(direction.imag).max() * length > SAME:
                return None
            # Rounding makes the axis of a gate that turns by little inexact.
            apart = np.abs(own[-1] - direction).max() if own else np.inf
            if apart * min(length, lengths[wire]) >= 10 * SAME or not own:
                own.append(direction)
                lengths[wire] = length
            elif length > lengths[wire]:
                own[-1], lengths[wire] = direction, length
            pieces[gate, side] = len(own) - 1
    if max(map(len, axes)) > 2:
        return None
    order = _order(wires, pieces, [len(each) for each in axes])
    return None if order is None else _ladder(gates, axes, np.array(order, np.int32))


def _turn(unitary: Matrix, side: int) -> float:
    """Return how far a unitary is from one that does nothing on one of its wires, at most 1."""
    parts = unitary.reshape(2, 2, 2, 2)
    parts = parts if side else parts.transpose(1, 0, 3, 2)
    idle = np.einsum("abcb,de->adce", parts, np.eye(2)) / 2
    return float(np.linalg.norm(parts - idle) / 2)


def _order(wires: list[list[int]], pieces: Integers, counts: list[int]) -> list[int] | None:
    """Return an order in which a wire's turns about its first axis are with those before them."""
    earlier: dict[int, set[int]] = {wire: set() for wire in range(len(counts))}
    for pair, piece in zip(wires, pieces.tolist(), strict=True):
        for side, wire in enumerate(pair):
            if counts[wire] == 2:
                other = pair[1 - side]
                before, after = (wire, other) if piece[side] == SECOND else (other, wire)
                earlier[after].add(before)
    try:
        return list(TopologicalSorter(earlier).static_order())
    except CycleError:
        return None


def _ladder(gates: Unitaries, axes: list[list[Matrix]], order: Integers) -> Ladder | None:
    count = len(order)
    places = np.empty(count, np.int32)
    places[order] = np.arange(count)
    frames = np.tile(np.eye(2, dtype=np.complex128), (count, 2, 1, 1))
    for place, wire in enumerate(order.tolist()):
        rotations = [onto_z(each.real) for each in axes[wire]]
        if rotations:
            frames[place] = rotations[0], rotations[-1]
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


def _about_z(theta: float) -> Matrix:
    return np.diag(np.exp((1j * theta, -1j * theta)))


def _append(circuit: QuantumCircuit, matrix: Matrix, qubit: int) -> None:
    circuit.append(UnitaryGate(matrix, check_input=False), [qubit])


BEAM = 16
"""Lines that are grown side by side."""
ENDS = 8
"""Qubits from which lines are grown."""


def long_line(neighbours: Integers) -> Integers:
    """Return a long line of coupled qubits, not always the longest.

    Args:
        neighbours: shape (qubits, most neighbours), filled up with -1.
    """
    return _longest(neighbours.tobytes(), neighbours.shape[1])


@lru_cache(DEVICES)
def _longest(neighbours: bytes, width: int) -> Integers:
    """Return the longest of the lines from those ends that have the fewest neighbours."""
    around = np.frombuffer(neighbours, np.int32).reshape(-1, width).copy()
    degrees = (around >= 0).sum(axis=1)
    ends = np.argsort(degrees, kind="stable")[:ENDS]
    return max((_grown(around, end, BEAM) for end in ends.tolist()), key=len)


def with_sides(line: Integers, neighbours: Integers, count: int) -> Integers:
    """Return qubits in a row, those beside a line that is too short taken in from their places.

    Args:
        line: coupled qubits in a row.
        neighbours: as `long_line` takes them.
        count: how many are wanted.

    Returns:
        Shape (count,); fewer if there are no more beside the line.
    """
    missing, used = count - len(line), set(line.tolist())
    order: list[int] = []
    for qubit in line.tolist():
        beside = [near for near in neighbours[qubit].tolist() if near >= 0 and near not in used]
        for near in beside[: max(missing, 0)]:
            order.append(near)
            used.add(near)
            missing -= 1
        order.append(qubit)
    return np.array(order[:count], np.int32)


@cached_njit()
def _grown(neighbours: Integers, end: int, beam: int) -> Integers:
    """Grow lines from one end, and keep those from which most qubits can be reached."""
    qubits, width = len(neighbours), neighbours.shape[1]
    lines, longer = np.empty((beam, qubits), np.int32), np.empty((beam, qubits), np.int32)
    taken = np.zeros((beam, qubits), np.bool_)
    more = np.zeros((beam, qubits), np.bool_)
    scores = np.empty(beam * width, np.int32)
    steps = np.empty((beam * width, 2), np.int32)
    lines[0, 0], taken[0, end] = end, True
    rows, length = 1, 1
    while True:
        count = 0
        for row in range(rows):
            for qubit in neighbours[lines[row, length - 1]]:
                if qubit >= 0 and not taken[row, qubit]:
                    scores[count] = -_reached(neighbours, taken[row], qubit)
                    steps[count, 0], steps[count, 1] = row, qubit
                    count += 1
        if not count:
            return lines[0, :length].copy()
        order = np.argsort(scores[:count], kind="mergesort")[:beam]
        rows = len(order)
        for place in range(rows):
            row, qubit = steps[order[place]]
            longer[place], more[place] = lines[row], taken[row]
            longer[place, length], more[place, qubit] = qubit, True
        lines, longer, taken, more = longer, lines, more, taken
        length += 1


@cached_njit()
def _reached(neighbours: Integers, taken: Bits, first: int) -> int:
    """Return how many free qubits can be reached from one, without dead ends."""
    seen = taken.copy()
    seen[first] = True
    waiting = np.empty(len(neighbours), np.int32)
    waiting[0], size, count = first, 1, 0
    while size:
        size -= 1
        qubit, free = waiting[size], 0
        for near in neighbours[qubit]:
            if near < 0:
                continue
            free += near == first or not taken[near]
            if not seen[near]:
                seen[near] = True
                waiting[size] = near
                size += 1
        count += qubit == first or free > 1
    return count


DENSE = 0.5
"""Share of all pairs of wires that have a gate where it is worth while that all meet."""
MAX_SWEEPS = 32
"""Times that all wires may pass each other."""


def chain_order(gates: Unitaries) -> Integers:
    """Return the wires in an order in which those that have gates are close to each other."""
    # To import them takes longer than most circuits do.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    wires = len(gates.ends)
    rows, columns = gates.wires.T
    graph = coo_array((np.ones(len(rows)), (rows, columns)), (wires, wires)).tocsr()
    return reverse_cuthill_mckee(graph + graph.T, symmetric_mode=True).astype(np.int32)


def is_dense(gates: Unitaries) -> bool:
    """Return whether so many pairs of wires have gates that all of them may as well meet."""
    wires = len(gates.ends)
    pairs = {(min(pair), max(pair)) for pair in gates.wires.tolist()}
    return len(pairs) >= DENSE * wires * (wires - 1) / 2


def swap_network(problem: Problem, line: Integers) -> Integers | None:
    """Do all gates while the wires of a line pass each other, again and again.

    Neighbours do the gates that they can and then change places, which makes one CX more of a
    controlled phase: a Fourier transform on n qubits takes 3n(n - 1)/2 CX. References: Fowler,
    Devitt, Hollenberg, quant-ph/0402196; Kivlichan et al., arXiv:1711.04789.

    Args:
        problem: the problem.
        line: coupled qubits, the i-th of which holds wire i at first.

    Returns:
        Steps as `realise` takes them; None if the wires would have to pass each other too often.
    """
    steps, complete = _network(problem, line)
    return steps if complete else None


@cached_njit()
def _network(problem: Problem, line: Integers) -> tuple[Integers, bool]:
    pairs, offsets, dependants = problem.wires, problem.offsets, problem.dependants
    gates, wires = len(pairs), len(line)
    waits = problem.missing.copy()
    first = np.full((wires, wires), -1, np.int32)
    later = np.full(gates, -1, np.int32)
    for gate in range(gates - 1, -1, -1):
        a, b = pairs[gate]
        later[gate], first[a, b] = first[a, b], gate
    met = np.zeros((wires, wires), np.int32)
    order, rank = np.arange(wires), np.arange(wires)
    steps = np.empty((gates + MAX_SWEEPS * wires * (wires - 1) // 2, 3), np.int32)
    used, left = 0, gates
    for sweep in range(1, MAX_SWEEPS + 1):
        moved, stuck = True, False
        while left and (moved or not stuck):
            moved, stuck = False, not moved
            for place in range(wires - 1):
                a, b = order[place], order[place + 1]
                if rank[a] > rank[b]:
                    continue
                low, high = min(a, b), max(a, b)
                gate = first[low, high]
                while gate >= 0 and waits[gate] == 0:
                    for k in range(offsets[gate], offsets[gate + 1]):
                        waits[dependants[k]] -= 1
                    steps[used, 0] = gate
                    steps[used, 1:] = line[place : place + 2]
                    gate = first[low, high] = later[gate]
                    met[low, high] = sweep
                    used, left, moved = used + 1, left - 1, True
                # They pass each other but once in a sweep, after a gate if they have one. Where
                # all wait for each other, one pair meets again in the next sweep.
                if gate < 0 or met[low, high] == sweep or (stuck and not moved):
                    steps[used, 0] = SWAP
                    steps[used, 1:] = line[place : place + 2]
                    order[place], order[place + 1] = b, a
                    used, moved = used + 1, True
        if not left:
            return steps[:used], True
        for place in range(wires):
            rank[order[place]] = place
    return steps[:used], False
