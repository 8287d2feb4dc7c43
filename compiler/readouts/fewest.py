"""A circuit that reads as few qubits as tell the outcome, without gates that nobody reads."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import CircuitInstruction, Qubit

from compiler.circuits.tolerances import ROUNDING
from compiler.errors import InputError, VerificationError
from compiler.measurement import final_measurements
from compiler.readouts.backward import DIAGONAL, base_name, is_classical, put_off
from compiler.readouts.classical_runs import ClassicalRun, controls_of, without_runs
from compiler.verification.simulation.exact import exact_state


def deciding_qubits(
    bits: NDArray[np.bool_], labels: Sequence[int], costs: Sequence[float]
) -> list[int]:
    """Return columns by which rows of different labels differ, none of which can be spared.

    The dearest columns are given up first, wherever the others still tell; of equal ones the
    last.

    Args:
        bits: shape (rows, columns).
        labels: of the rows.
        costs: of the columns.

    Returns:
        The columns, in their order.

    Raises:
        InputError: if two equal rows have different labels.
    """
    kept = list(range(len(costs)))
    _, classes = np.unique(labels, return_inverse=True)
    if not _tells(bits, classes, kept):
        raise InputError("equal bits stand for different outcomes: more must be read")
    for column in sorted(kept, key=lambda column: (costs[column], column), reverse=True):
        others = [other for other in kept if other != column]
        if _tells(bits, classes, others):
            kept = others
    return kept


def _tells(bits: NDArray[np.bool_], classes: NDArray[np.intp], columns: list[int]) -> bool:
    """Tell whether rows that are equal in some columns are of the same class."""
    group = np.zeros(len(bits), np.intp)
    if columns:
        _, group = np.unique(np.packbits(bits[:, columns], axis=1), axis=0, return_inverse=True)
    of_group = np.empty(len(bits), np.intp)
    of_group[group] = classes
    return np.array_equal(of_group[group], classes)


READ = "read"
"""The name of the classical register."""


@frozen(eq=False)
class FewReadouts:
    """A circuit that reads few qubits, and what they say.

    Args:
        circuit: gates and operators, with final measurements into one register.
        outcomes: by what is read; anything else is impossible.
    """

    circuit: QuantumCircuit
    outcomes: Mapping[int, int]


def fewest_readouts(circuit: QuantumCircuit, outcome: Callable[[int], int | None]) -> FewReadouts:
    """Return what a circuit does, read from as few qubits as tell the outcome.

    1. Gates at the end that take each basis state to one basis state are left out: what they
       would have done to each state before them is computed.
    2. Of all qubits, some whose values tell the outcome are read, and none that could be spared.
       Those that are done with early stay, so that more can be left out after them. An outcome
       that is certain is read from one qubit all the same.
    3. Gates that change nothing that is read then are left out.

    The outcomes are distributed as before, and nothing is known of them that was not computed
    from the circuit's own exact state.

    Args:
        circuit: gates and operators from |0…0⟩, with final measurements.
        outcome: what measured classical bits of `circuit` stand for.

    Raises:
        StateTooLargeError: if the state is too large, or the circuit measures on the way.
        VerificationError: if the circuit can end in something that stands for no outcome.
    """
    gates, measured = final_measurements(circuit)
    split = put_off(gates.data, is_classical)
    qubits = list(gates.qubits)
    state = exact_state(_of_items(circuit, split.kept))
    bits = state.bits[np.abs(state.amplitudes) ** 2 > ROUNDING]
    ended = _permuted(bits, split.late, qubits)
    labels = [_outcome(outcome, row, measured) for row in ended]
    last = _last_gates(split.kept, qubits)
    chosen = deciding_qubits(bits, labels, last) or [last.index(min(last))]
    read = [qubits[column] for column in chosen]
    needed = put_off(split.kept, lambda _: True, read).kept
    said = {_number(row[chosen]): label for row, label in zip(bits, labels, strict=True)}
    return FewReadouts(_measured(circuit, needed, read), said)


def _outcome(
    outcome: Callable[[int], int | None], row: NDArray[np.bool_], measured: Mapping[int, int]
) -> int:
    bits = sum(int(row[qubit]) << clbit for clbit, qubit in measured.items())
    found = outcome(bits)
    if found is None:
        raise VerificationError(f"the program can end in {bits:#x}, which is no outcome")
    return found


def _number(bits: Iterable[np.bool_]) -> int:
    return sum(int(bit) << place for place, bit in enumerate(bits))


def _last_gates(items: Sequence[CircuitInstruction], qubits: Sequence[Qubit]) -> list[int]:
    """Return the place of each qubit's last gate, 0 where it has none."""
    last = {qubit: time for time, item in enumerate(items, 1) for qubit in item.qubits}
    return [last.get(qubit, 0) for qubit in qubits]


def _permuted(
    bits: NDArray[np.bool_], items: Iterable[CircuitInstruction], qubits: Sequence[Qubit]
) -> NDArray[np.bool_]:
    """Return what classical gates make of basis states, one a row."""
    place = {qubit: column for column, qubit in enumerate(qubits)}
    ended = bits.copy()
    for item in items:
        gate, columns = item.operation, [place[qubit] for qubit in item.qubits]
        if isinstance(gate, ClassicalRun):
            values = 1 << np.arange(len(columns))
            image = gate.image[ended[:, columns] @ values]
            ended[:, columns] = image[:, None] & values > 0
            continue
        if base_name(gate) in DIAGONAL:
            continue
        controls = controls_of(gate)
        on = np.ones(len(ended), dtype=bool)
        for number, column in enumerate(columns[:controls]):
            on &= ended[:, column] == bool(gate.ctrl_state >> number & 1)
        targets = columns[controls:]
        if base_name(gate) == "x":
            ended[on, targets[0]] ^= True
        else:
            rows = np.flatnonzero(on)[:, None]
            ended[rows, targets] = ended[rows, targets[::-1]]
    return ended


def _of_items(circuit: QuantumCircuit, items: Iterable[CircuitInstruction]) -> QuantumCircuit:
    """Return a circuit's registers with these items and nothing else."""
    made = QuantumCircuit(*circuit.qregs, name=circuit.name)
    for item in without_runs(items):
        made.append(item)
    return made


def _measured(
    circuit: QuantumCircuit, items: Sequence[CircuitInstruction], read: Sequence[Qubit]
) -> QuantumCircuit:
    """Return items and final measurements on the qubits that they need, others left out."""
    needed = {qubit for item in items for qubit in item.qubits} | set(read)
    place: dict[Qubit, Qubit] = {}
    made = QuantumCircuit(name=circuit.name)
    for register in circuit.qregs:
        kept = [qubit for qubit in register if qubit in needed]
        if kept:
            made.add_register(narrow := QuantumRegister(len(kept), register.name))
            place |= dict(zip(kept, narrow, strict=True))
    for item in without_runs(items):
        made.append(item.operation, [place[qubit] for qubit in item.qubits])
    made.add_register(outcome := ClassicalRegister(len(read), READ))
    made.measure([place[qubit] for qubit in read], outcome)
    return made
