"""What chance decides in a game in paper rules: who draws which cards, and all real choices."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations

from attrs import frozen

from compiler.synthesis.method import predictions
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators import UniformDeal
from games.trick_taking.operators.rank_play import RankPlay, rank_bits
from games.trick_taking.rules.steps import Play, Trick, seat_name


@frozen
class Draw:
    """An owner draws cards that nobody is known to hold.

    Args:
        owner: whose cards they are; the skat is the last owner.
        cards: how many are left.
        chosen: how many of them the owner gets.
    """

    owner: int
    cards: int
    chosen: int

    def operator(self) -> UniformDeal:
        """Return the operator that marks the owner's cards among those that are left."""
        return UniformDeal((self.cards - self.chosen, self.chosen), (None,) * self.cards)


@frozen(eq=False)
class OrderPlan:
    """Deal and choices of a game.

    Args:
        unknown: the cards that are dealt, as places in the deck.
        draws: of all owners but the last one, who gets what is left.
        last: that owner.
        steps: the plays and tricks.
        choices: the plays of one card of several.
    """

    unknown: tuple[int, ...]
    draws: tuple[Draw, ...]
    last: int
    steps: tuple[Play | Trick, ...]
    choices: tuple[Play, ...]

    @property
    def dealt_bits(self) -> int:
        """A bit for each card that is left, at every draw."""
        return sum(draw.cards for draw in self.draws)

    @property
    def order_bits(self) -> int:
        """A rank for every choice."""
        return sum(rank_bits(play.hand) for play in self.choices)

    @property
    def bits(self) -> int:
        """All that is left to chance."""
        return self.dealt_bits + self.order_bits

    def operators(self, game: TrickTakingGame) -> Iterator[UniformDeal | RankPlay]:
        """Yield the operators in the order of their qubits."""
        for draw in self.draws:
            deal = draw.operator()
            deal.label = f"deal {seat_name(draw.owner) if draw.owner < game.players else 'skat'}"
            yield deal
        for play in self.choices:
            rank = RankPlay(play.hand)
            rank.label = f"CP{play.hand} {seat_name(play.seat)}"
            yield rank


@lru_cache(maxsize=64)
def order_plan(game: TrickTakingGame) -> OrderPlan:
    """Return what chance decides in a game in paper rules."""
    unknown = tuple(card for card, owner in enumerate(game.known) if owner is None)
    held = [game.known[card] for card in game.hand_cards]
    wanted = {
        owner: left for owner, size in enumerate(game.hands) if (left := size - held.count(owner))
    }
    drawn = min((_draws(order, wanted) for order in permutations(wanted)), key=_gates)
    steps = tuple(step for step in game.steps() if isinstance(step, Play | Trick))
    plays = [step for step in steps if isinstance(step, Play)]
    free = plays if game.first_card is None else plays[1:]
    choices = tuple(play for play in free if play.hand > 1)
    last = next((o for o in wanted if all(draw.owner != o for draw in drawn)), 0)
    return OrderPlan(unknown, drawn, last, steps, choices)


def _draws(order: tuple[int, ...], wanted: dict[int, int]) -> tuple[Draw, ...]:
    left, draws = sum(wanted.values()), []
    for owner in order[:-1]:
        draws.append(Draw(owner, left, wanted[owner]))
        left -= wanted[owner]
    return tuple(draws)


def _gates(draws: tuple[Draw, ...]) -> int:
    return sum(min(predictions(draw.operator()).values()) for draw in draws)
