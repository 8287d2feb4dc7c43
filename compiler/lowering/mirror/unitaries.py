"""A circuit as arrays: unitaries on two wires, then one-qubit gates on each wire.

Routed circuits as arrays: the unitaries of a sequence of gates and swaps on a device.
"""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction
from qiskit.circuit.library import CXGate, UnitaryGate
from qiskit.quantum_info import Operator

from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.gate_steps import matrix_of
from compiler.circuits.matrices import HADAMARD, Bits, Integers, Matrix
from compiler.circuits.tolerances import ROUNDING
from compiler.circuits.weyl import local_gates
from compiler.compiled import cached_njit
from compiler.lowering.interactions.in_cx import gates_around_cx
from compiler.lowering.mirror.collapse import collapse, mirrored

CX = CircuitInstruction(CXGate(), QuantumCircuit(2).qubits)
"""Copied for other qubits, which takes a fraction of the time that a new object takes."""
WINDOW = 8
"""On how many others a unitary may depend while a partner to merge with is sought."""

Item: TypeAlias = tuple[tuple[int, ...], Matrix]
"""Wires and the matrix on them; the first wire is the high bit."""


@frozen(eq=False)
class Unitaries:
    """Two-qubit unitaries with nothing in between, then one-qubit gates.

    Args:
        wires: shape (n, 2), in the order of time; the first wire is the high bit of its unitary.
        unitaries: shape (n, 4, 4).
        ends: shape (wires, 2, 2), the one-qubit gate that ends each wire.
    """

    wires: Integers
    unitaries: Matrix
    ends: Matrix

    @property
    def cost(self) -> int:
        """The CX that they take one by one."""
        return sum(map(cx_cost, self.unitaries))


def unitaries_of(circuit: QuantumCircuit, *, rounded: bool = False) -> Unitaries:
    """Push all one-qubit gates of a circuit to its end.

    Args:
        circuit: gates on one or two qubits, and barriers, which are dropped.
        rounded: whether matrices may differ in their last digits, on which searches by chance
            depend but no count; they take a third of the time.

    Raises:
        LoweringError: if a gate is wider.
    """
    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    items = [
        (tuple(index[qubit] for qubit in reversed(item.qubits)), _matrix(item, rounded=rounded))
        for item in circuit.data
        if item.name != "barrier"
    ]
    ends = np.tile(np.eye(2, dtype=np.complex128), (circuit.num_qubits, 1, 1))
    ends[0] *= np.exp(1j * float(circuit.global_phase))
    return pushed(items, ends)


def _matrix(item: CircuitInstruction, *, rounded: bool) -> Matrix:
    matrix = item.matrix if rounded else matrix_of(item.operation)
    return Operator(item.operation).data if matrix is None else matrix


def merged(gates: Unitaries, saving: int, window: int = WINDOW) -> Unitaries:
    """Merge unitaries on the same wires, past all that commutes.

    Those that come out local are pushed to the end, as the one-qubit gates that they are.

    Args:
        gates: to be merged.
        saving: CX that a merger has to save; see `collapse`.
        window: on how many others a unitary may depend before the search for a partner ends.
    """
    items: list[Item] = []
    wires, unitaries, costs = collapse(gates.wires, gates.unitaries, window, saving)
    for (high, low), unitary, cost in zip(wires.tolist(), unitaries, costs, strict=True):
        if cost:
            items.append(((high, low), unitary))
        else:
            on_high, on_low = local_gates(unitary)
            items += [((high,), on_high), ((low,), on_low)]
    items += [((wire,), end) for wire, end in enumerate(gates.ends)]
    return pushed(items, np.tile(np.eye(2, dtype=np.complex128), (len(gates.ends), 1, 1)))


def with_mirrors(gates: Unitaries) -> tuple[Unitaries, tuple[int, ...]]:
    """Write SWAP·U for each unitary U where that takes fewer CX, and exchange its wires after it.

    Returns:
        The unitaries, and for each wire the one where it ends.

    References:
        Cross et al., "Validating quantum computers using randomized model circuits", PRA 100
        (2019) 032328, on mirrored gates.
    """
    place = np.arange(len(gates.ends))
    wires, unitaries = gates.wires.copy(), gates.unitaries.copy()
    for number, pair in enumerate(gates.wires):
        wires[number] = place[pair]
        swapped = mirrored(unitaries[number])
        if cx_cost(swapped) < cx_cost(unitaries[number]):
            unitaries[number] = swapped
            place[pair] = place[pair[::-1]]
    ends = np.empty_like(gates.ends)
    ends[place] = gates.ends
    return Unitaries(wires, unitaries, ends), tuple(place.tolist())


def merged_cost(circuit: QuantumCircuit, window: int = WINDOW) -> int:
    """Return the CX of a circuit where all qubits are coupled, after merging commuting gates.

    Args:
        circuit: gates on one or two qubits; with unbound parameters they are counted as they are.
        window: see `merged`.
    """
    if circuit.parameters:
        return int(circuit.num_nonlocal_gates())
    return cost_of(unitaries_of(circuit, rounded=True), window)


