"""Consistent deals, and exact distributions of games by enumerating deals and plays.

States that are reached in different ways are merged, so that the work grows with the number of
states and not with that of the paths. Weights are integers over one common denominator.

Cards of classes without a count are interchangeable to the constraints, and so are the cards of
one counted class. These groups of unknown cards are dealt one after the other: a *split* is the
number of cards of a group for each owner, and the deals of a split are a multinomial.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, factorial, lcm, prod
from random import Random

from attrs import frozen

from compiler.errors import GameTooLargeError
from games.trick_taking.play.positions import Moves, State
from games.trick_taking.rules.setup import Deal, Play, Position, Setup, Step

KEPT_GAMES = 16
"""Number of games whose distributions are cached."""

KEPT_DEALS = 256
"""Number of games whose deals are cached: one of 32 cards counts those of each card's owners."""

Owners = tuple[int, ...]
"""The owner of every card of the deck."""


class Dealing:
    """The consistent deals of one game.

    Args:
        game: says hand sizes, known owners and class counts.
    """

    def __init__(self, game: Setup) -> None:
        counted = {name for _, name, _ in game.class_counts}
        groups: dict[str, list[int]] = {}
        held: Counter[tuple[int, str]] = Counter()
        for card, (owner, name) in enumerate(zip(game.known, game.card_classes, strict=True)):
            if owner is None:
                groups.setdefault(name if name in counted else "", []).append(card)
            elif card in game.hand_cards:
                held[owner, name] += 1
        self.known = game.known
        self.groups = tuple((name, tuple(cards)) for name, cards in groups.items())
        self.left = tuple(
            size - sum(n for (o, _), n in held.items() if o == owner)
            for owner, size in enumerate(game.hands)
        )
        self.wanted = {(o, name): n - held[o, name] for o, name, n in game.class_counts}
        self._counts: dict[tuple[int, Owners], int] = {}

    def count(self) -> int:
        """Return the number of consistent deals."""
        return self._count(0, self.left)

    def all(self) -> Iterator[Owners]:
        """Yield every consistent deal once."""
        for dealt in self._deals(0, self.left):
            yield tuple(dealt[card] if o is None else o for card, o in enumerate(self.known))

    def shares(self) -> Iterator[tuple[tuple[Owners, ...], int]]:
        """Yield every way to split all groups, one split for each, with the deals it has."""
        for splits in self._joint(0, self.left):
            deals = 1
            for (_, cards), split in zip(self.groups, splits, strict=True):
                deals *= factorial(len(cards)) // prod(map(factorial, split))
            yield splits, deals

    def random(self, random: Random) -> Owners:
        """Return a consistent deal, each with the same probability."""
        dealt: dict[int, int] = {}
        left = self.left
        for i, (_, cards) in enumerate(self.groups):
            split = self._random_split(random, i, left)
            shuffled = random.sample(cards, len(cards))
            receivers = (owner for owner, n in enumerate(split) for _ in range(n))
            dealt.update(zip(shuffled, receivers, strict=True))
            left = _minus(left, split)
        return tuple(dealt[card] if o is None else o for card, o in enumerate(self.known))

    def _joint(self, group: int, left: Owners) -> Iterator[tuple[Owners, ...]]:
        if group == len(self.groups):
            yield ()
            return
        for split, _ in self._splits(group, left):
            for others in self._joint(group + 1, _minus(left, split)):
                yield (split, *others)

    def _count(self, group: int, left: Owners) -> int:
        """Return the number of ways to deal a group and all later ones."""
        if group == len(self.groups):
            return int(not any(left))
        if (group, left) not in self._counts:
            self._counts[group, left] = sum(deals for _, deals in self._splits(group, left))
        return self._counts[group, left]

    def _random_split(self, random: Random, group: int, left: Owners) -> Owners:
        """Return a split with the probability that a random deal has it."""
        number = random.randrange(self._count(group, left))
        for split, deals in self._splits(group, left):
            number -= deals
            if number < 0:
                return split
        raise AssertionError("the splits' deals add up to the count")

    def _splits(self, group: int, left: Owners) -> Iterator[tuple[Owners, int]]:
        """Yield the ways to split a group, each with the deals of this group and all later ones."""
        name, cards = self.groups[group]
        bounds = [
            (0, most) if (owner, name) not in self.wanted else (self.wanted[owner, name],) * 2
            for owner, most in enumerate(left)
        ]
        for split in _compositions(len(cards), bounds):
            if min(remaining := _minus(left, split)) >= 0 and (
                later := self._count(group + 1, remaining)
            ):
                yield split, later * factorial(len(cards)) // prod(map(factorial, split))

    def _deals(self, group: int, left: Owners) -> Iterator[dict[int, int]]:
        if group == len(self.groups):
            if not any(left):
                yield {}
            return
        for split, _ in self._splits(group, left):
            for mine in _assignments(self.groups[group][1], split):
                for others in self._deals(group + 1, _minus(left, split)):
                    yield mine | others


@lru_cache(KEPT_DEALS)
def deals_of(game: Setup) -> Dealing:
    """Return the consistent deals of a game, counted once."""
    return Dealing(game)


def _minus(left: Owners, split: Owners) -> Owners:
    return tuple(a - b for a, b in zip(left, split, strict=True))


def _compositions(total: int, bounds: Sequence[tuple[int, int]]) -> Iterator[Owners]:
    """Yield the tuples of numbers ≥ 0 within inclusive bounds that add up to `total`."""
    if not bounds:
        if total == 0:
            yield ()
        return
    low, high = bounds[0]
    for first in range(max(low, 0), min(high, total) + 1):
        for others in _compositions(total - first, bounds[1:]):
            yield (first, *others)


