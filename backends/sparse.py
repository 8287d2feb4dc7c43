"""The sparse simulator: outcomes are drawn from the exact state, or from noisy shots."""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from backends.backend import CircuitJob
from backends.device_simulator import DeviceSimulator, light_cone, scheduled
from backends.errors import BackendError
from backends.families import backend
from backends.pauli.trajectories import noisy_shots
from compiler.dynamic.needs import EVERYTHING, Need
from compiler.dynamic.pieces import is_dynamic
from compiler.errors import StateTooLargeError
from compiler.targets.ibm_devices import CURRENT
from compiler.verification.program import outcome_distribution, program_state
from compiler.verification.sampled_paths import has_too_many_paths
from compiler.verification.simulation.path_runs import sampled_outcomes
from compiler.verification.trajectories import sampled_games


@backend(
    "sparse",
    "exact sparse state vector, any target; sparse:boston with the device's gate and readout "
    "errors on 60 qubits and more, sparse:boston:idle also while qubits wait",
    CURRENT,
)
class SparseBackend(DeviceSimulator):
    """Simulates the whole circuit once, however wide, and samples all its measurements.

    Circuits that may be measured at their barriers are simulated shot by shot, and those with too
    many paths of measured bits path by path.

    With a device's name each shot is simulated with errors drawn from the calibration, those of
    `aer` with the same name; `idle` adds twirled relaxation and dephasing at T1 and T2 while
    qubits wait, everything as late as possible.
    """

    def __init__(self, argument: str) -> None:
        super().__init__("sparse", argument, "idle")

    def supports(self) -> frozenset[Need]:
        """Return everything without noise: measurements are deferred. With noise nothing."""
        return frozenset() if self.device else EVERYTHING

    def run(self, job: CircuitJob) -> Mapping[int, int]:
        """Return the shots by outcome; see `LocalBackend.run`."""
        try:
            return self._noisy(job) if self.device else _ideal(job)
        except StateTooLargeError as error:
            instead = f"aer:{self.device}" if self.device else "aer"
            raise BackendError(f"backend 'sparse': {error}; try '{instead}'") from error

    def _noisy(self, job: CircuitJob) -> Mapping[int, int]:
        circuit = scheduled(job.circuit, self.device) if self.has_variant else job.circuit
        circuit = light_cone(circuit)
        return noisy_shots(circuit, self.device, job.shots, job.seed, waits=self.has_variant)


def _ideal(job: CircuitJob) -> Mapping[int, int]:
    if job.forgetful:
        return Counter(sampled_games(job.circuit, job.shots, job.seed))
    if is_dynamic(job.circuit) and has_too_many_paths(job.circuit):
        return Counter(sampled_outcomes(job.circuit, job.shots, job.seed))
    exact = outcome_distribution(job.circuit, program_state(job.circuit))
    outcomes = sorted(exact)
    weights = np.array([exact[outcome] for outcome in outcomes])
    drawn = np.random.default_rng(job.seed).multinomial(job.shots, weights / weights.sum())
    return {o: int(n) for o, n in zip(outcomes, drawn, strict=True) if n}
