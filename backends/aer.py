"""Qiskit Aer, ideal or with the noise of an IBM device."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from attrs import evolve, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import pauli_twirl_2q_gates
from qiskit.transpiler import Target
from qiskit_aer import AerSimulator
from qiskit_aer.aererror import AerError
from qiskit_aer.noise import NoiseModel
from qiskit_aer.noise import ReadoutError as AerReadoutError

from backends.backend import CircuitJob
from backends.device_simulator import (
    DeviceSimulator,
    decoupled,
    independent_parts,
    light_cone,
    scheduled,
)
from backends.errors import BackendError
from backends.families import backend
from backends.noise_methods import twirls
from backends.pauli.frames import channel_of, clifford_counts
from compiler.dynamic.needs import EVERYTHING, Need
from compiler.dynamic.pieces import acted_on
from compiler.targets.calibration import calibrated_spec, calibrated_target
from compiler.targets.ibm_devices import CURRENT
from compiler.targets.readout import readout_errors
from compiler.targets.target import restricted
from compiler.words.run_options import DECOUPLING, TWIRLING

MAX_QUBITS = 26
"""Active qubits beyond which a state vector no longer fits on a small machine."""

MAX_THERMAL_QUBITS = 11
"""Active qubits beyond which thermal relaxation takes too long: density matrices grow by 4^n."""

OUT_OF_MEMORY = ("allocate memory", "bad_alloc", "Insufficient memory")
"""Forms of Aer's message when it gets no memory."""

PROGRESS = logging.getLogger(__name__)
"""Hears, at level INFO, how many shots of a long run are done."""


@frozen
class Method:
    """A method of simulating noisy shots.

    Args:
        name: Aer's name of the method.
        most_qubits: active qubits up to which it is the fastest that is exact.
        batch: shots between two reports of progress; None for all at once.
    """

    name: str
    most_qubits: int
    batch: int | None


METHODS = (
    Method("density_matrix", 10, None),
    Method("statevector", 20, 500),
    Method("matrix_product_state", 10_000, 4),
)
"""All of them sample the noisy circuit's own distribution, without truncation.

A density matrix is computed once for all shots: 20,000 of the toy's took 0.2 to 0.9 s on 8
qubits, 2,000 single state vectors 9 s. A wide routed game has few branches and so little
entanglement: at 23 qubits and 2,542 CZ a shot took 1 to 4 s as a matrix product state and 42 s
as a state vector.
"""


