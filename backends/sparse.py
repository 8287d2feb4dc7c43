"""The exact simulator: outcomes are drawn from the exact state."""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from backends.backend import CircuitJob, LocalBackend
from backends.errors import BackendError
from backends.families import backend, refuse_argument
from compiler.dynamic.needs import EVERYTHING, Need
from compiler.dynamic.pieces import is_dynamic
from compiler.errors import StateTooLargeError
from compiler.verification.program import outcome_distribution, program_state
from compiler.verification.sampled_paths import has_too_many_paths
from compiler.verification.simulation.path_runs import sampled_outcomes
from compiler.verification.trajectories import sampled_games


@backend("sparse", "exact sparse state vector, any target, shots drawn from the exact distribution")
class SparseBackend(LocalBackend):
    """Simulates the whole circuit once, however wide, and samples all its measurements.

    Circuits that may be measured at their barriers are simulated shot by shot, and those with too
    many paths of measured bits path by path.
    """

    def __init__(self, argument: str) -> None:
        refuse_argument("sparse", argument)

    def supports(self) -> frozenset[Need]:
        """Return everything: measurements are deferred."""
        return EVERYTHING

    def run(self, job: CircuitJob) -> Mapping[int, int]:
        """Return the shots by outcome; see `LocalBackend.run`."""
        try:
            if job.forgetful:
                return Counter(sampled_games(job.circuit, job.shots, job.seed))
            if is_dynamic(job.circuit) and has_too_many_paths(job.circuit):
                return Counter(sampled_outcomes(job.circuit, job.shots, job.seed))
            exact = outcome_distribution(job.circuit, program_state(job.circuit))
        except StateTooLargeError as error:
            raise BackendError(f"backend 'sparse': {error}; try 'aer'") from error
        outcomes = sorted(exact)
        weights = np.array([exact[outcome] for outcome in outcomes])
        drawn = np.random.default_rng(job.seed).multinomial(job.shots, weights / weights.sum())
        return {o: int(n) for o, n in zip(outcomes, drawn, strict=True) if n}