def cost_of(gates: Unitaries, window: int = WINDOW) -> int:
    """Return the CX of unitaries where all qubits are coupled, after merging those that commute."""
    return int(collapse(gates.wires, gates.unitaries, window, 0)[2].sum())


def pushed(items: Iterable[Item], ends: Matrix) -> Unitaries:
    """Push one-qubit gates past all others.

    Args:
        items: wires and matrices.
        ends: shape (wires, 2, 2), one-qubit gates before all; overwritten by those after all.
    """
    wires, on_one, on_two = list[tuple[int, ...]](), list[Matrix](), list[Matrix]()
    for places, matrix in items:
        wires.append((*places, -1)[:2])
        (on_one if len(places) == 1 else on_two).append(matrix)
    places_ = np.array(wires, np.int32).reshape(-1, 2)
    highs, lows = _turned(places_, np.array(on_one, np.complex128).reshape(-1, 2, 2), ends)
    frames = (highs[:, :, None, :, None] * lows[:, None, :, None, :]).reshape(-1, 4, 4)
    unitaries = np.array(on_two, np.complex128).reshape(-1, 4, 4)
    unitaries = frames.conj().swapaxes(1, 2) @ unitaries @ frames
    return Unitaries(places_[places_[:, 1] >= 0], unitaries, ends)


@cached_njit()
def _turned(wires: Integers, on_one: Matrix, ends: Matrix) -> tuple[Matrix, Matrix]:
    """Return the product of all one-qubit gates on either wire before each gate on two wires.

    Args:
        wires: shape (gates, 2), in the order of time; those on one wire have -1 after it.
        on_one: shape (n, 2, 2), the gates on one wire.
        ends: as in `pushed`.
    """
    size = len(wires) - len(on_one)
    highs, lows = np.empty((size, 2, 2), np.complex128), np.empty((size, 2, 2), np.complex128)
    one = two = 0
    for high, low in wires:
        if low < 0:
            ends[high] = np.dot(on_one[one], ends[high])
            one += 1
        else:
            highs[two], lows[two] = ends[high], ends[low]
            two += 1
    return highs, lows


