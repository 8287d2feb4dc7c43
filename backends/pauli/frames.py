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
from qiskit.exceptions import QiskitError
from qiskit.quantum_info import Clifford, PauliList
from qiskit.transpiler import Target
from qiskit_aer import AerSimulator

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

LETTERS = "IXZY"
"""Pauli gates by their code x + 2z."""


@frozen(eq=False)
class _Clifford:
    """A Clifford gate U on one or two qubits.

    Args:
        circuit: of gates that Aer's stabilisers have.
        images: code of UPU† by the code of a Pauli operator P, that of qubit i times 4ⁱ.
    """

    circuit: QuantumCircuit
    images: Codes


@frozen(eq=False)
class _Step:
    qubits: tuple[int, ...]
    gate: _Clifford
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
        gate = _clifford_of(item)
        if gate is None:
            return None
        steps.append(_Step(qubits, gate, channel(item, qubits)))
    random = np.random.default_rng(seed)
    reference = _reference(steps, measured, circuit.num_qubits, seed)
    frames = _frames(steps, circuit.num_qubits, shots, random)
    outcomes = [0] * shots
    for qubit, clbit in measured.items():
        values = (frames[qubit] & 1 == 1) ^ (reference >> clbit & 1 == 1)
        if (error := readouts.get(qubit)) is not None:
            chance = np.where(values, error.zero_for_one, error.one_for_zero)
            values = values ^ (random.random(shots) < chance)
        for shot in np.flatnonzero(values):
            outcomes[shot] |= 1 << clbit
    return Counter(outcomes)


def _clifford_of(item: CircuitInstruction) -> _Clifford | None:
    operation = item.operation
    if item.name == "delay":
        return _clifford(1, np.eye(2, dtype=complex).tobytes())
    if not isinstance(operation, Gate) or len(item.qubits) > 2:
        return None
    matrix = np.ascontiguousarray(operation.to_matrix(), dtype=complex)
    return _clifford(len(item.qubits), matrix.tobytes())


@cache
def _clifford(qubits: int, content: bytes) -> _Clifford | None:
    """Return a gate by its matrix; None if it is no Clifford gate."""
    matrix = np.frombuffer(content, dtype=complex).reshape(2**qubits, 2**qubits)
    try:
        clifford = Clifford.from_matrix(matrix)
    except QiskitError:
        return None
    places = np.arange(qubits)
    codes = np.arange(4**qubits)[:, None] >> 2 * places & 3
    images = PauliList.from_symplectic(codes >> 1, codes & 1).evolve(clifford, frame="s")
    joint = ((images.x + 2 * images.z) << 2 * places).sum(axis=1)
    return _Clifford(clifford.to_circuit(), joint.astype(np.uint8))


def _frames(steps: Sequence[_Step], qubits: int, shots: int, random: np.random.Generator) -> Codes:
    """Return the frames at the end, a row a qubit, a column a shot.

    They begin with random Z, which |0…0⟩ does not notice, so that outcomes which are random
    differ between shots.
    """
    codes = (2 * random.integers(2, size=(qubits, shots))).astype(np.uint8)
    for step in steps:
        places = 2 * np.arange(len(step.qubits))[:, None]
        images = step.gate.images[(codes[[*step.qubits]] << places).sum(axis=0)]
        codes[[*step.qubits]] = images >> places & 3
        if step.channel is None:
            continue
        hit = random.choice(shots, random.binomial(shots, step.channel.total), replace=False)
        for shot in hit:
            for qubit, letter in zip(step.qubits, step.channel.draw(random), strict=True):
                codes[qubit, shot] ^= LETTERS.index(letter)
    return codes


def _reference(steps: Sequence[_Step], measured: Mapping[int, int], qubits: int, seed: int) -> int:
    """Return the outcome of one shot without errors."""
    circuit = QuantumCircuit(qubits, 1 + max(measured.values(), default=0))
    for step in steps:
        circuit.compose(step.gate.circuit, step.qubits, inplace=True)
    circuit.measure([*measured], [*measured.values()])
    job = AerSimulator(method="stabilizer").run(circuit, shots=1, seed_simulator=seed)
    (outcome,) = job.result().data(0)["counts"]
    return int(outcome, 16)
