"""Bots at Skat: bids by a count of trumps and aces, cards by samples with open cards."""

from random import Random

from games.trick_taking.rules.rules import GRAND, NULL, NULL_RANKS
from games.trick_taking.skat.bidding.offers import HELD, Cards, discards
from games.trick_taking.skat.progress import TAKE, call_text
from games.trick_taking.skat.records.record import HOLD, PASS
from games.trick_taking.skat.values import (
    BASE_VALUES,
    Contract,
    Outcome,
    game_value,
    matadors,
    trumps,
)
from play.playable import Bot
from play.skat.view import SkatView

NEEDED_IN_SUIT, NEEDED_IN_GRAND = 6, 5
"""Trumps and aces beside them with which a game is bid."""
LOW_RANKS = 1
"""The nth lowest card of a suit in a null is among the LOW_RANKS + 2 (n − 1) lowest ones."""
SCREENED = 50
"""Random games with each of the 66 ways to lay two cards away."""
JUST_WON = Outcome(61, 6)


class AdviseBot(Bot[SkatView]):
    """Plays the card that wins most of its possible deals with open cards."""

    def move(self, view: SkatView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        # Numba, which takes long to load, and a list of bots does not need.
        from games.trick_taking.advice.adviser import advise
        from games.trick_taking.skat.bidding.sampling import Table
        from play.skat.advice import BOT, budget

        assert view.dealt is not None and view.place is not None
        if view.position is not None:
            effort = budget(*BOT, random.randrange(2**31))
            advice = advise(view.position.game, effort, lambda _: None)
            return str(advice.game.deck[advice.cards[advice.by_open_cards[0]]])
        if view.turn is not None:
            call = call_text(HOLD) if view.turn.hears else view.legal_moves[0]
            bid = view.turn.bid if view.turn.hears else int(call) if call.isdigit() else 0
            return call if 0 < bid <= highest_bid(view.dealt.cards) else call_text(PASS)
        if TAKE in view.legal_moves:
            return TAKE
        contract = best_contract(view.dealt.all, view.bid)
        if len(view.hand) == HELD:
            return str(contract)
        ways = [way for way in discards(view.dealt.all) if set(view.discards) <= set(way[1])]
        table = Table(contract.game, view.place)
        ((_, away),) = table.best_discard(ways, SCREENED, 0, 1, lambda: False)
        return next(str(card) for card in away if card not in view.discards)


def highest_bid(cards: Cards) -> int:
    """Return up to which bid a hand of ten goes; 0 for a pass."""
    games = (*BASE_VALUES, NULL)
    return max((value(cards, game) for game in games if margin(cards, game) >= 0), default=0)


def best_contract(cards: Cards, bid: int) -> Contract:
    """Return the contract for twelve cards: the strongest game, if possible one above the bid."""
    games = (*BASE_VALUES, NULL)
    return Contract(max(games, key=lambda game: (value(cards, game) >= bid, margin(cards, game))))


def value(cards: Cards, game: str) -> int:
    """Return the value of a game that is just won."""
    return game_value(Contract(game), matadors(cards, game), JUST_WON)


def margin(cards: Cards, game: str) -> int:
    """Return the number of trumps and aces of a hand beyond those of a typical bid."""
    if game == NULL:
        return 0 if _is_safe_null(cards) else -NEEDED_IN_SUIT
    own = [card for card in cards if card in trumps(game)]
    aces = sum(card.rank == "A" for card in cards if card not in own)
    return len(own) + aces - (NEEDED_IN_GRAND if game == GRAND else NEEDED_IN_SUIT)


def _is_safe_null(cards: Cards) -> bool:
    lowest_first = NULL_RANKS[::-1]
    suits: dict[str, list[int]] = {}
    for card in cards:
        suits.setdefault(card.suit, []).append(lowest_first.index(card.rank))
    return all(
        place < LOW_RANKS + 2 * number
        for places in suits.values()
        for number, place in enumerate(sorted(places))
    )