def _assignments(cards: Sequence[int], split: Owners, owner: int = 0) -> Iterator[dict[int, int]]:
    """Yield every way to give `split[o]` of the cards to each owner o."""
    if owner == len(split):
        yield {}
        return
    for mine in combinations(cards, split[owner]):
        left = [card for card in cards if card not in mine]
        for others in _assignments(left, split, owner + 1):
            yield dict.fromkeys(mine, owner) | others


MAX_STATES = 7_000_000
MAX_POSITIONS = 3_000_000


@frozen
class PathCount:
    """Ways in which a game can go, one for each deal and each sequence of legal plays.

    Args:
        total: number of paths.
        won: number of those with which the party wins.
    """

    total: int
    won: int


def step_distributions(
    game: Setup,
) -> Iterator[tuple[Step, dict[Position, Fraction]]]:
    """Yield the exact distribution over positions after every step.

    Keeping them all needs more memory than the states of one step, so the limit is lower.

    Raises:
        GameTooLargeError: before anything is enumerated.
    """
    require_enumerable(game, MAX_POSITIONS)
    moves = Moves(game)
    for step, weights, total in _evolve(game, moves, equal_plays=True):
        positions: Counter[Position] = Counter()
        for state, weight in weights.items():
            positions[moves.position(state)] += weight
        # Many positions share few weights.
        chances = {weight: Fraction(weight, total) for weight in set(positions.values())}
        yield step, {position: chances[weight] for position, weight in positions.items()}


@lru_cache(KEPT_GAMES)
def outcome_distribution(game: Setup) -> dict[int, Fraction]:
    """Return the exact distribution of outcomes.

    Raises:
        GameTooLargeError: before anything is enumerated.
    """
    weights, total = _final(game, equal_plays=True)
    return {outcome: Fraction(weight, total) for outcome, weight in weights.items()}


def path_count(game: Setup) -> PathCount:
    """Return the number of paths, and the number of won ones.

    Raises:
        GameTooLargeError: before anything is enumerated.
    """
    weights, _ = _final(game, equal_plays=False)
    won = sum(weight for outcome, weight in weights.items() if game.is_win(outcome))
    return PathCount(sum(weights.values()), won)


def require_enumerable(game: Setup, most: int = MAX_STATES) -> None:
    """Check that a game has at most `most` states in all steps together.

    Raises:
        GameTooLargeError: naming the possible numbers of deals and states.
    """
    if (states := most_states(game)) > most:
        raise GameTooLargeError(
            f"{game.name}: {deals_of(game).count():,} deals and up to {states:.3g} states are too "
            f"many to enumerate (at most {most:,}); make more cards known, or play fewer"
        )


def most_states(game: Setup) -> int:
    """Return an upper bound of the number of states in all steps together.

    After each step there are no more states than deals times plays made, and no more than ways
    to lay the cards that are in play on hands, table and stacks of whole tricks.
    """
    paths, states = deals_of(game).count(), 0
    tricks, table = 0, len(game.table)
    hands = list(game.hands)
    in_play = len(game.hand_cards) + table
    for step in game.steps():
        match step:
            case Deal():
                pass
            case Play():
                first = step.trick == 0 and table == 0
                paths *= 1 if first and game.first_card is not None else step.hand
                hands[(game.leader + table) % game.players] -= 1
                table += 1
            case _:
                tricks, table = tricks + 1, 0
        in_hands = factorial(in_play) // prod(map(factorial, hands))
        stacked = in_hands * _stacks(game.players, tricks) // factorial(game.players * tricks)
        leaders = game.players if game.winner_leads and tricks else 1
        states += min(paths, stacked * leaders)
    return states


def _stacks(players: int, tricks: int) -> int:
    """Return the number of ways to lay given cards on stacks of whole tricks."""
    ways = [1] + [0] * tricks
    for _ in range(players):
        ways = [
            sum(ways[n - mine] * comb(players * n, players * mine) for mine in range(n + 1))
            for n in range(tricks + 1)
        ]
    return ways[tricks]


def _final(game: Setup, *, equal_plays: bool) -> tuple[Counter[int], int]:
    moves = Moves(game)
    *_, (_, states, total) = _evolve(game, moves, equal_plays=equal_plays)
    outcomes: Counter[int] = Counter()
    for state, weight in states.items():
        outcomes[game.outcome(tuple(owner for owner, _ in moves.position(state)))] += weight
    return outcomes, total


def _evolve(
    game: Setup, moves: Moves, *, equal_plays: bool
) -> Iterator[tuple[Step, dict[State, int], int]]:
    """Yield the weights of all states after every step, and their sum.

    Args:
        game: the game.
        moves: its moves.
        equal_plays: the legal plays of a state share its weight; otherwise each gets all of it,
            so that weights count paths and their sum has no meaning.
    """
    require_enumerable(game)
    weights = dict.fromkeys(map(moves.start, Dealing(game).all()), 1)
    total = len(weights)
    opening = game.first_card
    for step in game.steps():
        following: Counter[State] = Counter()
        match step:
            case Deal():
                following.update(weights)
            case Play():
                share = lcm(*range(1, step.hand + 1)) if equal_plays else 1
                total *= share
                for state, weight in weights.items():
                    after = moves.plays(state)
                    if opening is not None:
                        after = moves.first_play(state, opening)
                    part = weight * share // len(after) if equal_plays else weight
                    for successor in after:
                        following[successor] += part
                opening = None
            case _:
                for state, weight in weights.items():
                    following[moves.take(state)] += weight
        weights = following
        yield step, weights, total
