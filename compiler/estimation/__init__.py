"""Amplitude estimation: what probability an oracle's counts speak for."""

from compiler.estimation.bayesian import Bayesian
from compiler.estimation.counting import Counting, PhaseOracle
from compiler.estimation.estimate import Asked, Estimate, Estimator, Oracle, Round, classical_shots
from compiler.estimation.iterative import Iterative

__all__ = [
    "Asked",
    "Bayesian",
    "Counting",
    "Estimate",
    "Estimator",
    "Iterative",
    "Oracle",
    "PhaseOracle",
    "Round",
    "classical_shots",
]
