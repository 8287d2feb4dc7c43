"""Expected score of a contract, and the highest number that is worth bidding."""

from bisect import bisect
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from statistics import mean

import numpy as np
from attrs import evolve, field, frozen

from compiler.errors import GameError
from compiler.scores.intervals import Interval
from games.trick_taking.advice.shares import Estimate, mean_of
from games.trick_taking.rules.rules import NULL, Card, cards_of
from games.trick_taking.skat.scores import list_scores
from games.trick_taking.skat.values import (
    BIDS,
    DECK,
    LOST_SCHWARZ,
    WON_SCHNEIDER,
    WON_SCHWARZ,
    Contract,
    game_value,
    needed_level,
    outcome_of,
    settled,
)

HELD, SKAT = 10, 2
Cards = tuple[Card, ...]
Way = tuple[Cards, Cards]
"""Ten cards that a declarer holds, and the two others of twelve."""


@frozen
class Hand:
    """Ten cards, and the skat once it is taken.

    Args:
        cards: cards as dealt.
        skat: the two others; none of them as long as they lie on the table.

    Raises:
        GameError: if these are not ten cards and two or none, or a card is there twice.
    """

    cards: Cards
    skat: Cards = ()

    def __attrs_post_init__(self) -> None:
        for name, cards, sizes in (
            ("hand", self.cards, (HELD,)),
            ("skat", self.skat, (0, SKAT)),
        ):
            if len(cards) not in sizes:
                raise GameError(f"{name}: {len(cards)} cards; name {sizes[-1]}, such as 'CJ S10'")
        twice = [card for card in self.all if self.all.count(card) > 1]
        if twice:
            raise GameError(f"card {twice[0]}: named twice; each card is there once")

    @classmethod
    def parse(cls, cards: str, skat: str) -> "Hand":
        """Read cards separated by spaces or commas."""
        return cls(cards_of(cards), cards_of(skat))

    @property
    def all(self) -> Cards:
        """The cards that are seen."""
        return self.cards + self.skat

    @property
    def unseen(self) -> Cards:
        """All others."""
        return tuple(card for card in DECK if card not in self.all)


def discards(twelve: Cards) -> list[Way]:
    """Return the 66 ways to lay two of twelve cards away: the ten that are kept, and the two."""
    return [
        (tuple(card for card in twelve if card not in away), away)
        for away in combinations(twelve, SKAT)
    ]


@frozen
class Sample:
    """One skat, and one deal of the others' cards.

    Args:
        matadors: matadors of the declarer's twelve cards; 0 for a null.
        superposed: share of random games that the declarer wins with this skat.
        level: level of the deal with open cards; see `games.trick_taking.skat.values`.
    """

    matadors: int
    superposed: float
    level: int


