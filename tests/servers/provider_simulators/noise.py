"""What the simulated devices play with: the noise of their calibration, which may grow."""

import time
from collections.abc import Callable, Mapping

from attrs import define, field
from qiskit import QuantumCircuit
from qiskit_aer.noise import NoiseModel, depolarizing_error
from qiskit_aer.noise import ReadoutError as AerReadoutError

from backends.aer import AerBackend, noisy_counts
from backends.backend import CircuitJob, LocalBackend
from backends.device_simulator import light_cone
from compiler.targets import iqm, target_from_spec
from compiler.targets.device import is_device
from compiler.targets.ibm_devices import snapshot_names, snapshot_spec
from compiler.targets.readout import readout_errors
from tests.servers.provider_simulators.machine import DAY_SECONDS

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
        circuit = light_cone(job.circuit)
        noise = calibrated_noise(job.target, circuit, self.growth())
        return noisy_counts(job, circuit, noise)

    def growth(self) -> float:
        """Return what every calibrated error is multiplied by today."""
        days = (self.clock() - self._begun) // DAY_SECONDS
        return float((1 + self.drift) ** days)


def growth_of(simulator: LocalBackend) -> Callable[[], float]:
    """Return the function whose result multiplies every calibrated error of a simulator."""
    return simulator.growth if isinstance(simulator, NoisyDevices) else lambda: 1.0


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
    for qubit, error in readout_errors(spec).items():
        if qubit in used:
            wrong_1, wrong_0 = (
                min(0.5, growth * p) for p in (error.one_for_zero, error.zero_for_one)
            )
            confusion = [[1 - wrong_1, wrong_1], [wrong_0, 1 - wrong_0]]
            noise.add_readout_error(AerReadoutError(confusion), [qubit])
    return noise
