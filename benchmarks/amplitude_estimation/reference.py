"""The amplitude estimator of qiskit-algorithms, on one qubit whose probability is known."""

from math import asin, sqrt
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.primitives import StatevectorSampler
from qiskit_algorithms import EstimationProblem, IterativeAmplitudeEstimation

from compiler.estimation import Asked, Estimate


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
    result = IterativeAmplitudeEstimation(
        error, 1 - confidence, confint_method="beta", sampler=sampler(shots, seed)
    ).estimate(problem(probability))
    low, high = result.confidence_interval
    # Before the first round it writes down 0 iterates.
    rounds = [Asked(iterates, shots) for iterates in result.powers[1:]]
    return Estimate(result.estimation, low, high, rounds, (high - low) / 2 <= error)
