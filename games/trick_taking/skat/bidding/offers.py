"""What a contract is expected to bring, and up to which number it is worth bidding."""

from collections.abc import Sequence
from functools import cache
from math import sqrt
from statistics import mean, stdev

from attrs import evolve, frozen

from compiler.scores.scoring import Z
from games.trick_taking.advice.shares import Estimate
from games.trick_taking.rules.rules import NULL
from games.trick_taking.skat.bidding.hand import Cards
from games.trick_taking.skat.contracts import Contract
from games.trick_taking.skat.levels import (
    LOST_SCHWARZ,
    WON_SCHWARZ,
    needed_level,
    outcome_of,
)
from games.trick_taking.skat.scores import list_scores
from games.trick_taking.skat.values import BIDS, game_value, settled


@frozen
class Sample:
    """One skat, and one deal of the others' cards.

    Args:
        matadors: of the declarer's twelve cards; 0 for a null.
        superposed: share of random games that the declarer wins with this skat.
        level: on which the deal ends with open cards; see `games.trick_taking.skat.levels`.
    """

    matadors: int
    superposed: float
    level: int


@frozen
class Score:
    """An expected score.

    Args:
        value: the mean of the samples.
        low: what it would be at the lower end of the interval of the chance to win, or the lower
            end of its own normal interval, whichever is lower.
        high: the same of the upper ends.
    """

    value: float
    low: float
    high: float


@frozen
class Offer:
    """A contract, and how it went in samples.

    Args:
        contract: that is played.
        samples: at least one.
        away: the cards that are laid away; none where that depends on the skat.
    """

    contract: Contract
    samples: tuple[Sample, ...]
    away: Cards = ()

    @property
    def open_cards(self) -> Estimate:
        """How often the declarer wins with open cards."""
        return self.reach(needed_level(self.contract))

    def reach(self, level: int) -> Estimate:
        """Return how often the declarer gets to a level with open cards."""
        return Estimate.counted(sum(one.level >= level for one in self.samples), len(self.samples))

    @property
    def superposed(self) -> float | None:
        """How often the declarer wins when everybody plays any legal card.

        None where more than winning is announced.
        """
        if self.contract.schneider:
            return None
        return mean(one.superposed for one in self.samples)

    @property
    def values(self) -> tuple[int, int]:
        """The least and the largest value of the game among the samples, won each."""
        needed = needed_level(self.contract)
        won = [game_value(self.contract, one.matadors,
                          outcome_of(self.contract, max(one.level, needed)))
               for one in self.samples]  # fmt: skip
        return min(won), max(won)

    def score(self, bid: int) -> Score:
        """Return the declarer's expected score with open cards.

        It is Seeger and Fabian's, at a table of three: the game's value and 50 if it is won, less
        twice the value and 50 if it is lost or overbid; schneider and schwarz as they fall.

        Args:
            bid: up to which the declarer went.
        """
        needed = needed_level(self.contract)
        scores = self._scores(bid, LOST_SCHWARZ, WON_SCHWARZ)
        won = mean(self._scores(bid, needed, WON_SCHWARZ))
        lost = mean(self._scores(bid, LOST_SCHWARZ, needed - 1))
        chance = self.open_cards
        value, half = mean(scores), 0.0
        if len(scores) > 1:
            half = Z * stdev(scores) / sqrt(len(scores))
        low, high = (
            value + (end - chance.value) * (won - lost) for end in (chance.low, chance.high)
        )
        return Score(value, min(low, value - half), max(high, value + half))

    def _scores(self, bid: int, least: int, most: int) -> list[int]:
        """Return the samples' scores, as if none had ended below or above some levels."""
        return [
            _score(self.contract, one.matadors, min(max(one.level, least), most), bid)
            for one in self.samples
        ]

    def highest_bid(self) -> int:
        """Return the highest bid with which the expected score is above zero; 0 for none."""
        return max((bid for bid in BIDS if self.score(bid).value > 0), default=0)


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
    """Return all offers but announcements that make their contract no better.

    An announcement is worth telling if it has a higher expected score at this bid than less of it,
    or allows a higher bid.

    Args:
        offers: each contract followed by what may be announced with it.
        bid: up to which the declarer went.
    """
    told: list[Offer] = []
    most, limit = 0.0, 0
    for offer in offers:
        contract, value = offer.contract, offer.score(bid).value
        if not (contract.schneider or contract.ouvert):
            most, limit = value, offer.highest_bid()
        elif value <= most and offer.highest_bid() <= limit:
            continue
        else:
            most, limit = max(most, value), max(limit, offer.highest_bid())
        told.append(offer)
    return told


@cache
def _score(contract: Contract, matadors: int, level: int, bid: int) -> int:
    outcome = outcome_of(contract, level)
    return list_scores([(0, settled(contract, matadors, outcome, bid))])[0]
