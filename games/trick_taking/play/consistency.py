"""Consistency of a trick-taking game with the rules, the deck, and the other known facts.

Messages name the keys of a game file.
"""

from collections import Counter

from compiler.errors import GameError
from games.trick_taking.play.enumeration import Dealing
from games.trick_taking.rules.setup import Setup


def check_consistency(game: Setup) -> None:
    """Check a game's position and knowledge.

    Raises:
        GameError: naming the key that contradicts another one.
    """
    _check_position(game)
    _check_known(game)
    _check_first_card(game)
    _check_class_counts(game)
    if not Dealing(game).count():
        key = "class_counts" if game.class_counts else "known"
        raise GameError(f"{key}: no deal fits the hands, the known cards and all class counts")


def owner_key(game: Setup, owner: int) -> str:
    """Return the name of an owner in a game file."""
    return "skat" if owner == game.players else str(owner)


def _check_position(game: Setup) -> None:
    if game.leader and not game.winner_leads:
        raise GameError(f"leader = {game.leader}: in paper rules seat 0 leads every trick")
    if len(game.table) >= game.players:
        raise GameError(f"table: {len(game.table)} cards; a trick of {game.players} is over")
    for seat, cards in game.taken:
        if len(cards) % game.players:
            raise GameError(
                f"taken.{seat}: {len(cards)} cards are no whole tricks of {game.players}"
            )
    lying = Counter([*game.table, *(card for _, cards in game.taken for card in cards)])
    for card, times in lying.items():
        if times > 1:
            raise GameError(f"card {str(game.deck[card])!r} lies on the table or a stack twice")


def _check_known(game: Setup) -> None:
    lying = {card: seat for seat, cards in game.taken for card in cards}
    lying |= {c: (game.leader + turn) % game.players for turn, c in enumerate(game.table)}
    for card, owner in lying.items():
        if game.known[card] != owner:
            raise GameError(
                f"known: card {str(game.deck[card])!r} lies open, so its owner is seat {owner}"
            )
    for owner, size in enumerate(game.hands):
        held = sum(game.known[card] == owner for card in game.hand_cards)
        if held > size:
            raise GameError(
                f"known.{owner_key(game, owner)}: {held} cards are known of a hand of {size}"
            )


def _check_first_card(game: Setup) -> None:
    if game.first_card is None:
        return
    key = f"first_card = {str(game.deck[game.first_card])!r}"
    if game.table:
        raise GameError(f"{key}: {game.deck[game.table[0]]} was led, it is on the table")
    if game.first_card not in game.hand_cards or game.known[game.first_card] != game.leader:
        raise GameError(
            f"{key}: seat {game.leader} leads and is not known to hold it; "
            f"name it in known.{game.leader}"
        )


def _check_class_counts(game: Setup) -> None:
    counts_by_class = {(owner, name): count for owner, name, count in game.class_counts}
    if len(counts_by_class) < len(game.class_counts):
        raise GameError("class_counts: give every class of a hand once")
    for (owner, name), count in counts_by_class.items():
        if name not in game.rules.classes:
            raise GameError(
                f"class_counts.{owner_key(game, owner)}.{name}: no such class in "
                f"{game.rules.title}; classes are {', '.join(game.rules.classes)}"
            )
        held = [c for c in game.hand_cards if game.known[c] == owner]
        held = [card for card in held if game.card_classes[card] == name]
        if len(held) > count:
            raise GameError(
                f"class_counts.{owner_key(game, owner)}.{name} = {count}: known to hold "
                f"{' '.join(str(game.deck[card]) for card in held)}"
            )
    _check_hand_sizes(game, counts_by_class)
    for name in game.rules.classes:
        total = sum(game.card_classes[card] == name for card in game.hand_cards)
        wanted = sum(count for (_, other), count in counts_by_class.items() if other == name)
        if wanted > total:
            raise GameError(
                f"class_counts: {wanted} cards of class {name} in all, there are {total} in hands"
            )


def _check_hand_sizes(game: Setup, counts_by_class: dict[tuple[int, str], int]) -> None:
    for owner, size in enumerate(game.hands):
        counts = {name: n for (other, name), n in counts_by_class.items() if other == owner}
        others = sum(
            game.known[card] == owner and game.card_classes[card] not in counts
            for card in game.hand_cards
        )
        total, complete = sum(counts.values()), set(counts) == set(game.rules.classes)
        if total + others > size or (complete and total < size):
            more = f" and {others} known ones of other classes" if others else ""
            raise GameError(
                f"class_counts.{owner_key(game, owner)}: {total} cards in all{more}, "
                f"the hand has {size}"
            )
