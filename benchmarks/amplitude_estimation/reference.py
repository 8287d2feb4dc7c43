"""Amplitude estimators of qiskit-algorithms, on one qubit whose probability is known."""

from collections.abc import Sequence
from math import asin, sqrt
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.primitives import StatevectorSampler
from qiskit_algorithms import (
    EstimationProblem,
    IterativeAmplitudeEstimation,
    MaximumLikelihoodAmplitudeEstimation,
)

from compiler.estimation import Asked, Estimate, Likelihood


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
    """Return what their IQAE finds, with intervals of Clopper and Pearson."""
    found = IterativeAmplitudeEstimation(
        error, 1 - confidence, confint_method="beta", sampler=sampler(shots, seed)
    ).estimate(problem(probability))
    low, high = found.confidence_interval
    # Before the first round it writes down 0 iterates.
    rounds = [Asked(iterates, shots) for iterates in found.powers[1:]]
    return Estimate(found.estimation, low, high, rounds, (high - low) / 2 <= error)


def likelihood(
    probability: float, error: float, confidence: float, shots: int, seed: int, most_iterates: int
) -> Estimate:
    """Return what their MLAE finds on our schedule, with the interval of the likelihood ratio."""
    schedule: Sequence[int] = [
        iterates
        for iterates, _ in Likelihood(
            error=error, confidence=confidence, shots=shots, most_iterates=most_iterates
        ).schedule()
    ]
    kind = MaximumLikelihoodAmplitudeEstimation(schedule, sampler=sampler(shots, seed))
    found = kind.estimate(problem(probability))
    low, high = kind.compute_confidence_interval(found, 1 - confidence, "likelihood_ratio")
    rounds = [Asked(iterates, shots) for iterates in schedule]
    return Estimate(found.estimation, low, high, rounds, (high - low) / 2 <= error)
