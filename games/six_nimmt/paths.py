"""The exact state of the four qubits: whole numbers only."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import gcd

from attrs import frozen

from compiler.errors import GameTooLargeError
from games.six_nimmt.rules.cards import ROWS, Operation
from games.six_nimmt.rules.round import KEPT_ROUNDS, Applied, Event, Taken

STATES = 1 << ROWS
Parts = tuple[int, ...]


@cache
def _pairs(row: int) -> tuple[tuple[int, int], ...]:
    """Return the basis states with 0 and with 1 in a qubit that are otherwise equal."""
    return tuple((x, x | 1 << row) for x in range(STATES) if not x >> row & 1)


@cache
def _swapped(control: int, target: int) -> tuple[int, ...]:
    return tuple(x ^ (x >> control & 1) << target for x in range(STATES))


@cache
def _exchanged(first: int, second: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs |10⟩, |01⟩ of two qubits."""
    return tuple(
        (x, x ^ 1 << first ^ 1 << second)
        for x in range(STATES)
        if x >> first & 1 and not x >> second & 1
    )


@frozen(cache_hash=True)
class ExactState:
    """Σₓ gₓ|x⟩ / √(Σₓ |gₓ|²) with Gaussian integers gₓ; bit r of x is row r's qubit.

    H times √2 and hSwap times 2 are matrices of Gaussian integers, and a measurement leaves out
    some of the gₓ; so all states of a game are of this form, and all probabilities fractions.

    Args:
        real: the real parts of the gₓ.
        imaginary: their imaginary parts.
    """

    real: Parts = (1,) + (0,) * (STATES - 1)
    imaginary: Parts = (0,) * STATES

    def applied(self, operation: Operation, rows: Sequence[int]) -> "ExactState":
        """Return the state after an operation; of CNOT the first row controls.

        Args:
            operation: H and Z act on one row, CNOT and hSwap on two.
            rows: rows whose qubits it acts on.
        """
        real, imaginary = list(self.real), list(self.imaginary)
        if operation is Operation.Z:
            for _, x in _pairs(rows[0]):
                real[x], imaginary[x] = -real[x], -imaginary[x]
            return ExactState(tuple(real), tuple(imaginary))
        if operation is Operation.CNOT:
            place = _swapped(rows[0], rows[1])
            return self._permuted(place)
        if operation is Operation.H:
            for x, y in _pairs(rows[0]):
                real[x], real[y] = real[x] + real[y], real[x] - real[y]
                imaginary[x], imaginary[y] = (
                    imaginary[x] + imaginary[y],
                    imaginary[x] - imaginary[y],
                )
        elif operation is Operation.HSWAP:
            real, imaginary = [2 * part for part in real], [2 * part for part in imaginary]
            for x, y in _exchanged(rows[0], rows[1]):
                a, b = self.real[x], self.imaginary[x]
                c, d = self.real[y], self.imaginary[y]
                # (1+i)(a+bi) + (1−i)(c+di), and the same with the factors exchanged.
                real[x], imaginary[x] = a - b + c + d, a + b - c + d
                real[y], imaginary[y] = a + b + c - d, b - a + c + d
        return _reduced(real, imaginary)

    @property
    def weights(self) -> tuple[int, ...]:
        """The |gₓ|²."""
        return tuple(a * a + b * b for a, b in zip(self.real, self.imaginary, strict=True))

    def probability_of_1(self, row: int) -> Fraction:
        """Return the probability that a row's qubit is measured as 1."""
        weights = self.weights
        return Fraction(sum(weights[x] for _, x in _pairs(row)), sum(weights))

    def collapsed(self, row: int, outcome: int) -> "ExactState":
        """Return the state after a row's qubit was measured.

        Raises:
            ValueError: if the outcome has probability 0.
        """
        real, imaginary = list(self.real), list(self.imaginary)
        for pair in _pairs(row):
            real[pair[1 - outcome]] = imaginary[pair[1 - outcome]] = 0
        if not any(real) and not any(imaginary):
            raise ValueError(f"row {row}'s qubit is never {outcome}")
        return _reduced(real, imaginary)

    def reset(self, row: int, outcome: int) -> "ExactState":
        """Return the state after a qubit that was measured was reset to |0⟩."""
        if not outcome:
            return self
        return self._permuted([x ^ 1 << row for x in range(STATES)])

    def _permuted(self, places: Sequence[int]) -> "ExactState":
        return ExactState(
            tuple([self.real[x] for x in places]), tuple([self.imaginary[x] for x in places])
        )


