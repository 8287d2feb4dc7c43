"""A finished game, gone through move by move: the judge of what a circuit has played.

It shares nothing with the enumeration of games but the rules themselves.
"""

from collections.abc import Sequence

from attrs import frozen

from compiler.errors import VerificationError
from games.trick_taking.rules.setup import Setup


@frozen
class Played:
    """A game that was measured and is legal move by move.

    Args:
        deal: owner of every card before the first open play.
        plays: cards in the order they were played, as places in the deck.
        owners: final owner of every card.
    """

    deal: tuple[int, ...]
    plays: tuple[int, ...]
    owners: tuple[int, ...]


@frozen
class Replay:
    """What happened in a game.

    Args:
        tricks: cards of every trick in play order, one already on the table included.
        winners: seat who took each of them.
        points: points on each seat's stack in the end, those of earlier tricks included.
        owners: final owner of every card; the skat stays with its owner.
    """

    tricks: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]
    points: tuple[int, ...]
    owners: tuple[int, ...]


def replay(game: Setup, deal: Sequence[int], plays: Sequence[int]) -> Replay:
    """Go through a game.

    Args:
        game: the rules, and what is known.
        deal: owner of every card before the first open play; a card on the table belongs to
            who played it, one on a stack to who took it.
        plays: the cards played, in order, as places in the deck.

    Raises:
        VerificationError: if the deal contradicts what is known, or naming the first illegal
            move.
    """
    _check_deal(game, deal)
    hands = [[c for c in game.hand_cards if deal[c] == seat] for seat in range(game.players)]
    owners, leader, table = list(deal), game.leader, list(game.table)
    tricks, winners = [], []
    for number, card in enumerate(plays):
        seat = (leader + len(table)) % game.players
        move = f"play {number + 1}: seat {seat} plays {_name(game, card)}"
        if card not in hands[seat]:
            raise VerificationError(f"{move}, which is not in its hand")
        if card not in game.legal(hands[seat], table[0] if table else None):
            raise VerificationError(f"{move} and does not follow {_name(game, table[0])}")
        if number == 0 and game.first_card not in (None, card):
            raise VerificationError(f"{move}, not the first card of the game")
        hands[seat].remove(card)
        table.append(card)
        if len(table) == game.players:
            winner = (leader + game.winner(table)) % game.players
            for taken in table:
                owners[taken] = winner
            tricks.append(tuple(table))
            winners.append(winner)
            leader, table = (winner if game.winner_leads else 0), []
    if table or any(hands):
        raise VerificationError(f"play {len(plays) + 1}: the game ends before all cards are played")
    points = [0] * len(game.hands)
    for owner, value in zip(owners, game.points_of, strict=True):
        points[owner] += value
    return Replay(tuple(tricks), tuple(winners), tuple(points[: game.players]), tuple(owners))


def _check_deal(game: Setup, deal: Sequence[int]) -> None:
    if len(deal) != len(game.deck) or not set(deal) <= set(range(len(game.hands))):
        raise VerificationError(f"deal {tuple(deal)}: give every card one of the owners")
    for card, owner in enumerate(game.known):
        if owner not in (None, deal[card]):
            raise VerificationError(f"deal: {_name(game, card)} belongs to owner {owner}")
    for owner, size in enumerate(game.hands):
        held = sum(deal[card] == owner for card in game.hand_cards)
        if held != size:
            raise VerificationError(f"deal: owner {owner} has {held} cards, not {size}")
    for owner, name, count in game.class_counts:
        cards = [card for card in game.hand_cards if deal[card] == owner]
        held = sum(game.card_classes[card] == name for card in cards)
        if held != count:
            raise VerificationError(f"deal: owner {owner} has {held} cards of {name}, not {count}")


def _name(game: Setup, card: int) -> str:
    return str(game.deck[card]) if 0 <= card < len(game.deck) else f"card {card}"
