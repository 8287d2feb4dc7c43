"""Circuits that prepare a known state of few qubits."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from qiskit import ClassicalRegister, QuantumCircuit, transpile
from qiskit.circuit import CircuitInstruction, Gate
from qiskit.circuit.library import StatePreparation
from qiskit.quantum_info import Statevector

from backends.device_simulator import light_cone
from compiler.circuits.tolerances import SAME
from compiler.errors import StichwerkError
from play.match_log import Measurement


def preparation(amplitudes: NDArray[np.complex128]) -> QuantumCircuit:
    """Return a circuit that makes a state from |0…0⟩, up to a phase.

    Qubits that are entangled with nothing get a gate of their own; m others take at most
    2^m − m − 1 CX.

    Args:
        amplitudes: 2^n of them, of norm 1; bit q of the index is qubit q.

    References:
        Iten et al., Quantum circuits for isometries, 2016, section V.
    """
    qubits = len(amplitudes).bit_length() - 1
    circuit = QuantumCircuit(qubits)
    left = list(range(qubits))
    for qubit in range(qubits):
        tensor = np.moveaxis(
            amplitudes.reshape((2,) * len(left)), len(left) - 1 - left.index(qubit), 0
        ).reshape(2, -1)
        of_qubit, weights, of_rest = np.linalg.svd(tensor, full_matrices=False)
        if len(weights) > 1 and weights[1] > SAME:
            continue
        _prepare(circuit, [qubit], of_qubit[:, 0])
        amplitudes = of_rest[0]
        left.remove(qubit)
    if left:
        _prepare(circuit, left, amplitudes)
    return circuit


def _prepare(circuit: QuantumCircuit, qubits: list[int], state: NDArray[np.complex128]) -> None:
    part = QuantumCircuit(len(qubits))
    part.append(StatePreparation(state / np.linalg.norm(state)), part.qubits)
    circuit.compose(transpile(part, basis_gates=["u", "cx"]), qubits, inplace=True)


FEWEST = 8
"""Minimum number of shots that agree with the known outcomes; fewer are mostly noise."""
EXPECTED = 4 * FEWEST
"""Shots that would agree without noise."""
MIN_SHOTS = 100
MAX_SHOTS = 10_000
"""Maximum shots of a circuit so far; beyond it, the collapsed state is prepared afresh at once."""
MAX_QUBITS = 10
"""Maximum qubits of a state that is prepared afresh: its circuit grows like its amplitudes."""
Outcomes = tuple[int, ...]
Amplitudes = NDArray[np.complex128]


class NotRunnableError(StichwerkError):
    """Outcomes cannot be got with this circuit, perhaps with another one."""


@frozen(eq=False)
class Trial:
    """A circuit to run.

    Args:
        how: method that the circuit belongs to.
        circuit: its classical bits in order are `known`, then the awaited ones.
        known: required values of the first bits; other shots do not count.
        shots: number of shots.
        fewest: minimum number of shots that count.
    """

    method: Measurement
    circuit: QuantumCircuit
    known: Outcomes
    shots: int
    fewest: int

    def agreeing(
        self,
        counts: Mapping[int, int],
        possible: Mapping[Outcomes, Fraction],
        read: Callable[[Outcomes], Outcomes | None] = tuple,
    ) -> dict[Outcomes, int]:
        """Return the shots that count, by the bits after the known ones.

        Args:
            counts: shots by outcome; bit i is the circuit's classical bit i.
            possible: possible outcomes; all others are noise.
            read: decodes the bits after the known ones; None for invalid bits.
        """
        result: dict[Outcomes, int] = {}
        for bits, n in sorted(counts.items()):
            outcome = tuple(bits >> i & 1 for i in range(self.circuit.num_clbits))
            before, remaining = outcome[: len(self.known)], read(outcome[len(self.known) :])
            if before == self.known and remaining is not None and remaining in possible:
                result[remaining] = result.get(remaining, 0) + n
        return result

    def belongs(self, counts: Mapping[int, int]) -> bool:
        """Return whether counts can belong to this circuit and its shots."""
        most = 1 << self.circuit.num_clbits
        right = all(0 <= bits < most and n >= 0 for bits, n in counts.items())
        return right and sum(counts.values()) == self.shots


def replay(circuit: QuantumCircuit, outcomes: Sequence[int], wanted: int = 1) -> Trial:
    """Return the circuit so far as it is, with as many shots as post-selection needs.

    Args:
        circuit: its classical bits in order are the known ones, then the awaited ones.
        outcomes: the outcomes so far.
        wanted: shots that should agree.

    Raises:
        NotRunnableError: if these are too many.
    """
    probability = _split(circuit, outcomes).probability
    shots = max(MIN_SHOTS, ceil(max(EXPECTED, wanted) / probability))
    if shots > MAX_SHOTS:
        raise NotRunnableError(
            f"the circuit so far would take {shots:,} shots, and at most {MAX_SHOTS:,} are run"
        )
    return Trial(Measurement.SELECTED, light_cone(circuit), tuple(outcomes), shots, FEWEST)


def afresh(circuit: QuantumCircuit, outcomes: Sequence[int], wanted: int = 1) -> Trial:
    """Return a circuit that prepares the collapsed state, with the operations after it.

    Args:
        circuit: see `replay`.
        outcomes: the outcomes so far.
        wanted: shots that should be possible.

    Raises:
        NotRunnableError: if the state has too many qubits.
    """
    if circuit.num_qubits > MAX_QUBITS:
        raise NotRunnableError(
            f"a state of {circuit.num_qubits} qubits is not prepared afresh, only up to "
            f"{MAX_QUBITS}"
        )
    split = _split(circuit, outcomes)
    awaited = ClassicalRegister(circuit.num_clbits - len(outcomes), "awaited")
    new = QuantumCircuit(*circuit.qregs, awaited, name=circuit.name)
    new.compose(preparation(split.state), new.qubits, inplace=True)
    place = {bit: number - len(outcomes) for number, bit in enumerate(circuit.clbits)}
    for item in split.rest:
        new.append(item.operation, item.qubits, [awaited[place[bit]] for bit in item.clbits])
    shots = max(MIN_SHOTS, wanted)
    return Trial(Measurement.AFRESH, light_cone(new), (), shots, 1)


@frozen(eq=False)
class _Split:
    """A circuit before and after the last known outcome.

    Args:
        state: state after all known outcomes; bit q of the index is qubit q.
        probability: probability of these outcomes.
        rest: the remaining operations.
    """

    state: Amplitudes
    probability: float
    rest: Sequence[CircuitInstruction]


def _split(circuit: QuantumCircuit, outcomes: Sequence[int]) -> _Split:
    """Follow the exact state as far as outcomes are known.

    Raises:
        NotRunnableError: if the outcomes cannot be, or something else is done than gates,
            measurements and resets.
    """
    wires = {qubit: number for number, qubit in enumerate(circuit.qubits)}
    bits = {bit: number for number, bit in enumerate(circuit.clbits)}
    state = np.zeros(1 << circuit.num_qubits, complex)
    state[0] = 1
    probability = 1.0
    for number, item in enumerate(circuit.data):
        on = [wires[qubit] for qubit in item.qubits]
        match item.operation.name:
            case "barrier":
                continue
            case "measure":
                bit = bits[item.clbits[0]]
                if bit >= len(outcomes):
                    return _Split(state, probability, circuit.data[number:])
                state, part = _projected(state, on[0], outcomes[bit])
                probability *= part
            case "reset":
                state = _reset(state, on[0])
            case name:
                if not isinstance(item.operation, Gate):
                    raise NotRunnableError(f"'{name}' on the way cannot be replayed")
                state = Statevector(state).evolve(item.operation.definition or item.operation, on)
                state = np.asarray(state.data)
    return _Split(state, probability, ())


def _projected(state: Amplitudes, qubit: int, outcome: int) -> tuple[Amplitudes, float]:
    """Return the state after an outcome, and the outcome's probability."""
    projected = np.where(np.arange(len(state)) >> qubit & 1 == outcome, state, 0)
    probability = float(np.vdot(projected, projected).real)
    if probability < SAME:
        raise NotRunnableError("the known outcomes of the circuit so far are impossible")
    return projected / np.sqrt(probability), probability


def _reset(state: Amplitudes, qubit: int) -> Amplitudes:
    """Return the state after a reset of a qubit that is certain."""
    ones = np.arange(len(state)) >> qubit & 1 == 1
    if np.linalg.norm(state[ones]) < SAME:
        return state
    if np.linalg.norm(state[~ones]) > SAME:
        raise NotRunnableError("a reset of a qubit that is entangled cannot be replayed")
    return state[np.arange(len(state)) ^ 1 << qubit]
