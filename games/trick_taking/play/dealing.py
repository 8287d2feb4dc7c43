"""Deals that are consistent with the known facts: their number, all of them, one at random.

Cards of classes without a count are interchangeable to the constraints, and so are the cards of
one counted class. These groups of unknown cards are dealt one after the other: a *split* is the
number of cards of a group for each owner, and the deals of a split are a multinomial.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import factorial, prod
from random import Random

from games.trick_taking.rules.setup import Setup

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


@cache
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
