"""Positions of a trick-taking game, and the moves from one to the next.

This is the reference the operators are tested against. It knows nothing of qubits.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from attrs import evolve

from games.trick_taking.rules.setup import Place, Position, Setup


def turn_of(game: Setup) -> int:
    """Return the seat to move."""
    return (game.leader + len(game.table)) % game.players


def after_play(game: Setup, card: int) -> Setup:
    """Return the game that remains after a legal card of the seat to move.

    Args:
        game: a position; a first card that it prescribes is dropped.
        card: the card as an index into the deck. If it ends a trick, that is taken.

    Returns:
        A game of the same class, with a hand of 0 if that was the last card.
    """
    seat, name = turn_of(game), game.card_classes[card]
    owners = [seat if place == card else owner for place, owner in enumerate(game.known)]
    counts = tuple(
        (owner, other, n - ((owner, other) == (seat, name)))
        for owner, other, n in game.class_counts
    )
    table, taken, leader, hand = (*game.table, card), dict(game.taken), game.leader, game.hand
    if len(table) == game.players:
        winner = (leader + game.winner(table)) % game.players
        taken[winner] = (*taken.get(winner, ()), *table)
        for lying in table:
            owners[lying] = winner
        table, hand, leader = (), hand - 1, winner if game.winner_leads else 0
    return evolve(
        game,
        hand=hand,
        known=tuple(owners),
        leader=leader,
        first_card=None,
        class_counts=counts,
        table=table,
        taken=tuple(sorted(taken.items())),
    )


class State(NamedTuple):
    """The state that determines the remaining game, and the taken cards.

    Args:
        leader: seat that leads the current trick.
        table: cards of the current trick, in the order they were played.
        hands: bit i of `hands[o]` is set if owner o holds card i.
        stacks: bit i of `stacks[s]` is set if card i lies on the stack of seat s.
    """

    leader: int
    table: tuple[int, ...]
    hands: tuple[int, ...]
    stacks: tuple[int, ...]


class Moves:
    """The moves of one game.

    Args:
        game: the rules, and the cards on table and stacks at the start of play.
    """

    def __init__(self, game: Setup) -> None:
        self.game = game
        members = {
            name: sum(1 << i for i, other in enumerate(game.card_classes) if other == name)
            for name in game.card_classes
        }
        self.class_masks = tuple(members[name] for name in game.card_classes)
        self.players = game.players
        self.winner = cache(game.winner)
        self.start_table = game.table
        stacks = dict(game.taken)
        self.start_stacks = tuple(
            sum(1 << card for card in stacks.get(seat, ())) for seat in range(game.players)
        )

    def start(self, deal: Sequence[int]) -> State:
        """Return the state before the first play of a deal (the owner of every card)."""
        hands = [0] * len(self.game.hands)
        for card in self.game.hand_cards:
            hands[deal[card]] |= 1 << card
        return State(self.game.leader, self.start_table, tuple(hands), self.start_stacks)

    def seat(self, state: State) -> int:
        """Return the seat to move."""
        return (state.leader + len(state.table)) % self.players

    def plays(self, state: State) -> list[State]:
        """Return the states after each legal play of the seat to move."""
        leader, table, hands, stacks = state
        seat = (leader + len(table)) % self.players
        hand = hands[seat]
        playable = (hand & self.class_masks[table[0]] if table else hand) or hand
        following = []
        for card in members(playable):
            left = (*hands[:seat], hand ^ 1 << card, *hands[seat + 1 :])
            following.append(State(leader, (*table, card), left, stacks))
        return following

    def first_play(self, state: State, card: int) -> list[State]:
        """Return the one state after `card` was led."""
        return [after for after in self.plays(state) if after.table == (card,)]

    def take(self, state: State) -> State:
        """Return the state after the winner has taken a full table, which he owns from now on."""
        leader, table, hands, stacks = state
        winner = (leader + self.winner(table)) % self.players
        taken = stacks[winner] | sum(1 << card for card in table)
        stacks = (*stacks[:winner], taken, *stacks[winner + 1 :])
        return State(winner if self.game.winner_leads else leader, (), hands, stacks)

    def position(self, state: State) -> Position:
        """Return owner and place of every card."""
        cards = [_OWNED[Place.HAND][0]] * len(self.game.deck)
        for owners, place in ((state.hands, Place.HAND), (state.stacks, Place.STACK)):
            for owner, mask in enumerate(owners):
                owned = _OWNED[place][owner]
                for card in members(mask):
                    cards[card] = owned
        for turn, card in enumerate(state.table):
            cards[card] = _OWNED[Place.TABLE][(state.leader + turn) % self.players]
        return tuple(cards)


_OWNED = {place: [(owner, place) for owner in range(4)] for place in Place}


@cache
def members(mask: int) -> tuple[int, ...]:
    """Return the cards of a set."""
    return tuple(card for card in range(mask.bit_length()) if mask >> card & 1)