def _reduced(real: Sequence[int], imaginary: Sequence[int]) -> ExactState:
    """Divide by the common factor of all numbers, so that they stay small."""
    common = gcd(*real, *imaginary)
    if common > 1:
        real, imaginary = [a // common for a in real], [b // common for b in imaginary]
    return ExactState(tuple(real), tuple(imaginary))


KEPT_CIRCUITS = 1 << 10
"""Number of circuits whose probabilities are cached: many plans of a bot's move have the same."""

MAX_PATHS = 1 << 14
"""Paths of measured bits up to which a distribution is enumerated."""


@frozen
class Path:
    """A way in which the measurements can go.

    Args:
        probability: probability of these outcomes.
        state: state of the qubits afterwards.
    """

    probability: Fraction
    state: ExactState


def measured(
    state: ExactState, taken: Taken, *, reset: bool
) -> Iterator[tuple[int, Fraction, ExactState]]:
    """Yield the possible outcomes of a measurement, their probabilities, and the states after."""
    p = state.probability_of_1(taken.row)
    for outcome, probability in ((0, 1 - p), (1, p)):
        if probability:
            after = state.collapsed(taken.row, outcome)
            yield outcome, probability, after.reset(taken.row, outcome) if reset else after


@lru_cache(KEPT_ROUNDS)
def paths(
    events: tuple[Event, ...], start: ExactState | None = None, *, reset: bool = False
) -> Mapping[int, Path]:
    """Return every possible path; bit i of its key is the result of the i-th measurement.

    Equal states are processed once.

    Args:
        events: gates and measurements, in order.
        start: the state before them; |0000⟩ if None.
        reset: whether a measured qubit is reset.

    Raises:
        GameTooLargeError: if there are too many paths.
    """
    states: dict[ExactState, dict[int, Fraction]] = {start or ExactState(): {0: Fraction(1)}}
    bit = 0
    for event in events:
        after: dict[ExactState, dict[int, Fraction]] = {}
        for state, ways in states.items():
            if isinstance(event, Applied):
                after.setdefault(state.applied(event.operation, event.rows), {}).update(ways)
                continue
            for outcome, probability, left in measured(state, event, reset=reset):
                ways_ = after.setdefault(left, {})
                for path, p in ways.items():
                    ways_[path | outcome << bit] = p * probability
        states = after
        bit += isinstance(event, Taken)
        if sum(map(len, states.values())) > MAX_PATHS:
            raise GameTooLargeError(
                f"more than {MAX_PATHS:,} ways in which the measurements can go are too many "
                "to enumerate"
            )
    return {path: Path(p, state) for state, ways in states.items() for path, p in ways.items()}


@lru_cache(KEPT_CIRCUITS)
def chances_of_1(
    events: tuple[Event, ...], start: ExactState | None = None, *, reset: bool = False
) -> Sequence[Fraction]:
    """Return the marginal probability of 1 of each measurement.

    Only distinct states are kept, so rounds of any length are possible.

    Args:
        events: see `paths`.
        start: see `paths`.
        reset: see `paths`.
    """
    weights = {start or ExactState(): Fraction(1)}
    result = []
    for event in events:
        after: dict[ExactState, Fraction] = {}
        chance = Fraction(0)
        for state, weight in weights.items():
            if isinstance(event, Applied):
                left = state.applied(event.operation, event.rows)
                after[left] = after.get(left, Fraction(0)) + weight
                continue
            for outcome, probability, left in measured(state, event, reset=reset):
                after[left] = after.get(left, Fraction(0)) + weight * probability
                chance += outcome * weight * probability
        weights = after
        if isinstance(event, Taken):
            result.append(chance)
    return result
