"""Shots of Clifford circuits with the Pauli errors of a device, on any number of qubits.

One shot without errors is computed with stabilisers. Every other shot differs from it by a Pauli
operator, its frame, which gates conjugate and errors multiply (arXiv:1804.02926).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from math import exp, inf

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Delay, Gate
from qiskit.transpiler import Target

from compiler.targets.calibration import calibrated_target
from compiler.targets.readout import ReadoutError

Paulis = tuple[str, ...]
"""I, X, Y or Z for each qubit that an instruction is on."""


@frozen(eq=False)
class PauliChannel:
    """The error channel of an instruction.

    Args:
        errors: all but the identity.
        probabilities: of each; the remainder to 1 is the identity's.
    """

    errors: tuple[Paulis, ...]
    probabilities: NDArray[np.float64]

    @property
    def total(self) -> float:
        """Return the probability that something goes wrong."""
        return float(self.probabilities.sum())

    def draw(self, random: np.random.Generator) -> Paulis:
        """Return an error, given that there is one."""
        at = random.choice(len(self.errors), p=self.probabilities / self.total)
        return self.errors[at]


def channel_of(device: str, item: CircuitInstruction, qubits: Sequence[int]) -> PauliChannel | None:
    """Return the errors of an instruction on physical qubits, None if it has none.

    Args:
        device: of `DEVICES`, or the spec of one's own.
        item: a native gate, or a delay in units of the device's `dt`.
        qubits: that it is on.
    """
    target = calibrated_target(device)
    if isinstance(item.operation, Delay):
        return relaxation(target, qubits[0], item.operation.duration * target.dt)
    places = target[item.name] if item.name in target.operation_names else None
    entry = places.get(tuple(qubits)) if places else None
    return depolarising(len(qubits), entry.error) if entry and entry.error else None


@cache
def depolarising(qubits: int, infidelity: float) -> PauliChannel:
    """Return the depolarising channel of an average gate infidelity.

    All Paulis but the identity have the same probability e·d / ((d − 1)·d²), d = 2ⁿ.
    """
    size = 2**qubits
    errors = tuple(product("IXYZ", repeat=qubits))[1:]
    each = infidelity * size / (size - 1) / size**2
    return PauliChannel(errors, np.full(len(errors), each))


def relaxation(target: Target, qubit: int, seconds: float) -> PauliChannel | None:
    """Return the channel of a wait of a qubit, twirled to Pauli errors.

    They shrink each axis of the Bloch sphere as T1 and T2 do, but pull nothing towards |0⟩
    (arXiv 1305.2021).
    """
    times = target.qubit_properties[qubit]
    slow = times.t1 or inf
    decayed = 1 - exp(-seconds / slow)
    dephased = 1 - exp(-seconds / min(times.t2 or inf, 2 * slow))
    if not dephased:
        return None
    flip = decayed / 4
    return PauliChannel((("X",), ("Y",), ("Z",)), np.array([flip, flip, dephased / 2 - flip]))


ChannelOf = Callable[[CircuitInstruction, Sequence[int]], PauliChannel | None]
"""Returns the errors of an instruction on physical qubits; None if it has none."""

Codes = NDArray[np.uint8]
Bits = NDArray[np.bool_]

LETTERS = "IXZY"
"""Pauli gates by their code x + 2z, for X^x·Z^z up to a phase."""

MATRICES = np.array([np.eye(2), [[0, 1], [1, 0]], [[1, 0], [0, -1]], [[0, -1j], [1j, 0]]])
TOLERANCE = 1e-6


@frozen(eq=False)
class _Conjugation:
    """P → UPU† of a Clifford gate U on one or two qubits.

    Args:
        images: code of the result by the code of P, that of qubit i times 4ⁱ.
        signs: whether the result has a minus sign, by the code of P.
    """

    images: Codes
    signs: Bits


@frozen(eq=False)
class _Step:
    qubits: tuple[int, ...]
    gate: _Conjugation
    channel: PauliChannel | None


def clifford_counts(
    circuit: QuantumCircuit,
    channel: ChannelOf,
    readouts: Mapping[int, ReadoutError],
    shots: int,
    seed: int,
) -> Counter[int] | None:
    """Return the shots of a circuit by outcome; None if it is no Clifford circuit.

    Args:
        circuit: gates on one or two qubits, delays and final measurements.
        channel: errors of its gates and delays.
        readouts: errors of measurements by qubit.
        shots: their number.
        seed: of errors and outcomes.

    Returns:
        Counts by outcomes, whose bit i is classical bit i.
    """
    steps: list[_Step] = []
    measured: dict[int, int] = {}
    for item in circuit.data:
        qubits = tuple(circuit.find_bit(qubit).index for qubit in item.qubits)
        if item.name == "barrier":
            continue
        if not measured.keys().isdisjoint(qubits):
            return None
        if item.name == "measure":
            measured[qubits[0]] = circuit.find_bit(item.clbits[0]).index
            continue
        gate = _conjugation_of(item)
        if gate is None:
            return None
        steps.append(_Step(qubits, gate, channel(item, qubits)))
    random = np.random.default_rng(seed)
    reference = _outcomes(steps, sorted(measured), circuit.num_qubits, random)
    frames = _frames(steps, circuit.num_qubits, shots, random)
    flips = np.array([frames[qubit] & 1 for qubit in sorted(measured)], dtype=bool)
    outcomes = [0] * shots
    for qubit, bit, flipped in zip(sorted(measured), reference, flips, strict=True):
        values = flipped ^ bit
        if (error := readouts.get(qubit)) is not None:
            chance = np.where(values, error.zero_for_one, error.one_for_zero)
            values = values ^ (random.random(shots) < chance)
        for shot in np.flatnonzero(values):
            outcomes[shot] |= 1 << measured[qubit]
    return Counter(outcomes)


def _conjugation_of(item: CircuitInstruction) -> _Conjugation | None:
    operation = item.operation
    if item.name == "delay":
        return _conjugation(1, np.eye(2, dtype=complex).tobytes())
    if not isinstance(operation, Gate) or len(item.qubits) > 2:
        return None
    matrix = np.ascontiguousarray(operation.to_matrix(), dtype=complex)
    return _conjugation(len(item.qubits), matrix.tobytes())


@cache
def _conjugation(qubits: int, content: bytes) -> _Conjugation | None:
    """Return the action of a gate on Pauli operators; None if it is no Clifford gate.

    Args:
        qubits: one or two.
        content: its matrix, qubit 0 being the lowest bit of rows and columns.
    """
    size = 2**qubits
    gate = np.frombuffer(content, dtype=complex).reshape(size, size)
    paulis = np.array([_kron(codes) for codes in product(range(4), repeat=qubits)])
    conjugated = gate @ paulis @ gate.conj().T
    # tr(QP')/d is ±1 for one Pauli operator Q, and 0 for all others.
    shares = np.einsum("qij,pji->pq", paulis, conjugated).real / size
    images = np.abs(shares).argmax(axis=1)
    weights = shares[np.arange(len(images)), images]
    if np.abs(np.abs(weights) - 1).max() > TOLERANCE:
        return None
    return _Conjugation(images.astype(np.uint8), weights < 0)


def _kron(codes: Sequence[int]) -> NDArray[np.complex128]:
    """Return the product of Pauli matrices, the last code being qubit 0."""
    matrix = np.eye(1, dtype=complex)
    for code in codes:
        matrix = np.kron(matrix, MATRICES[code])
    return matrix


def _conjugate(codes: Codes, step: _Step) -> Codes:
    """Conjugate Pauli operators, a row of `codes` a qubit; return their codes on its qubits."""
    joint = codes[step.qubits[0]].copy()
    for place, qubit in enumerate(step.qubits[1:], 1):
        joint |= codes[qubit] << 2 * place
    images = step.gate.images[joint]
    for place, qubit in enumerate(step.qubits):
        codes[qubit] = images >> 2 * place & 3
    return joint


def _frames(steps: Sequence[_Step], qubits: int, shots: int, random: np.random.Generator) -> Codes:
    """Return the frames at the end, a row a qubit, a column a shot.

    They begin with random Z, which |0…0⟩ does not notice, so that outcomes which are random
    differ between shots.
    """
    codes = (2 * random.integers(2, size=(qubits, shots))).astype(np.uint8)
    for step in steps:
        _conjugate(codes, step)
        if step.channel is None:
            continue
        hit = random.choice(shots, random.binomial(shots, step.channel.total), replace=False)
        for shot in hit:
            for qubit, letter in zip(step.qubits, step.channel.draw(random), strict=True):
                codes[qubit, shot] ^= LETTERS.index(letter)
    return codes


def _outcomes(
    steps: Sequence[_Step], measured: Sequence[int], qubits: int, random: np.random.Generator
) -> list[bool]:
    """Return the bits of one shot without errors.

    The rows of Aaronson and Gottesman's tableau, destabilisers first, are its columns here.
    """
    codes = np.zeros((qubits, 2 * qubits), dtype=np.uint8)
    codes[range(qubits), range(qubits)] = 1
    codes[range(qubits), range(qubits, 2 * qubits)] = 2
    signs = np.zeros(2 * qubits, dtype=bool)
    for step in steps:
        signs ^= step.gate.signs[_conjugate(codes, step)]
    outcomes = []
    for qubit in measured:
        flipping = np.flatnonzero(codes[qubit] & 1)
        stabilisers = flipping[flipping >= qubits]
        if len(stabilisers):
            first = int(stabilisers[0])
            for row in flipping:
                if row not in (first, first - qubits):
                    signs[row] ^= signs[first] ^ _is_negative(codes[:, row], codes[:, first])
                    codes[:, row] ^= codes[:, first]
            codes[:, first - qubits], signs[first - qubits] = codes[:, first], signs[first]
            codes[:, first] = 0
            codes[qubit, first] = 2
            signs[first] = bool(random.integers(2))
            outcomes.append(bool(signs[first]))
            continue
        product_, negative = np.zeros(qubits, dtype=np.uint8), False
        for row in flipping:
            other = row + qubits
            negative ^= bool(signs[other]) ^ _is_negative(codes[:, other], product_)
            product_ = product_ ^ codes[:, other]
        outcomes.append(negative)
    return outcomes


PHASES = np.array([[0, 0, 0, 0], [0, 0, -1, 1], [0, 1, 0, -1], [0, -1, 1, 0]])
"""Power of i in the product of two Pauli gates by their codes, such as XZ = −iY."""


def _is_negative(left: Codes, right: Codes) -> bool:
    """Return whether the product of two commuting Pauli operators has a minus sign."""
    return bool(PHASES[left, right].sum() % 4 == 2)
