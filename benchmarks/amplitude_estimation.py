"""`python -m benchmarks.amplitude_estimation`: calls of each estimator, and its coverage.

Ours, and the iterative one of qiskit-algorithms, on one qubit whose probability is known.
"""

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from math import asin, sqrt
from typing import Any

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.primitives import StatevectorSampler
from qiskit_algorithms import EstimationProblem, IterativeAmplitudeEstimation

from compiler.estimation import MAX_ITERATES, Asked, Bayesian, Estimate, ideal_oracle


class Turn(QuantumCircuit):
    """The iterate of one qubit that is 1 with probability sin²θ: RY(4θ)."""

    def __init__(self, angle: float) -> None:
        super().__init__(1)
        self.angle = angle
        self.ry(4 * angle, 0)

    def power(self, power: float, *_: Any, **__: Any) -> "Turn":
        """Return so many iterates, as one gate."""
        return Turn(power * self.angle)


def problem(probability: float) -> EstimationProblem:
    """Return the estimation of a qubit's probability to be 1."""
    angle = asin(sqrt(probability))
    preparation = QuantumCircuit(1)
    preparation.ry(2 * angle, 0)
    return EstimationProblem(preparation, objective_qubits=[0], grover_operator=Turn(angle))


def sampler(shots: int, seed: int) -> StatevectorSampler:
    """Return a sampler all of whose runs draw from one stream."""
    return StatevectorSampler(default_shots=shots, seed=np.random.default_rng(seed))


def iterative(
    probability: float, error: float, confidence: float, shots: int, seed: int
) -> Estimate:
    """Return the result of their IQAE, with intervals of Clopper and Pearson."""
    result = IterativeAmplitudeEstimation(
        error, 1 - confidence, confint_method="beta", sampler=sampler(shots, seed)
    ).estimate(problem(probability))
    low, high = result.confidence_interval
    # Before the first round it writes down 0 iterates.
    rounds = [Asked(iterates, shots) for iterates in result.powers[1:]]
    return Estimate(result.estimation, low, high, rounds, (high - low) / 2 <= error)


CONFIDENCE = 0.95
SHOTS = 100
ERRORS = (1e-2, 1e-3, 1e-4)

Run = Callable[[float, float, int], Estimate]
"""Maps a probability, an error and a seed to a result."""


@frozen
class Compared:
    """An estimator, run many times.

    Args:
        name: of it.
        error: that was asked for.
        calls: mean number.
        rounds: mean number.
        covered: share of the intervals that hold the probability.
        reached: share of the intervals that are as narrow as was asked for.
        off: root mean square of estimate − probability, in units of the error.
    """

    name: str
    error: float
    calls: float
    rounds: float
    covered: float
    reached: float
    off: float


def _bayesian(shots: int, probability: float, error: float, seed: int) -> Estimate:
    asking = Bayesian(error=error, confidence=CONFIDENCE, shots=shots, most_iterates=MAX_ITERATES)
    return asking.estimate(ideal_oracle(probability, seed))


def _their_iterative(shots: int, probability: float, error: float, seed: int) -> Estimate:
    return iterative(probability, error, CONFIDENCE, shots, seed)


def runs(shots: int = SHOTS) -> Mapping[str, Run]:
    """Return all estimators by name."""
    return {
        "bayesian": partial(_bayesian, shots),
        "IQAE of qiskit-algorithms": partial(_their_iterative, shots),
    }


def compared(name: str, run: Run, error: float, probability: float, seeds: int) -> Compared:
    """Return the results of an estimator.

    Args:
        name: of the estimator.
        run: the estimator.
        error: requested.
        probability: true one.
        seeds: number of runs.
    """
    estimates = [run(probability, error, seed) for seed in range(seeds)]
    return Compared(
        name,
        error,
        float(np.mean([each.calls for each in estimates])),
        float(np.mean([len(each.rounds) for each in estimates])),
        float(np.mean([each.low <= probability <= each.high for each in estimates])),
        float(np.mean([each.reached for each in estimates])),
        float(np.sqrt(np.mean([((each.value - probability) / error) ** 2 for each in estimates]))),
    )


def main() -> None:
    """Print one line for each estimator and error, as soon as it is known."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.amplitude_estimation", description=__doc__
    )
    parser.add_argument("--seeds", type=int, default=200, help="runs of each estimator")
    parser.add_argument("--probability", type=float, default=5 / 12)
    parser.add_argument("--round-shots", type=int, default=SHOTS, help="shots of each round")
    options = parser.parse_args()
    print(
        f"{'estimator':<26} {'error':>7} {'calls':>9} {'rounds':>6} {'held':>6} {'reached':>7} "
        f"{'off/error':>9}",
        flush=True,
    )
    for error in ERRORS:
        for name, run in runs(options.round_shots).items():
            row = compared(name, run, error, options.probability, options.seeds)
            print(
                f"{name:<26} {error:>7g} {row.calls:>9,.0f} {row.rounds:>6.1f} "
                f"{row.covered:>6.1%} {row.reached:>7.0%} {row.off:>9.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
