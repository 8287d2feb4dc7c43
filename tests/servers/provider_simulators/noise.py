"""What the simulated devices play with: the noise of their calibration, which may grow."""

import time
from collections.abc import Callable, Mapping, Sequence

from attrs import define, field
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction
from qiskit_aer.noise import NoiseModel, depolarizing_error
from qiskit_aer.noise import ReadoutError as AerReadoutError

from backends.aer import METHODS, AerBackend, noisy_counts
from backends.backend import CircuitJob, LocalBackend
from backends.device_simulator import light_cone
from backends.pauli.frames import ChannelOf, PauliChannel, clifford_counts, depolarising
from compiler.targets import iqm, target_from_spec
from compiler.targets.device import is_device
from compiler.targets.ibm_devices import snapshot_names, snapshot_spec
from compiler.targets.readout import ReadoutError, readout_errors
from tests.servers.provider_simulators.machine import DAY_SECONDS
from workers.parallel import Pool

CALIBRATED = frozenset(
    (*map(snapshot_spec, snapshot_names()), *(f"iqm:{device}" for device in iqm.DEVICES))
)
"""Targets whose errors are known; all others are played without any."""


@define
class NoisyDevices(LocalBackend):
    """Devices with their calibrated errors of gates and readout.

    A gate of average infidelity e on n qubits is followed by a depolarising channel of the same
    infidelity, of probability e·2ⁿ/(2ⁿ - 1), as in Aer's reading of a device. After d whole
    simulated days every e, and every readout error, is (1 + drift)^d times what was calibrated,
    up to complete noise. Qubits do not relax while they wait.

    Args:
        drift: by which share all errors grow in a simulated day of `DAY_SECONDS`.
        clock: in seconds; the first day begins now.
    """

    drift: float = 0.0
    clock: Callable[[], float] = time.monotonic
    _begun: float = field(init=False)

    @_begun.default
    def _(self) -> float:
        return self.clock()

    def run(self, job: CircuitJob) -> Mapping[int, int]:
        """Return the shots by outcome; see `LocalBackend.run`."""
        if job.target not in CALIBRATED and not is_device(job.target):
            return AerBackend("").run(job)
        circuit, growth = light_cone(job.circuit), self.growth()
        used = {qubit for item in circuit.data for qubit in item.qubits}
        if len(used) > METHODS[0].most_qubits:
            errors = readouts(job.target, growth)
            channel = channels(job.target, growth)
            counts = clifford_counts(circuit, channel, errors, job.shots, job.seed)
            if counts is not None:
                return counts
        return noisy_counts(job, circuit, calibrated_noise(job.target, circuit, growth))

    def growth(self) -> float:
        """Return what every calibrated error is multiplied by today."""
        days = (self.clock() - self._begun) // DAY_SECONDS
        return float((1 + self.drift) ** days)


@define
class InProcesses(LocalBackend):
    """A simulator whose calls are made in the processes of a pool.

    Aer keeps Python's lock while it simulates: in this process no signal would be handled.
    """

    simulator: LocalBackend
    pool: Pool

    def run(self, job: CircuitJob) -> Mapping[int, int]:
        """Return the shots by outcome; see `LocalBackend.run`."""
        return self.pool.submit(self.simulator.run, job).result()


def growth_of(simulator: LocalBackend) -> Callable[[], float]:
    """Return the function whose result multiplies every calibrated error of a simulator."""
    simulator = simulator.simulator if isinstance(simulator, InProcesses) else simulator
    return simulator.growth if isinstance(simulator, NoisyDevices) else lambda: 1.0


def channels(spec: str, growth: float) -> ChannelOf:
    """Return the function of a calibrated target's gate errors, multiplied by `growth`."""
    target = target_from_spec(spec)

    def channel(item: CircuitInstruction, qubits: Sequence[int]) -> PauliChannel | None:
        places = target[item.name] if item.name in target.operation_names else None
        known = (places or {}).get(tuple(qubits))
        if known is None or not known.error:
            return None
        return depolarising(len(qubits), min(1 - 2.0 ** -len(qubits), growth * known.error))

    return channel


def readouts(spec: str, growth: float) -> Mapping[int, ReadoutError]:
    """Return the readout errors of a calibrated target, multiplied by `growth`, ½ at most."""
    return {
        qubit: ReadoutError(
            min(0.5, growth * error.one_for_zero), min(0.5, growth * error.zero_for_one)
        )
        for qubit, error in readout_errors(spec).items()
    }


def calibrated_noise(spec: str, circuit: QuantumCircuit, growth: float = 1.0) -> NoiseModel:
    """Return the noise of a calibrated target, on the qubits of a circuit only.

    Args:
        spec: of the target, such as `heavy-hex:torino`.
        circuit: on the target's qubits.
        growth: what every calibrated error is multiplied by.
    """
    used = {circuit.find_bit(qubit).index for item in circuit.data for qubit in item.qubits}
    target = target_from_spec(spec)
    noise = NoiseModel()
    for name in target.operation_names:
        for qubits, properties in (target[name] or {}).items():
            error = None if properties is None else properties.error
            if name == "measure" or not error or not used.issuperset(qubits):
                continue
            size = 2 ** len(qubits)
            share = min(1.0, growth * error * size / (size - 1))
            noise.add_quantum_error(depolarizing_error(share, len(qubits)), name, qubits)
    for qubit, wrong in readouts(spec, growth).items():
        if qubit in used:
            confusion = [
                [1 - wrong.one_for_zero, wrong.one_for_zero],
                [wrong.zero_for_one, 1 - wrong.zero_for_one],
            ]
            noise.add_readout_error(AerReadoutError(confusion), [qubit])
    return noise
