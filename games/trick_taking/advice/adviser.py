"""Advice on the card to play: superposed play, a quantum computer, play with open cards."""

from collections.abc import Callable

from attrs import evolve, frozen

from compiler.errors import GameError
from compiler.words.plurals import how_many
from games.trick_taking.advice.compiled.layout import bit_order
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.open_play import OpenPlay, open_play
from games.trick_taking.advice.shares import Estimate, Lead, Shares, ranked
from games.trick_taking.advice.stakes import NoGameValue, Stakes
from games.trick_taking.advice.superposition import Superposed, superposed
from games.trick_taking.play.positions import turn_of
from games.trick_taking.rules.setup import Setup, seat_name

MAX_CHOICES = 16
"""Maximum number of cards; a deal is counted by the set of cards that win it."""

NOT_ASKED = NoGameValue("it was not requested")


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
    stakes: Stakes | NoGameValue

    @property
    def for_party(self) -> bool:
        """Return whether the seat belongs to the party, whose win is the game's win."""
        return self.seat in self.game.party

    @property
    def contract(self) -> str | None:
        """The contract in words; None if no game value is computed."""
        return None if isinstance(self.stakes, NoGameValue) else str(self.stakes.contract)

    @property
    def bid(self) -> int | None:
        """The declarer's highest bid; None if no game value is computed."""
        return None if isinstance(self.stakes, NoGameValue) else self.stakes.bid

    @property
    def no_game_value(self) -> str | None:
        """Reason why no game value is computed; None if it is."""
        return self.stakes.reason if isinstance(self.stakes, NoGameValue) else None

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
    stakes: Stakes | NoGameValue = NOT_ASKED,
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
