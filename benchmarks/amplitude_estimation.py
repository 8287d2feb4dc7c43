"""`python -m benchmarks.amplitude_estimation`: calls of each estimator, and its coverage.

Ours, and the iterative one of qiskit-algorithms, on one qubit whose probability is known.
"""

import argparse
from collections.abc import Sequence
from math import asin, sqrt
from typing import Any

import numpy as np
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


CONFIDENCE = 0.95
SHOTS = 100
ERRORS = (1e-2, 1e-3, 1e-4)


def bayesian(probability: float, error: float, shots: int, seed: int) -> Estimate:
    """Return our result."""
    asking = Bayesian(error=error, confidence=CONFIDENCE, shots=shots, most_iterates=MAX_ITERATES)
    return asking.estimate(ideal_oracle(probability, seed))


def iterative(probability: float, error: float, shots: int, seed: int) -> Estimate:
    """Return the result of their IQAE, with intervals of Clopper and Pearson."""
    angle = asin(sqrt(probability))
    preparation = QuantumCircuit(1)
    preparation.ry(2 * angle, 0)
    # All runs of the sampler draw from one stream.
    sampler = StatevectorSampler(default_shots=shots, seed=np.random.default_rng(seed))
    result = IterativeAmplitudeEstimation(
        error, 1 - CONFIDENCE, confint_method="beta", sampler=sampler
    ).estimate(EstimationProblem(preparation, objective_qubits=[0], grover_operator=Turn(angle)))
    low, high = result.confidence_interval
    # Before the first round it writes down 0 iterates.
    rounds = [Asked(iterates, shots) for iterates in result.powers[1:]]
    return Estimate(result.estimation, low, high, rounds, (high - low) / 2 <= error)


RUNS = {"bayesian": bayesian, "IQAE of qiskit-algorithms": iterative}
COLUMNS = ("calls", "rounds", "held", "reached", "off/error")
"""Mean numbers of calls and rounds, shares of the intervals that hold the probability and that are
as narrow as was asked for, and the root mean square of estimate − probability."""


def figures(estimates: Sequence[Estimate], error: float, probability: float) -> list[str]:
    """Return the figures of an estimator, one for each of `COLUMNS`.

    Args:
        estimates: results of many runs.
        error: requested.
        probability: true one.
    """
    values = np.array([
        (each.calls, len(each.rounds), each.low <= probability <= each.high, each.reached,
         ((each.value - probability) / error) ** 2)
        for each in estimates
    ])  # fmt: skip
    calls, rounds, held, reached, off = values.mean(axis=0)
    return [f"{calls:,.0f}", f"{rounds:.1f}", f"{held:.1%}", f"{reached:.0%}", f"{sqrt(off):.2f}"]


def main() -> None:
    """Print one line for each estimator and error, as soon as it is known."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.amplitude_estimation", description=__doc__
    )
    parser.add_argument("--seeds", type=int, default=200, help="runs of each estimator")
    parser.add_argument("--probability", type=float, default=5 / 12)
    parser.add_argument("--round-shots", type=int, default=SHOTS, help="shots of each round")
    options = parser.parse_args()
    probability, shots = options.probability, options.round_shots
    print(f"{'estimator':<26} {'error':>7}", *(f"{name:>9}" for name in COLUMNS), flush=True)
    for error in ERRORS:
        for name, run in RUNS.items():
            estimates = [run(probability, error, shots, seed) for seed in range(options.seeds)]
            row = figures(estimates, error, probability)
            print(f"{name:<26} {error:>7g}", *(f"{text:>9}" for text in row), flush=True)


if __name__ == "__main__":
    main()
