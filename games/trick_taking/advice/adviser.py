"""Advice on the card to play: superposed play, a quantum computer, play with open cards."""

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from attrs import evolve, frozen

from compiler.errors import GameError, GameTooLargeError
from compiler.words.plurals import how_many
from games.trick_taking.advice.compiled.deals import Deck, deck_of, generator
from games.trick_taking.advice.compiled.layout import Numbers, bit_order, integers, layout_of
from games.trick_taking.advice.compiled.playouts import won_playouts
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.open_play import OpenPlay, open_play
from games.trick_taking.advice.shares import Estimate, Lead, Shares, ranked
from games.trick_taking.advice.stakes import Stakes
from games.trick_taking.play.enumeration import deals_of, most_states, outcome_distribution
from games.trick_taking.play.positions import after_play, turn_of
from games.trick_taking.rules.setup import Setup, seat_name

EXACT_DEALS = 5_000
EXACT_STATES = 100_000
"""Maximum for all cards together, about a second of work; larger numbers are sampled."""
TIME = 0.25
"""Share of the seconds after which no more games are played: their error is small long before
that of the solved deals is."""
CHUNK = 50_000
"""Playouts between two looks at the clock."""


@frozen(eq=False)
class Superposed:
    """Winning chances in superposed play.

    Args:
        chances: chance of every card.
        shares: the playouts they are from; None where all ways to play were enumerated.
    """

    chances: tuple[Estimate, ...]
    shares: Shares | None

    @property
    def playouts(self) -> int:
        """Number of games that were played, 0 where the chances are exact."""
        return 0 if self.shares is None else self.shares.deals * self.shares.cards


def superposed(game: Setup, cards: Sequence[int], effort: Effort) -> Superposed:
    """Return the winning chance of each legal card.

    Args:
        game: the position.
        cards: legal cards as indices into the deck.
        effort: bounds of the sample.

    Raises:
        GameTooLargeError: if the known facts of the deal are too intricate to draw deals.
    """
    after = [after_play(game, card) for card in cards]
    if deals_of(game).count() <= EXACT_DEALS and sum(map(most_states, after)) <= EXACT_STATES:
        return Superposed(tuple(Estimate.exact(_win_chance(game_)) for game_ in after), None)
    deck = deck_of(game)
    if deck is None:
        raise GameTooLargeError(
            f"{game.name}: class_counts say only part of too many hands to draw deals; give the "
            "counts of fewer classes"
        )
    shares = _played(game, deck, cards, effort)
    return Superposed(tuple(shares.estimate(place) for place in range(len(cards))), shares)


def _win_chance(game: Setup) -> Fraction:
    return sum(
        (chance for outcome, chance in outcome_distribution(game).items() if game.is_win(outcome)),
        Fraction(0),
    )


