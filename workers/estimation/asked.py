"""What an estimate asks for, as it is written down."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from attrs import asdict, frozen

from compiler.amplification.event import Event
from compiler.compilation import Options
from compiler.errors import GameTooLargeError
from compiler.estimation import (
    Bayesian,
    Estimate,
    Estimator,
    Iterative,
    Likelihood,
    classical_shots,
)
from workers.compilation.variant import variant


class Adaptive(StrEnum):
    """How a probability is estimated round by round."""

    ITERATIVE = "iterative"
    LIKELIHOOD = "likelihood"
    BAYESIAN = "bayesian"


@frozen
class Estimation:
    """What is estimated, and how well.

    Args:
        observable: an event of the program.
        estimator: how.
        error: half the width of the interval that is wanted.
        confidence: of the interval.
        shots: of each round.
        most_iterates: of a circuit.
        noisy: whether the backend has noise, which the Bayesian one learns.
    """

    observable: str
    estimator: Adaptive
    error: float
    confidence: float
    shots: int
    most_iterates: int
    noisy: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return it for a job's row."""
        return asdict(self)

    def asking(self, event: Event) -> Estimator:
        """Return what asks for the rounds.

        Raises:
            InputError: if a number is out of its range.
        """
        if self.estimator is Adaptive.BAYESIAN:
            return Bayesian(
                error=self.error,
                confidence=self.confidence,
                shots=self.shots,
                most_iterates=self.most_iterates,
                noisy=self.noisy,
                background=event.share_of_noise(),
            )
        kind = Iterative if self.estimator is Adaptive.ITERATIVE else Likelihood
        return kind(
            error=self.error,
            confidence=self.confidence,
            shots=self.shots,
            most_iterates=self.most_iterates,
        )


def estimation_from_json(document: Mapping[str, Any]) -> Estimation:
    """Return what was written down."""
    return Estimation(**{**document, "estimator": Adaptive(document["estimator"])})


def recorded_estimate(
    found: Estimate, asked: Estimation, event: Event, options: Options
) -> dict[str, Any]:
    """Return what was found, with all that was asked for it, and what tells how good that is.

    `exact` is the probability by the rules, None if there are too many outcomes;
    `sampling_calls` are the runs of the program alone that a perfect machine takes for as narrow
    an interval, None if that is not known.

    Args:
        found: the estimate.
        asked: what was asked for.
        event: whose probability it is.
        options: by which circuits were compiled.
    """
    half, exact = (found.high - found.low) / 2, _exact(event)
    return {
        "estimate": found.value,
        "low": found.low,
        "high": found.high,
        "exact": exact,
        "reached": found.reached,
        "circuits": found.circuits,
        "shots": found.shots,
        "calls": found.calls,
        "sampling_calls": None
        if exact is None or not half
        else classical_shots(exact, half, asked.confidence),
        "deepest": found.deepest,
        "encoding": event.program.encoding,
        "method": options.method,
        "variant": variant(
            options.objective,
            options.without,
            any_input=bool(options.any_input),
            reuse_qubits=options.reuse_qubits,
        ),
        "rounds": [asdict(one) for one in found.rounds],
    }


def _exact(event: Event) -> float | None:
    try:
        return event.probability
    except GameTooLargeError:
        return None
