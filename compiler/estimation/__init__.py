"""Amplitude estimation: what probability an oracle's counts speak for."""

from compiler.estimation.bayesian import Bayesian
from compiler.estimation.bayesian_iterative import BayesianIterative
from compiler.estimation.counting import Counting, PhaseOracle
from compiler.estimation.estimate import Asked, Estimate, Estimator, Oracle, Round, classical_shots
from compiler.estimation.iterative import Iterative
from compiler.estimation.likelihood import Likelihood

__all__ = [
    "Asked",
    "Bayesian",
    "BayesianIterative",
    "Counting",
    "Estimate",
    "Estimator",
    "Iterative",
    "Likelihood",
    "Oracle",
    "PhaseOracle",
    "Round",
    "classical_shots",
]