@frozen
class Offer:
    """A contract and its results in samples.

    Args:
        contract: the contract.
        samples: samples, at least one.
        away: the cards that are discarded; none where that depends on the skat.
    """

    contract: Contract
    samples: tuple[Sample, ...]
    away: Cards = ()
    _scores: dict[int, Interval] = field(factory=dict, init=False, eq=False, repr=False)

    @property
    def open_cards(self) -> Estimate:
        """Probability that the declarer wins with open cards."""
        return self.reach(needed_level(self.contract))

    def reach(self, level: int) -> Estimate:
        """Return the probability that the declarer reaches a level with open cards."""
        return Estimate.counted(
            sum(sample.level >= level for sample in self.samples), len(self.samples)
        )

    @property
    def schneider(self) -> float | None:
        """Share of deals in which the others become schneider with open cards; None in a null."""
        null = self.contract.game == NULL
        return None if null else float(self.reach(WON_SCHNEIDER).value)

    @property
    def schwarz(self) -> float | None:
        """The same of schwarz."""
        return None if self.contract.game == NULL else float(self.reach(WON_SCHWARZ).value)

    @property
    def superposed(self) -> float | None:
        """Probability that the declarer wins if every seat plays any legal card.

        None if the contract has announcements, which demand more than a win.
        """
        if self.contract.schneider:
            return None
        return mean(sample.superposed for sample in self.samples)

    @property
    def values(self) -> tuple[int, int]:
        """The least and the largest value of the game among the samples, won each."""
        needed = needed_level(self.contract)
        won = [game_value(self.contract, sample.matadors,
                          outcome_of(self.contract, max(sample.level, needed)))
               for sample in self.samples]  # fmt: skip
        return min(won), max(won)

    def score(self, bid: int) -> Interval:
        """Return the declarer's expected score with open cards.

        It is Seeger and Fabian's, at a table of three: the game's value and 50 if it is won, less
        twice the value and 50 if it is lost or overbid; schneider and schwarz as they fall. Its
        interval allows for deals that end on the worst and on the best level.

        Args:
            bid: the declarer's highest bid.
        """
        if bid not in self._scores:
            scores = np.array(self.scores(bid))
            self._scores[bid] = mean_of(scores, complete=False, bounds=self._bounds(bid))
        return self._scores[bid]

    def scores(self, bid: int, least: int = LOST_SCHWARZ, most: int = WON_SCHWARZ) -> list[int]:
        """Return the score of each sample, as if none had ended below or above some levels."""
        return [
            _score(self.contract, sample.matadors, min(max(sample.level, least), most), bid)
            for sample in self.samples
        ]

    def _bounds(self, bid: int) -> tuple[int, int]:
        """Return the least and the largest score that a deal may bring."""
        worst, best = self.scores(bid, most=LOST_SCHWARZ), self.scores(bid, least=WON_SCHWARZ)
        return min(worst + best), max(worst + best)

    def ahead(self, other: "Offer", bid: int) -> bool:
        """Return whether the expected score is certain to be higher than another contract's.

        Args:
            other: offer from samples of the same deals.
            bid: the declarer's highest bid.
        """
        differences = np.array(self.scores(bid), np.int64) - other.scores(bid)
        (least, most), (worst, best) = self._bounds(bid), other._bounds(bid)
        return mean_of(differences, complete=False, bounds=(least - best, most - worst)).low > 0

    def highest_bid(self) -> int:
        """Return the highest bid with which the whole interval of the score is above zero.

        No score rises with the bid. It is 0 for none.
        """
        number = bisect(BIDS, False, key=lambda bid: self.score(bid).low <= 0)
        return BIDS[number - 1] if number else 0


def best(offers: Sequence[Offer], bid: int) -> Offer:
    """Return the offer with the highest expected score."""
    return max(offers, key=lambda offer: offer.score(bid).value)


def announcements(contract: Contract) -> list[Contract]:
    """Return a contract with which nothing is announced, and all that may be announced with it."""
    if contract.game == NULL:
        return [contract, evolve(contract, ouvert=True)]
    if not contract.hand:
        return [contract]
    return [
        Contract(contract.game, hand=True, schneider=most > 0, schwarz=most > 1, ouvert=most > 2)
        for most in range(4)
    ]


def worth_telling(offers: Sequence[Offer], bid: int) -> list[Offer]:
    """Return all offers except announcements that do not improve their contract.

    An announcement is worth telling if it has a higher expected score at this bid than less of it,
    or allows a higher bid.

    Args:
        offers: each contract followed by its possible announcements.
        bid: the declarer's highest bid.
    """
    result: list[Offer] = []
    most, limit = 0.0, 0
    for offer in offers:
        contract, value = offer.contract, offer.score(bid).value
        if not (contract.schneider or contract.ouvert):
            most, limit = value, offer.highest_bid()
        elif value <= most and offer.highest_bid() <= limit:
            continue
        else:
            most, limit = max(most, value), max(limit, offer.highest_bid())
        result.append(offer)
    return result


@cache
def _score(contract: Contract, matadors: int, level: int, bid: int) -> int:
    outcome = outcome_of(contract, level)
    return list_scores([(0, settled(contract, matadors, outcome, bid))])[0]
