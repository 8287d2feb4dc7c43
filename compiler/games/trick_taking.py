"""Trick-taking games in `paper` rules.

Seats play in fixed order, any hand card may be played, and the deck's order alone says which
card takes the trick (Armbrüster et al., AAMAS 2026, section 4).
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.encodings import encodings
from compiler.games.cards import Card
from compiler.games.game import Game
from compiler.games.positions import Position, deals, plays, take_trick
from compiler.games.steps import Deal, Play, Step, Trick, seat_name


@frozen
class TrickTakingGame(Game):
    """A deck dealt to two or three seats, played trick by trick.

    Args:
        name: what the game is called on the command line.
        players: number of seats, 2 or 3; seat 0 leads every trick.
        hand: cards per seat at the start, which is also the number of tricks.
        deck: the cards, strongest first; cards beyond `players * hand` form the skat.
        points_of: points of each card of the deck.
        known: owner of each card of the deck, or None where it is unknown.
        party: seats whose stacks count together.
        threshold: points with which the party wins.
        base_points: points the party has before the game starts.
    """

    name: str
    players: int
    hand: int
    deck: tuple[Card, ...]
    points_of: tuple[int, ...]
    known: tuple[int | None, ...]
    party: tuple[int, ...]
    threshold: int
    base_points: int = 0

    @property
    def title(self) -> str:
        """One line for lists."""
        skat = f" and {self.skat} in the skat" if self.skat else ""
        cards = "1 card" if self.hand == 1 else f"{self.hand} cards"
        return f"{self.players} players, {cards} each{skat}, paper rules"

    @property
    def encodings(self) -> tuple[str, ...]:
        """Names of the encodings of this game, the default first."""
        return tuple(name for name, how in encodings.items() if how.supports(self))

    @property
    def skat(self) -> int:
        """Number of cards that nobody plays."""
        return len(self.deck) - self.players * self.hand

    @property
    def hands(self) -> tuple[int, ...]:
        """Cards dealt to each owner; the skat, where there is one, is the last owner."""
        return (self.hand,) * self.players + ((self.skat,) if self.skat else ())

    @property
    def owner_bits(self) -> int:
        """Bits that name a card's owner."""
        return (len(self.hands) - 1).bit_length()

    def steps(self) -> tuple[Step, ...]:
        """Return the deal, the plays and the tricks in the order they happen."""
        steps: list[Step] = [Deal()]
        for trick in range(self.hand):
            steps += [Play(seat, self.hand - trick, trick) for seat in range(self.players)]
            steps.append(Trick(trick))
        return tuple(steps)

    def program(self, encoding: str) -> QuantumCircuit:
        """Return the operator-level circuit; see `Game.program`."""
        return encodings[encoding].program(self)

    def outcome_of(self, encoding: str, measured: int) -> int | None:
        """Return what measured bits stand for in an encoding; see `Game.outcome_of`."""
        return encodings[encoding].outcome(self, measured)

    def step_distributions(self) -> list[tuple[Step, dict[Position, Fraction]]]:
        """Return the exact distribution over positions after every step.

        Positions that were reached in different ways are merged, as a measurement of the
        cards' qubits would.
        """
        weights: Counter[Position] = Counter(dict.fromkeys(deals(self.hands, self.known), 1))
        branches = len(weights)
        distributions = []
        for step in self.steps():
            if not isinstance(step, Deal):
                following: Counter[Position] = Counter()
                for position, weight in weights.items():
                    for successor in _successors(position, step):
                        following[successor] += weight
                weights = following
            if isinstance(step, Play):
                branches *= step.hand
            distributions.append((step, {p: Fraction(w, branches) for p, w in weights.items()}))
        return distributions

    def exact_distribution(self) -> Mapping[int, Fraction]:
        """Return the exact distribution of the final owners; see `Game`."""
        return _exact_distribution(self)

    def owners(self, outcome: int) -> tuple[int, ...]:
        """Return each card's owner in `outcome`, strongest card first."""
        mask = (1 << self.owner_bits) - 1
        return tuple(outcome >> (i * self.owner_bits) & mask for i in range(len(self.deck)))

    def outcome(self, owners: tuple[int, ...]) -> int:
        """Return the outcome in which card i belongs to `owners[i]`."""
        return sum(owner << (i * self.owner_bits) for i, owner in enumerate(owners))

    def is_legal(self, outcome: int) -> bool:
        """Tell whether a game can end with these owners; see `Game`."""
        return outcome in self.exact_distribution()

    def is_win(self, outcome: int) -> bool:
        """Tell whether the party reaches the threshold; see `Game`."""
        return self.points(outcome) >= self.threshold

    def points(self, outcome: int) -> int:
        """Return the base points plus those of all cards on the party's stacks."""
        owners = zip(self.points_of, self.owners(outcome), strict=True)
        return self.base_points + sum(points for points, owner in owners if owner in self.party)

    def describe(self, outcome: int) -> str:
        """Return the letters of the cards' owners, strongest card first; `-` is the skat."""
        return "".join(
            seat_name(o) if o < self.players else "-" if o < len(self.hands) else "?"
            for o in self.owners(outcome)
        )


def _successors(position: Position, step: Step) -> list[Position]:
    match step:
        case Play(seat=seat):
            return plays(position, seat)
        case _:
            return [take_trick(position)]


@cache
def _exact_distribution(game: TrickTakingGame) -> dict[int, Fraction]:
    _, final = game.step_distributions()[-1]
    distribution: dict[int, Fraction] = {}
    for position, probability in final.items():
        outcome = game.outcome(tuple(owner for owner, _ in position))
        distribution[outcome] = distribution.get(outcome, Fraction(0)) + probability
    return distribution
