"""Noisy shots of wide circuits: each a circuit of its own, with Pauli errors inserted.

Every qubit is measured after its last gate, so that of a game's many branches few remain at a
time, and errors on the others cost little: shots of 59 qubits take tenths of a second.
"""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, Measure
from qiskit.quantum_info import Pauli

from backends.pauli.frames import PauliChannel, Paulis, channel_of
from compiler.circuits.branches import Branches
from compiler.circuits.gate_steps import Step, steps_of_gate
from compiler.circuits.matrices import Bits
from compiler.errors import StateTooLargeError
from compiler.targets.calibration import calibrated_spec
from compiler.targets.readout import ReadoutError, readout_errors
from compiler.verification.simulation.blocks import merged
from compiler.verification.simulation.exact import played_in_order
from compiler.verification.trajectories import play_and_measure

MAX_AMPLITUDES = 1 << 21
"""Number of shots that are simulated side by side."""

BATCH = 64
"""Shots with the same errors that are simulated side by side."""

REPORT = 100
"""Shots between two reports of progress."""

PROGRESS = logging.getLogger(__name__)
"""Hears, at level INFO, how many shots are done."""

PERFECT = ReadoutError(0, 0)
"""Readout error of a qubit without calibration."""

Pattern = tuple[tuple[int, Paulis], ...]
"""The instructions of a circuit that fail in a shot, and how."""


def noisy_shots(
    circuit: QuantumCircuit, device: str, shots: int, seed: int, *, waits: bool
) -> Counter[int]:
    """Return the shots of a circuit by outcome.

    Args:
        circuit: native gates, delays and final measurements on physical qubits.
        device: of `DEVICES`, or the spec of one's own, whose errors gates and readouts have.
        shots: how many.
        seed: of errors and measurements.
        waits: whether qubits relax during delays, too.

    Returns:
        Counts by outcomes, whose bit i is classical bit i.

    Raises:
        StateTooLargeError: if the circuit measures on the way, or the state of a shot outgrows
            `MAX_AMPLITUDES`.
    """
    noisy = _Noisy(circuit, device, waits)
    random = np.random.default_rng(seed)
    patterns = Counter(noisy.pattern(random) for _ in range(shots))
    counts: Counter[int] = Counter()
    reported = 0
    for pattern, times in patterns.items():
        counts.update(noisy.outcomes(pattern, times, random))
        if counts.total() >= reported + REPORT:
            reported = counts.total()
            PROGRESS.info("Pauli trajectories: %d of %d shots", reported, shots)
    return counts


@frozen(eq=False)
class _Place:
    """An instruction in a circuit.

    Args:
        steps: its gates.
        qubits: of it, numbered without unused ones.
        channel: its errors.
    """

    steps: Sequence[Step]
    qubits: Sequence[int]
    channel: PauliChannel | None


class _Noisy:
    """A circuit and its errors."""

    def __init__(self, circuit: QuantumCircuit, device: str, waits: bool) -> None:
        numbers: dict[int, int] = {}
        self._places: list[_Place] = []
        self._readouts: list[tuple[int, int, ReadoutError]] = []
        errors = readout_errors(calibrated_spec(device))
        measured: set[int] = set()
        for item in circuit.data:
            if isinstance(item.operation, Barrier) or (item.name == "delay" and not waits):
                continue
            qubits = [circuit.find_bit(qubit).index for qubit in item.qubits]
            local = [numbers.setdefault(qubit, len(numbers)) for qubit in qubits]
            if measured.intersection(local):
                raise StateTooLargeError("the circuit goes on after measurements")
            if isinstance(item.operation, Measure):
                (clbit,) = item.clbits
                measured.update(local)
                self._readouts.append(
                    (*local, circuit.find_bit(clbit).index, errors.get(qubits[0], PERFECT))
                )
            else:
                channel = channel_of(device, item, qubits)
                self._places.append(_Place(list(steps_of_gate(item, local)), local, channel))
        self._width = len(numbers)
        self._totals = np.array([p.channel.total if p.channel else 0.0 for p in self._places])

    def pattern(self, random: np.random.Generator) -> Pattern:
        """Draw the errors of a shot."""
        hit = np.flatnonzero(random.random(len(self._totals)) < self._totals)
        channels = ((int(at), self._places[at].channel) for at in hit)
        return tuple((at, channel.draw(random)) for at, channel in channels if channel)

    def outcomes(self, pattern: Pattern, shots: int, random: np.random.Generator) -> Iterator[int]:
        """Yield the outcomes of shots with the same errors."""
        steps, ends = merged(list(self._with_errors(dict(pattern))), self._width)
        pilot = Branches(np.zeros((1, self._width), dtype=bool), MAX_AMPLITUDES)
        order = played_in_order(pilot, steps, random)
        yield self._read(pilot.sample(random)[0, ends], random)
        for done in range(1, shots, BATCH):
            start = np.zeros((min(BATCH, shots - done), self._width), dtype=bool)
            branches = Branches(start, MAX_AMPLITUDES)
            play_and_measure(branches, order, random)
            for values in branches.sample(random)[:, ends]:
                yield self._read(values, random)

    def _with_errors(self, errors: Mapping[int, Paulis]) -> Iterator[Step]:
        for at, place in enumerate(self._places):
            yield from place.steps
            for qubit, pauli in zip(place.qubits, errors.get(at, ()), strict=False):
                if pauli != "I":
                    yield Step("u", (qubit,), Pauli(pauli).to_matrix())

    def _read(self, values: Bits, random: np.random.Generator) -> int:
        outcome = 0
        for (qubit, clbit, error), chance in zip(
            self._readouts, random.random(len(self._readouts)), strict=True
        ):
            wrong = error.zero_for_one if values[qubit] else error.one_for_zero
            outcome |= int(values[qubit] ^ (chance < wrong)) << clbit
        return outcome
