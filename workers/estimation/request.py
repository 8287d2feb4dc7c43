"""Requests of estimates, as they are stored."""

from collections.abc import Mapping
from math import ceil, sqrt
from typing import Any

from attrs import asdict, frozen

from compiler.amplification.drawn import Drawn, drawn, is_number
from compiler.amplification.event import Event
from compiler.compilation import Options
from compiler.dynamic.deferred import deferred
from compiler.errors import GameTooLargeError, InputError, UnknownNameError, meant
from compiler.estimation import MIN_ERROR, Bayesian, Counting, Estimate, classical_shots
from compiler.judge import Kind, observable_title
from compiler.program import Program
from compiler.scores.intervals import normal_quantile
from compiler.words.estimator_names import EstimatorName
from workers.attributes import attributes
from workers.compilation.variant import variant


@frozen
class Quantity:
    """An event, and the meaning of its probability.

    Args:
        event: whose probability is estimated.
        number: whose expected value it gives; None for a probability.
    """

    event: Event
    number: Drawn | None

    @property
    def width(self) -> float:
        """Growth of the quantity when the probability goes from 0 to 1."""
        return 1.0 if self.number is None else float(self.number.scale.width)

    @property
    def title(self) -> str:
        """Name of the probability."""
        if self.number is None:
            return observable_title(self.event.name, self.event.observable.kind)
        return _share_title(self.event.name, self.value(0), self.value(1))

    @property
    def spread(self) -> float:
        """The standard deviation of the result of one run of the program, as a probability's."""
        if self.number is None:
            return sqrt(self.event.probability * (1 - self.event.probability))
        return sqrt(self.number.variance) / self.width

    def share(self, error: float) -> float:
        """Return the error of the probability that belongs to one of the quantity.

        Raises:
            InputError: if that is out of range.
        """
        if self.number is not None and not MIN_ERROR * self.width <= error <= self.width / 2:
            raise InputError(
                f"error {error}: {self.title}, so take {MIN_ERROR * self.width:g} to "
                f"{self.width / 2:g}"
            )
        return error / self.width

    def sampling(self, error: float, confidence: float) -> int:
        """Return how many runs of the program alone estimate as well.

        Raises:
            GameTooLargeError: if there are too many outcomes to know how much they vary.
        """
        if self.number is None:
            return classical_shots(self.event.probability, error, confidence)
        return ceil(normal_quantile(confidence) ** 2 * self.number.variance / error**2)

    def value(self, probability: float) -> float:
        """Return the quantity that belongs to a probability."""
        return probability if self.number is None else self.number.scale.value(probability)

    def in_units(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Return an answer about the probability as one about the quantity."""
        if self.number is None:
            return answer
        shares = {key: answer[key] for key in ("estimate", "low", "high", "exact")}
        return {
            **answer,
            **{key: None if p is None else self.value(p) for key, p in shares.items()},
            "title": f"E({self.event.name.replace('_', ' ')})",
            "least": self.value(0),
            "width": self.width,
        }


def as_share(observable: str, result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a recorded estimate as one of a probability, which that of an event is already."""
    if "width" not in result:
        return {"title": observable_title(observable, Kind.EVENT), **result}
    least, width = result["least"], result["width"]
    shares = {key: (result[key] - least) / width for key in ("estimate", "low", "high", "exact")}
    return {**result, **shares, "title": _share_title(observable, least, least + width)}


def _share_title(observable: str, least: float, most: float) -> str:
    return f"{observable} as a share of {least:g} to {most:g}"


def quantity(source: Program, name: str) -> Quantity:
    """Return the event or number by which an observable of a program is estimated.

    Raises:
        InputError: if it has no event, or a number that cannot be drawn from.
        UnknownNameError: if there is no such observable.
    """
    number = drawn(source, name) if is_number(source, name) else None
    return Quantity(Event(source if number is None else number.program, name), number)


@frozen
class Estimation:
    """A request of an estimate.

    Args:
        observable: an event of the program, or a number.
        estimator: its name.
        error: half the width of the requested interval, of a number in its own units.
        confidence: of the interval.
        shots: of each round.
        most_iterates: of a circuit; counting takes as many as it needs.
        together: most rounds that are chosen at once, and are one job of a provider.
        noisy: whether the backend has noise, which the Bayesian one learns.
    """

    observable: str
    estimator: EstimatorName
    error: float
    confidence: float
    shots: int
    most_iterates: int
    together: int = 1
    noisy: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return it for a job's row."""
        return asdict(self)

    def asking(self, wanted: Quantity) -> Bayesian | Counting:
        """Return the schedule of the rounds, or of the one circuit.

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
            together=self.together,
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


OF_ESTIMATE = ("low", "high", "reached", "circuits", "shots", "calls", "deepest")


def recorded_estimate(
    estimate: Estimate, request: Estimation, wanted: Quantity, options: Options
) -> dict[str, Any]:
    """Return the result with the request, and the figures that show its quality.

    `exact` is the value by the rules, None if there are too many outcomes; `sampling_calls` are
    the runs of the program alone that a perfect machine takes for as narrow an interval, None if
    unknown. Figures of a number are in its own units, with its minimum and the factor of the
    probability.

    Args:
        estimate: the estimate of the probability.
        request: of the estimate.
        wanted: the event or number.
        options: of compiling the circuits.
    """
    half, event = (estimate.high - estimate.low) / 2, wanted.event
    exact = _exact(event)
    return wanted.in_units({
        **attributes(OF_ESTIMATE, estimate),
        "estimate": estimate.value,
        "exact": exact,
        "sampling_calls": None
        if exact is None or not half
        else wanted.sampling(half * wanted.width, request.confidence),
        "title": wanted.title,
        "encoding": event.program.encoding,
        "method": options.method,
        "variant": variant(
            options.objective,
            options.without,
            any_input=bool(options.any_input),
            reuse_qubits=options.reuse_qubits,
        ),
        "rounds": [asdict(round_) for round_ in estimate.rounds],
    })  # fmt: skip


def _exact(event: Event) -> float | None:
    try:
        return event.probability
    except GameTooLargeError:
        return None
