"""All ways in which the measurements of a round can go, with exact probabilities."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from attrs import frozen

from compiler.errors import GameTooLargeError
from games.six_nimmt.quantum.exact_state import ExactState
from games.six_nimmt.rules.rows import Applied, Event, Taken

MOST_PATHS = 1 << 14
"""Paths of measured bits up to which a distribution is enumerated."""


@frozen
class Path:
    """A way in which the measurements can go.

    Args:
        probability: of these outcomes.
        state: of the qubits afterwards.
    """

    probability: Fraction
    state: ExactState


def measured(
    state: ExactState, taken: Taken, *, reset: bool
) -> Iterator[tuple[int, Fraction, ExactState]]:
    """Yield the possible outcomes of a measurement, their probabilities, and the states after."""
    one = state.probability_of_1(taken.row)
    for outcome, probability in ((0, 1 - one), (1, one)):
        if probability:
            after = state.collapsed(taken.row, outcome)
            yield outcome, probability, after.reset(taken.row, outcome) if reset else after


def paths(
    events: Iterable[Event], start: ExactState | None = None, *, reset: bool = False
) -> Mapping[int, Path]:
    """Return every possible path; bit i of its key is what the i-th measurement gave.

    States that are equal are worked on once.

    Args:
        events: gates and measurements, in order.
        start: the state before them; |0000⟩ if None.
        reset: whether a measured qubit is reset.

    Raises:
        GameTooLargeError: if there are too many paths.
    """
    found: dict[ExactState, dict[int, Fraction]] = {start or ExactState(): {0: Fraction(1)}}
    bit = 0
    for event in events:
        after: dict[ExactState, dict[int, Fraction]] = {}
        for state, ways in found.items():
            if isinstance(event, Applied):
                after.setdefault(state.applied(event.operation, event.rows), {}).update(ways)
                continue
            for outcome, probability, left in measured(state, event, reset=reset):
                kept = after.setdefault(left, {})
                for path, p in ways.items():
                    kept[path | outcome << bit] = p * probability
        found = after
        bit += isinstance(event, Taken)
        if sum(map(len, found.values())) > MOST_PATHS:
            raise GameTooLargeError(
                f"more than {MOST_PATHS:,} ways in which the measurements can go are too many "
                "to enumerate"
            )
    return {path: Path(p, state) for state, ways in found.items() for path, p in ways.items()}


def chances_of_1(
    events: Iterable[Event], start: ExactState | None = None, *, reset: bool = False
) -> list[Fraction]:
    """Return for each measurement the probability of 1, whatever the earlier ones gave.

    Only different states are kept apart, so that rounds of any length can be gone through.

    Args:
        events: as of `paths`.
        start: as of `paths`.
        reset: as of `paths`.
    """
    weights = {start or ExactState(): Fraction(1)}
    found = []
    for event in events:
        after: dict[ExactState, Fraction] = {}
        one = Fraction(0)
        for state, weight in weights.items():
            if isinstance(event, Applied):
                left = state.applied(event.operation, event.rows)
                after[left] = after.get(left, Fraction(0)) + weight
                continue
            for outcome, probability, left in measured(state, event, reset=reset):
                after[left] = after.get(left, Fraction(0)) + weight * probability
                one += outcome * weight * probability
        weights = after
        if isinstance(event, Taken):
            found.append(one)
    return found


def expected_losses(
    events: Sequence[Event], players: int, start: ExactState | None = None, *, reset: bool = False
) -> list[Fraction]:
    """Return the points that each seat is expected to lose, exactly.

    Args:
        events: as of `paths`.
        players: how many.
        start: as of `paths`.
        reset: as of `paths`.
    """
    takings = [event for event in events if isinstance(event, Taken)]
    chances = chances_of_1(events, start, reset=reset)
    return [
        sum(
            (
                (1 - p) * taken.loss(seat, 0) + p * taken.loss(seat, 1)
                for taken, p in zip(takings, chances, strict=True)
            ),
            Fraction(0),
        )
        for seat in range(players)
    ]
