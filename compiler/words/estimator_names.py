"""Names of estimators, by which they are asked for; reading them needs no statistics."""

from enum import StrEnum


class EstimatorName(StrEnum):
    """How a probability is estimated: round by round, or by counting in one circuit."""

    BAYESIAN = "bayesian"
    COUNTING = "counting"


ESTIMATORS = (
    "bayesian (takes the fewest calls, and learns the noise, too) or counting (phase estimation)"
)
"""What each of them is, for people."""

ERROR = 0.01
"""Half the width of the interval, if nobody says how narrow it is wanted."""

ROUND_SHOTS = 100
"""Of each round, if nobody says how many."""

MAX_ITERATES = 64
"""Of a circuit, if nobody says how many."""
