"""What a contract is expected to bring, and up to which number it is worth bidding."""

from collections.abc import Sequence
from functools import cache
from statistics import mean

from attrs import frozen

from games.trick_taking.advice.shares import Estimate
from games.trick_taking.rules.rules import NULL
from games.trick_taking.skat.bidding.hand import Cards
from games.trick_taking.skat.contracts import Contract
from games.trick_taking.skat.scores import list_scores
from games.trick_taking.skat.values import BIDS, NEEDED, Outcome, game_value, settled

WON, LOST = Outcome(NEEDED, 6), Outcome(NEEDED - 1, 6)
NULL_WON, NULL_LOST = Outcome(0, 0), Outcome(0, 1)


@frozen
class Sample:
    """One skat, and one deal of the others' cards.

    Args:
        matadors: of the declarer's twelve cards; 0 for a null.
        superposed: share of random games that the declarer wins with this skat.
        open_won: whether the declarer wins the deal with open cards.
    """

    matadors: int
    superposed: float
    open_won: bool


@frozen
class Score:
    """An expected score.

    Args:
        value: the mean of the samples.
        low: what it would be at the lower end of the interval of the chance to win.
        high: at its upper end.
    """

    value: float
    low: float
    high: float


@frozen
class Offer:
    """A contract, and how it went in samples.

    Nothing is counted for schneider and schwarz.

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
        return Estimate.counted(sum(one.open_won for one in self.samples), len(self.samples))

    @property
    def superposed(self) -> float:
        """How often the declarer wins when everybody plays any legal card."""
        return mean(one.superposed for one in self.samples)

    @property
    def values(self) -> tuple[int, int]:
        """The least and the largest value of the game among the samples."""
        won = [game_value(self.contract, one.matadors, _outcomes(self.contract)[0])
               for one in self.samples]  # fmt: skip
        return min(won), max(won)

    def score(self, bid: int) -> Score:
        """Return the declarer's expected score with open cards.

        It is Seeger and Fabian's, at a table of three: the game's value and 50 if it is won, less
        twice the value and 50 if it is lost or overbid.

        Args:
            bid: up to which the declarer went.
        """
        value, won, lost = (
            mean(_score(self.contract, one.matadors, one.open_won if w is None else w, bid)
                 for one in self.samples)
            for w in (None, True, False)
        )  # fmt: skip
        chance = self.open_cards
        low, high = (
            value + (end - chance.value) * (won - lost) for end in (chance.low, chance.high)
        )
        return Score(value, low, high)

    def highest_bid(self) -> int:
        """Return the highest bid with which the expected score is above zero; 0 for none."""
        return max((bid for bid in BIDS if self.score(bid).value > 0), default=0)


def best(offers: Sequence[Offer], bid: int) -> Offer:
    """Return the offer with the highest expected score."""
    return max(offers, key=lambda offer: offer.score(bid).value)


def _outcomes(contract: Contract) -> tuple[Outcome, Outcome]:
    return (NULL_WON, NULL_LOST) if contract.game == NULL else (WON, LOST)


@cache
def _score(contract: Contract, matadors: int, won: bool, bid: int) -> int:
    outcome = _outcomes(contract)[0 if won else 1]
    return list_scores([(0, settled(contract, matadors, outcome, bid))])[0]