def _played(game: Setup, deck: Deck, cards: Sequence[int], effort: Effort) -> Shares:
    layout, order = layout_of(game), bit_order(game)
    choices = integers(order.index(card) for card in cards)
    deals = -(-effort.playouts // len(cards))
    chunk = max(1, CHUNK // len(cards))

    def play(number: int, won: Numbers) -> None:
        # Each chunk has its own random numbers.
        games, random = min(chunk, deals - number * chunk), generator(effort.seed, number)
        won += won_playouts(layout, deck, choices, games, random)

    numbers, won = range(-(-deals // chunk)), np.zeros((effort.threads, 1 << len(cards)), np.int64)
    effort.repeat(play, numbers, TIME * effort.seconds, list(won))
    return Shares(won.sum(axis=0), len(cards), complete=False)


MAX_CHOICES = 16
"""Maximum number of cards; a deal is counted by the set of cards that win it."""

NOT_ASKED = "it was not requested"


@frozen(eq=False)
class Advice:
    """The evidence for each legal card.

    Args:
        game: the position.
        seat: the seat to move.
        cards: legal cards as indices into the deck, in the order of their bits.
        superposed: results of the seat's side if every seat plays any legal card.
        open_play: results of best play with open cards; the points are the party's and the values
            the declarer's, on either side.
        stakes: the stakes of the game, or the reason why they are unknown.
    """

    game: Setup
    seat: int
    cards: tuple[int, ...]
    superposed: Superposed
    open_play: OpenPlay
    stakes: Stakes | str

    @property
    def for_party(self) -> bool:
        """Return whether the seat belongs to the party, whose win is the game's win."""
        return self.seat in self.game.party

    @property
    def contract(self) -> str | None:
        """The contract in words; None if no game value is computed."""
        return None if isinstance(self.stakes, str) else str(self.stakes.contract)

    @property
    def bid(self) -> int | None:
        """The declarer's highest bid; None if no game value is computed."""
        return None if isinstance(self.stakes, str) else self.stakes.bid

    @property
    def no_game_value(self) -> str | None:
        """Reason why no game value is computed; None if it is."""
        return self.stakes if isinstance(self.stakes, str) else None

    def own(self, chance: Estimate) -> Estimate:
        """Return the chance of the seat's side, from that of the party."""
        return chance if self.for_party else chance.other()

    @property
    def by_open_cards(self) -> list[int]:
        """Places in `cards`, the best first: by deals won, then by points."""
        sign = 1 if self.for_party else -1
        points = [sign * point.value for point in self.open_play.points] or [0.0] * len(self.cards)
        return ranked(
            [
                (self.open_play.shares.wins(place), points[place], self._chance(place))
                for place in range(len(self.cards))
            ]
        )

    @property
    def by_superposition(self) -> list[int]:
        """Places in `cards`, the best first; of those as good, the better one by open cards."""
        order = self.by_open_cards
        return sorted(order, key=self._chance, reverse=True)

    @property
    def alike(self) -> list[int]:
        """Indices of the best card by open cards, and of the cards that win the same deals."""
        first, *others = self.by_open_cards
        leads = [(other, self.open_play.shares.lead(first, other)) for other in others]
        return [first, *(other for other, lead in leads if not lead.better and not lead.worse)]

    @property
    def supported(self) -> bool:
        """Return whether the first card by open cards is certain to be among the best."""
        if self.open_play.shares.complete or len(self.cards) == 1:
            return True
        others = [place for place in self.by_open_cards if place not in self.alike]
        return bool(others) and self.open_play.shares.ahead(self.by_open_cards[0], others)

    @property
    def superposition_supported(self) -> bool:
        """The same of superposed play."""
        shares, (first, *others) = self.superposed.shares, self.by_superposition
        return shares is None or shares.ahead(first, others)

    def open_lead(self) -> Lead | None:
        """Return the lead of the best card by open cards over the second, None without a second."""
        return _lead(self.open_play.shares, self.by_open_cards)

    def superposed_lead(self) -> Lead | None:
        """Return the same of superposed play, None where its chances are exact."""
        return _lead(self.superposed.shares, self.by_superposition)

    def _chance(self, place: int) -> float:
        return float(self.superposed.chances[place].value)


def _lead(shares: Shares | None, order: list[int]) -> Lead | None:
    return None if shares is None or len(order) == 1 else shares.lead(order[0], order[1])


def choices_of(game: Setup) -> tuple[int, ...]:
    """Return the cards that may be played, in the order of their bits.

    Raises:
        GameError: if the hand of the seat to move is unknown or too large.
    """
    seat = turn_of(game)
    held = [card for card in game.hand_cards if game.known[card] == seat]
    size = game.hands[seat]
    if len(held) != size:
        raise GameError(
            f"{game.name}: {len(held)} of {size} cards of seat {seat_name(seat)} are known; it is "
            f"its turn, so name its whole hand under [known], as {seat_name(seat)} = […]"
        )
    led = game.table[0] if game.table else None
    order = bit_order(game)
    legal = sorted(game.legal(held, led), key=order.index)
    if len(legal) > MAX_CHOICES:
        raise GameError(f"hand: {len(legal)} cards may be played, at most {MAX_CHOICES} can be")
    return tuple(legal)


def advise(
    game: Setup,
    effort: Effort,
    say: Callable[[str], None],
    stakes: Stakes | str = NOT_ASKED,
) -> Advice:
    """Return the evidence for each legal card.

    Args:
        game: the position; a prescribed first card is one choice among others.
        effort: bounds of samples and of time.
        say: takes a line of progress.
        stakes: the stakes of the game; without them, no values are computed.

    Raises:
        GameError: if the hand of the seat to move is unknown or too large.
        GameTooLargeError: if the known facts of the deal are too intricate to draw deals.
    """
    cards = choices_of(game)
    say(f"{game.name}: {how_many(len(cards), 'legal card')}; superposed play")
    chances = superposed(game, cards, effort)
    say(f"{game.name}: play with open cards, for at most {effort.seconds:g} s of CPU time")
    solved = open_play(game, cards, effort, stakes if isinstance(stakes, Stakes) else None, say)
    if turn_of(game) not in game.party:
        chances, solved = _of_others(chances), evolve(solved, shares=solved.shares.other())
    return Advice(game, turn_of(game), cards, chances, solved, stakes)


def _of_others(result: Superposed) -> Superposed:
    shares = None if result.shares is None else result.shares.other()
    return Superposed(tuple(chance.other() for chance in result.chances), shares)
