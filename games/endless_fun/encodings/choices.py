"""Rounds as the choices that are left in the end: each is a qudit of its own."""

from collections.abc import Iterable
from functools import lru_cache

from attrs import frozen
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from games.encoding import Encoding, encoding
from games.endless_fun.game import EndlessRound
from games.endless_fun.operators.codes import SAME
from games.endless_fun.operators.qutrit import QutritStart, places
from games.endless_fun.rules.gates import Gate
from games.endless_fun.rules.round import Round
from games.endless_fun.rules.state import Values, end_state

KEPT = 64


@encoding("choices")
class Choices(Encoding[EndlessRound]):
    """Register `choices`: a qubit, or two of a qutrit, for each dimension of the outcome space.

    All cards are Clifford gates, so the possible outcomes form a plane mod d, and all of them are
    equally likely: v = v₀ + Σ cᵢ·vᵢ mod d with free choices cᵢ. No gate acts between choices, and
    no card is left; `relabelled` keeps the cards. Like `parities` on quantum boards, this shows
    how little of a round is quantum.
    """

    place = 1
    family = EndlessRound
    judges = True
    small = True

    def supports(self, game: EndlessRound) -> bool:
        """Return whether the outcome is random."""
        return bool(plane_of(game.round).directions)

    def program(self, game: EndlessRound) -> QuantumCircuit:
        """Return the choices and their measurements."""
        number = len(plane_of(game.round).directions)
        quantum = QuantumRegister(game.bits * number, "choices")
        circuit = QuantumCircuit(quantum, ClassicalRegister(quantum.size, "choices"))
        circuit.name = game.name
        for place in range(number):
            if game.round.dimension == 2:
                circuit.h(quantum[place])
            else:
                circuit.append(QutritStart(SAME, 0, *places(Gate.H3)), quantum[2 * place :][:2])
        circuit.measure(quantum, circuit.cregs[0])
        return circuit

    def outcome(self, game: EndlessRound, measured: int) -> int | None:
        """Return the values that choices make, None if a word is illegal."""
        plane, mask = plane_of(game.round), (1 << game.bits) - 1
        chosen = [measured >> game.bits * i & mask for i in range(len(plane.directions))]
        if max(chosen) >= game.round.dimension:
            return None
        return game.outcome_of(plane.point(chosen))


@frozen
class Plane:
    """Points origin + Σ cᵢ·directionᵢ mod d.

    Args:
        dimension: d.
        origin: one of them.
        directions: independent of one another.
    """

    dimension: int
    origin: Values
    directions: tuple[Values, ...]

    def point(self, chosen: Iterable[int]) -> Values:
        """Return the point of choices."""
        result = self.origin
        for times, direction in zip(chosen, self.directions, strict=True):
            result = _added(result, direction, times, self.dimension)
        return result


@lru_cache(KEPT)
def plane_of(played: Round) -> Plane:
    """Return the plane of the possible outcomes of a round."""
    d = played.dimension
    origin, *others = end_state(played).probabilities()
    directions: dict[int, Values] = {}
    for point in others:
        remaining = _added(point, origin, -1, d)
        for pivot, direction in directions.items():
            remaining = _added(remaining, direction, -remaining[pivot], d)
        if any(remaining):
            pivot = next(place for place, value in enumerate(remaining) if value)
            # ±1 is its own inverse.
            directions[pivot] = tuple(remaining[pivot] * value % d for value in remaining)
    return Plane(d, origin, tuple(directions.values()))


def _added(first: Values, other: Values, times: int, dimension: int) -> Values:
    return tuple((a + times * b) % dimension for a, b in zip(first, other, strict=True))