@backend(
    "aer",
    "Aer state vector; aer:boston with the device's gate and readout errors, "
    "aer:boston:thermal also with thermal relaxation",
    CURRENT,
)
class AerBackend(DeviceSimulator):
    """Aer's state vector without noise, or the fastest exact method with it.

    With a device's name, noise is its calibrated depolarising error of every gate and its
    readout error in either direction. `thermal` adds relaxation and dephasing at the calibrated
    T1 and T2, during gates (whose total error stays as calibrated) and while qubits are idle.
    """

    def __init__(self, argument: str) -> None:
        super().__init__("aer", argument, "thermal")

    def supports(self) -> frozenset[Need]:
        """Return the capabilities of Aer; idle times are only known without branches.

        It takes numbers that are not 0 for false.
        """
        if self.has_variant:
            return frozenset({Need.MEASUREMENT, Need.RESET})
        return EVERYTHING - {Need.ARITHMETIC, Need.INDEX, Need.TRUTH}

    def treatments(self) -> frozenset[str]:
        """Return all that applies: decoupling where qubits lose something while they wait."""
        names = super().treatments()
        if self.device:
            names |= {TWIRLING}
        return names | {DECOUPLING} if self.has_variant else names

    def check_memory(self, job: CircuitJob, most_bytes: int) -> None:
        """Refuse a state vector that does not fit; see `LocalBackend.check_memory`."""
        # The memory of a noisy circuit depends on its entanglement, known only by running it.
        active = 0 if self.device else len(acted_on(job.circuit))
        if state_bytes(active) > most_bytes:
            fits = max(0, (most_bytes // state_bytes(0)).bit_length() - 1)
            raise BackendError(
                f"backend 'aer': {active} active qubits take {state_bytes(active) >> 20} MiB as a "
                f"state vector, and there are {most_bytes >> 20} MiB for it, in which {fits} "
                "qubits fit; try 'sparse'"
            )

    def run(self, job: CircuitJob) -> Mapping[int, int]:
        """Return the shots by outcome; see `LocalBackend.run`."""
        return self._noisy(job) if self.device else _ideal(job)

    def _noisy(self, job: CircuitJob) -> Mapping[int, int]:
        if not job.run_options.twirling:
            return self._of_form(job)
        counts: Counter[int] = Counter()
        for form in twirled(job, calibrated_target(self.device)):
            counts.update(self._of_form(form))
        return counts

    def _of_form(self, job: CircuitJob) -> Mapping[int, int]:
        if job.run_options.decoupling:
            circuit = decoupled(job.circuit, calibrated_target(self.device))
        else:
            circuit = scheduled(job.circuit, self.device) if self.has_variant else job.circuit
        circuit = light_cone(circuit)
        active = len(acted_on(circuit))
        if self.has_variant and active > MAX_THERMAL_QUBITS:
            raise BackendError(
                f"backend 'aer:{self.device}:thermal': {active} active qubits are more than the "
                f"{MAX_THERMAL_QUBITS} that thermal relaxation is simulated for; try "
                f"'aer:{self.device}'"
            )
        method = METHODS[0] if self.has_variant else None
        if method is None and active > METHODS[0].most_qubits:
            device = self.device
            counts = clifford_counts(
                circuit,
                lambda item, qubits: channel_of(device, item, qubits),
                readout_errors(calibrated_spec(device)),
                job.shots,
                job.seed,
            )
            if counts is not None:
                PROGRESS.info("Pauli frames: %d of %d shots", job.shots, job.shots)
                return counts
        noise = device_noise(self.device, self.has_variant, frozenset(acted_on(circuit)))
        return noisy_counts(job, circuit, noise, method)


KEPT_NOISES = 64
"""Parts of devices whose noise is kept, since suites run many circuits on the same qubits."""


@lru_cache(KEPT_NOISES)
def device_noise(device: str, thermal: bool, qubits: frozenset[int]) -> NoiseModel:
    """Return the noise of a device's calibration snapshot on some of its qubits.

    Gate errors are Aer's own reading of it. Readout errors tell 1 for 0 from 0 for 1, which
    Aer's reading of a target does not.

    Args:
        device: of `DEVICES`, or the spec of one's own.
        thermal: whether qubits relax, too.
        qubits: which have noise; all of a device's take seconds.
    """
    noise = NoiseModel.from_backend(
        AerSimulator(target=_part(device, qubits)), thermal_relaxation=thermal, readout_error=False
    )
    for qubit, error in readout_errors(calibrated_spec(device)).items():
        if qubit in qubits:
            wrong_1, wrong_0 = error.one_for_zero, error.zero_for_one
            confusion = [[1 - wrong_1, wrong_1], [wrong_0, 1 - wrong_0]]
            noise.add_readout_error(AerReadoutError(confusion), [qubit])
    return noise


def _part(device: str, qubits: frozenset[int]) -> Target:
    """Return the gates of a device on some of its qubits, which keep their numbers."""
    # An instruction without fixed places, such as a branch, has no errors.
    full = calibrated_target(device)
    return restricted(full, lambda _, at: at is None or qubits.issuperset(at))


def twirled(job: CircuitJob, target: Target) -> Iterator[CircuitJob]:
    """Yield a job's random forms, by Qiskit's Pauli twirling, with equally many shots of each."""
    forms = twirls(job.shots)
    forms_ = pauli_twirl_2q_gates(job.circuit, seed=job.seed, num_twirls=forms, target=target)
    seeds = np.random.SeedSequence([job.seed, forms]).generate_state(forms) >> 1
    for form, seed in zip(forms_, seeds, strict=True):
        yield evolve(job, circuit=form, shots=job.shots // forms, seed=int(seed))


def noisy_counts(
    job: CircuitJob, circuit: QuantumCircuit, noise: NoiseModel, method: Method | None = None
) -> Mapping[int, int]:
    """Return the shots of a noisy circuit by outcome.

    Args:
        job: with the number of shots and their seed.
        circuit: the job's, or a part of it; see `light_cone`.
        noise: of its gates and readouts.
        method: of the simulation; the fastest exact one by default.

    Raises:
        BackendError: if Aer fails.
    """
    parts = independent_parts(circuit)
    if len(parts) > 1:
        return _combined(job, parts, noise, method)
    active = len(acted_on(circuit))
    method = method or next(m for m in METHODS if active <= m.most_qubits)
    simulator = AerSimulator(method=method.name, noise_model=noise)
    counts: Counter[int] = Counter()
    batch = method.batch or job.shots
    sizes = [min(batch, job.shots - done) for done in range(0, job.shots, batch)]
    seeds = np.random.SeedSequence(job.seed).generate_state(len(sizes)) >> 1
    for shots, seed in zip(sizes, seeds, strict=True):
        counts.update(_run(simulator, circuit, shots, int(seed)))
        if len(sizes) > 1:
            PROGRESS.info("%s: %d of %d shots", method.name, counts.total(), job.shots)
    return counts


def _combined(
    job: CircuitJob, parts: Sequence[QuantumCircuit], noise: NoiseModel, method: Method | None
) -> Counter[int]:
    """Return the shots of a circuit from those of its parts, which are independent."""
    outcomes = np.zeros(job.shots, dtype=object)
    children = np.random.SeedSequence(job.seed).spawn(len(parts))
    seeds = [int(child.generate_state(1)[0]) >> 1 for child in children]
    if max(len(acted_on(part)) for part in parts) <= METHODS[0].most_qubits:
        # One call, since the noise of a large device takes longer than the parts.
        simulator = AerSimulator(method=METHODS[0].name, noise_model=noise)
        part_counts: list[Mapping[int, int]] = [*_run_all(simulator, parts, job.shots, seeds[0])]
    else:
        part_counts = [
            noisy_counts(evolve(job, seed=seed), part, noise, method)
            for part, seed in zip(parts, seeds, strict=True)
        ]
    for counts, child in zip(part_counts, children, strict=True):
        values = [outcome for outcome, n in counts.items() for _ in range(n)]
        order = np.random.default_rng(child).permutation(job.shots)
        outcomes |= np.array(values, dtype=object)[order]
    return Counter(outcomes.tolist())


def _ideal(job: CircuitJob) -> dict[int, int]:
    active = len(acted_on(job.circuit))
    if active > MAX_QUBITS:
        raise BackendError(
            f"backend 'aer': {active} active qubits are more than the {MAX_QUBITS} that a "
            "state vector can hold; try 'sparse'"
        )
    circuit = light_cone(job.circuit)
    return _run(AerSimulator(method="statevector"), circuit, job.shots, job.seed)


def _run(simulator: AerSimulator, circuit: QuantumCircuit, shots: int, seed: int) -> dict[int, int]:
    return _run_all(simulator, [circuit], shots, seed)[0]


def _run_all(
    simulator: AerSimulator, circuits: Sequence[QuantumCircuit], shots: int, seed: int
) -> list[dict[int, int]]:
    try:
        result = simulator.run(list(circuits), shots=shots, seed_simulator=seed).result()
    except AerError as error:
        raise BackendError(f"backend 'aer': {error}") from error
    if not result.success:
        if any(word in result.status for word in OUT_OF_MEMORY):
            raise MemoryError
        raise BackendError(f"backend 'aer': {result.status}")
    return [
        {int(key, 16): n for key, n in result.data(place)["counts"].items()}
        for place in range(len(circuits))
    ]


def state_bytes(qubits: int) -> int:
    """Return the memory of a state vector in double precision: 16 · 2ⁿ bytes."""
    return 16 << qubits