def as_circuit(result: Unitaries, qubits: int, *, late: bool = False) -> QuantumCircuit:
    """Return the circuit in CX and one-qubit unitaries.

    Args:
        result: to be written.
        qubits: width of the circuit.
        late: whether turns that commute with a CX come after it, where they meet the next ones.
    """
    circuit = QuantumCircuit(qubits)
    decomposed = [gates_around_cx(unitary) for unitary in result.unitaries]
    circuit.global_phase = sum(phase for _, phase in decomposed)
    layers = np.array([gate for gates, _ in decomposed for gate in gates], np.complex128)
    counts = np.array([len(gates) // 2 for gates, _ in decomposed], np.int32)
    ends = np.tile(np.eye(2, dtype=np.complex128), (qubits, 1, 1))
    ends[: len(result.ends)] = result.ends
    places, turns = _written(result.wires, counts, layers.reshape(-1, 2, 2, 2), ends, late)
    wires = circuit.qubits
    for (low, high), turned in zip(places.tolist(), turns, strict=True):
        if high < 0:
            gate = UnitaryGate(turned, check_input=False)
            circuit._append(CircuitInstruction(gate, (wires[low],)))
        else:
            circuit._append(CX.replace(qubits=(wires[low], wires[high])))
    return circuit


@cached_njit()
def _written(
    wires: Integers, counts: Integers, layers: Matrix, ends: Matrix, late: bool
) -> tuple[Integers, Matrix]:
    """Return CX and one-qubit gates in the order of time.

    Args:
        wires: as in `Unitaries`; the CX of each are controlled by its second wire.
        counts: shape (n,), layers of one-qubit gates of each, one more than its CX.
        layers: shape (all layers, 2, 2, 2), the gates on the low and on the high bit.
        ends: as in `Unitaries`.
        late: see `as_circuit`.

    Returns:
        Shape (gates, 2), the control and the target of a CX, or a qubit and -1; and shape
        (gates, 2, 2), the matrices of the gates on one qubit.
    """
    qubits, size = len(ends), 3 * len(layers) + len(ends)
    places, turns = np.empty((size, 2), np.int32), np.zeros((size, 2, 2), np.complex128)
    waiting = np.zeros((qubits, 2, 2), np.complex128)
    waiting[:, 0, 0] = waiting[:, 1, 1] = 1.0
    nothing = waiting[0].copy()
    size = first = 0
    for index in range(len(wires)):
        pair = (wires[index, 1], wires[index, 0])
        for layer in range(counts[index]):
            if layer:
                for side in range(2):
                    waits = _last_turn(waiting[pair[side]], side == 1) if late else nothing
                    gate = _product(waits.conj().T, waiting[pair[side]])
                    if np.abs(gate - nothing).max() > ROUNDING:
                        places[size, 0], places[size, 1], turns[size] = pair[side], -1, gate
                        size += 1
                    waiting[pair[side]] = waits
                places[size, 0], places[size, 1] = pair
                size += 1
            for side in range(2):
                waiting[pair[side]] = _product(layers[first + layer, side], waiting[pair[side]])
        first += counts[index]
    for qubit in range(qubits):
        gate = _product(ends[qubit], waiting[qubit])
        if np.abs(gate - nothing).max() > ROUNDING:
            places[size, 0], places[size, 1], turns[size] = qubit, -1, gate
            size += 1
    return places[:size], turns[:size]


@cached_njit()
def _product(second: Matrix, first: Matrix) -> Matrix:
    """Return the product of two matrices of one qubit."""
    result = np.empty((2, 2), np.complex128)
    for row in range(2):
        for column in range(2):
            result[row, column] = (
                second[row, 0] * first[0, column] + second[row, 1] * first[1, column]
            )
    return result


@cached_njit()
def _last_turn(gate: Matrix, about_x: bool) -> Matrix:
    """Return the turn about Z, or about X, that a one-qubit gate ends with."""
    if about_x:
        return _product(HADAMARD, _product(_last_turn_about_z(_product(HADAMARD, gate)), HADAMARD))
    return _last_turn_about_z(gate)


@cached_njit()
def _last_turn_about_z(gate: Matrix) -> Matrix:
    turn = 1.0 + 0.0j
    if abs(gate[0, 0]) > ROUNDING:
        turn = (gate[1, 0] if abs(gate[1, 0]) > ROUNDING else gate[1, 1]) / gate[0, 0]
    result = np.zeros((2, 2), np.complex128)
    result[0, 0], result[1, 1] = 1.0, turn / abs(turn)
    return result


SWAP = -1
"""Stands for a swap where a step would name a gate."""

Realised = tuple[Integers, Matrix, Integers, Integers]
"""Wires, unitaries, and for each logical wire its qubit at the start and at the end."""


@cached_njit()
def realise(
    steps: Integers, start: Integers, unitaries: Matrix, wires: Integers, fixed: bool
) -> Realised:
    """Write a sequence of gates and swaps as unitaries on a device's qubits.

    A swap of two qubits that nothing has acted on, or will act on, is done by naming. A swap
    with a qubit that holds no logical wire, and is |0⟩, is half a swap: two CX.

    Args:
        steps: shape (n, 3), each a gate's index or `SWAP`, and the two qubits it acts on.
        start: shape (logical wires,), their qubits.
        unitaries: shape (gates, 4, 4).
        wires: shape (gates, 2), the logical wires of each gate.
        fixed: whether the wires have to start where they do, so that something has acted on all
            qubits before.
    """
    size = 1 + max(start.max(), steps[:, 1:].max() if len(steps) else 0)
    initial, final = start.copy(), start.copy()
    held = np.full(size, -1, np.int32)
    held[start] = np.arange(len(start))
    needless = _needless(steps, size)
    places = np.empty((len(steps), 2), np.int32)
    matrices = np.empty((len(steps), 4, 4), np.complex128)
    touched = np.full(size, fixed)
    count = 0
    for index in range(len(steps)):
        gate, a, b = steps[index]
        if gate >= 0:
            places[count, 0], places[count, 1] = final[wires[gate, 0]], final[wires[gate, 1]]
            matrices[count] = unitaries[gate]
            count += 1
            touched[a] = touched[b] = True
            continue
        if needless[index]:
            continue
        fresh = not (touched[a] or touched[b])
        if not fresh and (held[a] >= 0 or held[b] >= 0):
            source, target = (b, a) if held[a] < 0 else (a, b)
            places[count, 0], places[count, 1] = source, target
            matrices[count] = _swap(held[target] < 0)
            count += 1
            touched[a] = touched[b] = True
        held[a], held[b] = held[b], held[a]
        for place in (a, b):
            if held[place] >= 0:
                final[held[place]] = place
                if fresh:
                    initial[held[place]] = place
    return places[:count], matrices[:count], initial, final


@cached_njit()
def _needless(steps: Integers, size: int) -> Bits:
    """Return which steps are swaps after which no gate acts on either of their qubits."""
    later = np.zeros(size, np.bool_)
    needless = np.zeros(len(steps), np.bool_)
    for index in range(len(steps) - 1, -1, -1):
        gate, a, b = steps[index]
        if gate < 0 and not (later[a] or later[b]):
            needless[index] = True
        else:
            later[a] = later[b] = True
    return needless


@cached_njit()
def _swap(half: bool) -> Matrix:
    """Return a swap, or cheaper gates that equal it while its second wire is |0⟩."""
    matrix = np.zeros((4, 4), np.complex128)
    if half:
        matrix[0, 0] = matrix[1, 2] = matrix[2, 3] = matrix[3, 1] = 1
    else:
        matrix[0, 0] = matrix[1, 2] = matrix[2, 1] = matrix[3, 3] = 1
    return matrix
