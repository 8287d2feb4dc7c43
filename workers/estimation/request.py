"""What an estimate asks for, as it is written down."""

from collections.abc import Mapping
from typing import Any

from attrs import asdict, frozen

from compiler.amplification.event import Event
from compiler.compilation import Options
from compiler.dynamic.deferred import deferred
from compiler.errors import GameTooLargeError, UnknownNameError
from compiler.estimation import Bayesian, Counting, Estimate
from compiler.near_misses import meant
from compiler.words.estimator_names import EstimatorName
from workers.compilation.variant import variant
from workers.estimation.quantity import Quantity


@frozen
class Estimation:
    """What is estimated, and how well.

    Args:
        observable: an event of the program, or a number.
        estimator: how.
        error: half the width of the interval that is wanted, of a number in its own units.
        confidence: of the interval.
        shots: of each round.
        most_iterates: of a circuit; counting takes as many as it needs.
        noisy: whether the backend has noise, which the Bayesian one learns.
    """

    observable: str
    estimator: EstimatorName
    error: float
    confidence: float
    shots: int
    most_iterates: int
    noisy: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return it for a job's row."""
        return asdict(self)

    def asking(self, wanted: Quantity) -> Bayesian | Counting:
        """Return what asks for the rounds, or for the one circuit.

        Raises:
            InputError: if a number is out of its range.
        """
        error = wanted.share(self.error)
        if self.estimator is EstimatorName.COUNTING:
            return Counting(error=error, confidence=self.confidence, shots=self.shots)
        return Bayesian(
            error=error,
            confidence=self.confidence,
            shots=self.shots,
            most_iterates=self.most_iterates,
            noisy=self.noisy,
            background=wanted.event.share_of_noise(),
        )


def most_qubits(wanted: Quantity, asking: Bayesian | Counting) -> int:
    """Return how many qubits the widest circuit has that is asked for."""
    program = deferred(wanted.event.program.circuit).circuit.num_qubits
    return program + (asking.bits if isinstance(asking, Counting) else 0)


def estimation_from_json(document: Mapping[str, Any]) -> Estimation:
    """Return the request that a job's row holds.

    Raises:
        UnknownNameError: if its estimator no longer exists.
    """
    name = document["estimator"]
    if name not in list(EstimatorName):
        raise UnknownNameError(f"unknown estimator '{name}'; {meant(name, list(EstimatorName))}")
    return Estimation(**{**document, "estimator": EstimatorName(document["estimator"])})


def recorded_estimate(
    found: Estimate, asked: Estimation, wanted: Quantity, options: Options
) -> dict[str, Any]:
    """Return what was found, with all that was asked for it, and what tells how good that is.

    `exact` is the value by the rules, None if there are too many outcomes; `sampling_calls` are
    the runs of the program alone that a perfect machine takes for as narrow an interval, None if
    that is not known. What is told of a number is in its own units, with what it is at least, and
    by how much a probability is multiplied.

    Args:
        found: the estimate of the probability.
        asked: what was asked for.
        wanted: what is estimated by it.
        options: by which circuits were compiled.
    """
    half, event = (found.high - found.low) / 2, wanted.event
    exact = _exact(event)
    return wanted.in_units({
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
        else wanted.sampling(half * wanted.width, asked.confidence),
        "deepest": found.deepest,
        "title": wanted.title,
        "encoding": event.program.encoding,
        "method": options.method,
        "variant": variant(
            options.objective,
            options.without,
            any_input=bool(options.any_input),
            reuse_qubits=options.reuse_qubits,
        ),
        "rounds": [asdict(one) for one in found.rounds],
    })  # fmt: skip


def _exact(event: Event) -> float | None:
    try:
        return event.probability
    except GameTooLargeError:
        return None
