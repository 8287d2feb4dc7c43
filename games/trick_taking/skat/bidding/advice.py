"""Bidding advice for a hand of Skat: the highest bid, and the contract."""

from collections.abc import Callable, Sequence

from attrs import frozen

from compiler.errors import GameError
from compiler.scores.intervals import Interval
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.shares import MORE, NOT_ENOUGH
from games.trick_taking.skat.bidding.offers import Hand, Offer, best, worth_telling
from games.trick_taking.skat.values import BIDS

PLAYOUTS = 500
"""Random games for each skat and contract."""


@frozen
class Recommendation:
    """Recommendation that samples support.

    Args:
        supported: whether they are enough to recommend anything.
        highest_bid: up to which to bid before the skat is taken; 0 to pass, and where samples are
            not enough.
        offer: the contract to play, or to have in mind; the one that leads if there is none.
        plays: whether any is to be played.
    """

    supported: bool
    highest_bid: int
    offer: Offer
    plays: bool


@frozen(eq=False)
class Bidding:
    """Contracts of a hand, tried in samples.

    Args:
        hand: ten cards, and the skat once it is taken.
        place: 1 for the player who leads first, 2 or 3.
        bid: the player's highest bid.
        seed: seed of all random numbers.
        offers: the contracts.
    """

    hand: Hand
    place: int
    bid: int
    seed: int
    offers: Sequence[Offer]

    @property
    def ranked(self) -> list[Offer]:
        """The contracts, that with the highest expected score first."""
        return sorted(self.offers, key=lambda offer: offer.score(self.bid).value, reverse=True)

    @property
    def recommendation(self) -> Recommendation:
        """Recommendation by the intervals of the contracts' scores.

        A bid is recommended if a contract's score is certain to be above 0 at it, and passing if
        that of no contract can be. Once the skat is taken, a contract is recommended whose score
        is certain to be above that of each other game.
        """
        offers, first = self.offers, best(self.offers, self.bid)
        limit = max(offer.highest_bid() for offer in offers)
        if self.hand.skat:
            games = {offer.contract.game: offer for offer in reversed(self.ranked)}
            others = [offer for game, offer in games.items() if game != first.contract.game]
            supported = all(first.ahead(other, self.bid) for other in others)
            return Recommendation(supported, limit, first, plays=True)
        if limit:
            return Recommendation(True, limit, best(offers, limit), plays=True)
        passes = all(offer.score(BIDS[0]).high <= 0 for offer in offers)
        return Recommendation(passes, 0, first, plays=False)

    def messages(self, more: str = MORE) -> list[str]:
        """Return the advice in sentences, with how to get more samples where there are too few."""
        advised, first = self.recommendation, best(self.offers, self.bid)
        score = first.score(self.bid)
        expected = f"expected score {span(score)} at a bid of {self.bid}"
        away = " ".join(map(str, first.away))
        match bool(self.hand.skat), advised.supported:
            case True, False:
                return [
                    f"{NOT_ENOUGH}: no contract is significantly better.",
                    f"{first.contract} leads, with {away} discarded: {expected}.",
                    more,
                ]
            case True, True:
                loss = ["No contract is expected to pay."] if score.high <= 0 else []
                return [f"Play {first.contract}, discard {away}: {expected}.", *loss]
            case _, False:
                return [
                    f"{NOT_ENOUGH}: neither bidding nor passing (score 0) is significantly better.",
                    f"{first.contract} leads: {expected}.",
                    more,
                ]
        if not advised.highest_bid:
            return [f"Pass. The best contract is {first.contract}: {expected}."]
        scored = advised.offer.score(advised.highest_bid)
        return [
            f"Bid up to {advised.highest_bid}, to play {advised.offer.contract}: expected score "
            f"{span(scored)} at that bid, 0 for passing.",
            f"Best contract now: {first.contract}, {expected}.",
        ]


def span(score: Interval) -> str:
    """Return a score and its interval in words."""
    return f"{score.value:.0f} ({score.low:.0f} to {score.high:.0f})"


def try_contracts(
    hand: Hand, place: int, bid: int, effort: Effort, say: Callable[[str], None]
) -> Bidding:
    """Try the contracts of a hand in samples.

    Args:
        hand: ten cards, and the skat once it is taken.
        place: 1 for the player who leads first, 2 or 3.
        bid: the player's highest bid.
        effort: limits of the samples.
        say: takes lines of progress.

    Raises:
        GameError: if the bid is not the value of a game.
    """
    if bid not in BIDS:
        raise GameError(f"bid {bid}: must be the value of a game, such as 18, 20, 22, 23, 24")
    # Numba takes half a second to load: invalid hands and bids are refused before.
    from games.trick_taking.skat.bidding.sampling import Bidder

    offers = worth_telling(Bidder(hand, place - 1, effort, say).offers(), bid)
    return Bidding(hand, place, bid, effort.seed, offers)
