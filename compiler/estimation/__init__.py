"""Amplitude estimation: what probability an oracle's counts speak for."""

from compiler.estimation.bayesian import Bayesian
from compiler.estimation.estimate import Asked, Estimate, Estimator, Oracle, Round, classical_shots
from compiler.estimation.iterative import Iterative
from compiler.estimation.likelihood import Likelihood

__all__ = [
    "Asked",
    "Bayesian",
    "Estimate",
    "Estimator",
    "Iterative",
    "Likelihood",
    "Oracle",
    "Round",
    "classical_shots",
]
