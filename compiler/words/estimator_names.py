"""Names of estimators, by which they are asked for; reading them needs no statistics."""

from enum import StrEnum


class EstimatorName(StrEnum):
    """Method of estimating a probability: round by round, or by counting in one circuit."""

    BAYESIAN = "bayesian"
    COUNTING = "counting"


ESTIMATORS = "bayesian (fewest calls; also estimates the noise) or counting (phase estimation)"
"""Descriptions of the estimators."""

ERROR = 0.01
"""Default of half the width of the interval."""

ROUND_SHOTS = 100
"""Default shots of each round."""

MAX_ITERATES = 64
"""Default limit of the iterates of a circuit."""

PROVIDER_ROUNDS = 4
"""Rounds that are one job of a provider by default."""
