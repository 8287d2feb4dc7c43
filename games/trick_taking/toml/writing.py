"""The file of a trick-taking game: what `games.trick_taking.toml.game` reads."""

import json
from collections.abc import Iterable

from games.trick_taking.play.consistency import owner_key
from games.trick_taking.rules.rules import GRAND, NULL
from games.trick_taking.rules.setup import Setup


def game_toml(game: Setup, kind: str = "skat") -> str:
    """Return a game as a document whose reading gives the same game, but for its name.

    Args:
        game: the game.
        kind: what the document says it is; others than `skat` have further keys.
    """
    contract = game.rules.contract
    lines = [f'game = "{kind}"', f'rules = "{game.rules.name}"']
    if contract is not None:
        key = "contract" if contract in (GRAND, NULL) else "trump"
        lines += [f'{key} = "{contract}"', f"leader = {game.leader}"]
    lines += [
        f"players = {game.players}",
        f"hand = {game.hand}",
        f"deck = {_cards(game, range(len(game.deck)))}",
        f"party = {list(game.party)}",
    ]
    if contract != NULL:
        lines += [f"threshold = {game.threshold}", f"base_points = {game.base_points}"]
        worth = {card.rank: points for card, points in zip(game.deck, game.points_of, strict=True)}
        entries = ", ".join(f"{json.dumps(rank)} = {points}" for rank, points in worth.items())
        lines.append(f"points = {{ {entries} }}")
    if game.skat_to is not None:
        lines.append(f"skat_to = {game.skat_to}")
    if game.first_card is not None:
        lines.append(f'first_card = "{game.deck[game.first_card]}"')
    if game.table:
        lines.append(f"table = {_cards(game, game.table)}")
    lines += ["", "[taken]", *(f"{seat} = {_cards(game, cards)}" for seat, cards in game.taken)]
    lines += ["", "[known]"]
    for owner in range(len(game.hands)):
        held = [card for card in game.hand_cards if game.known[card] == owner]
        if held:
            lines.append(f"{owner_key(game, owner)} = {_cards(game, held)}")
    if game.class_counts:
        lines += ["", "[class_counts]"]
        counts: dict[str, list[str]] = {}
        for owner, name, number in game.class_counts:
            counts.setdefault(owner_key(game, owner), []).append(f"{name} = {number}")
        lines += [f"{key} = {{ {', '.join(given)} }}" for key, given in counts.items()]
    return "\n".join([*lines, ""])


def _cards(game: Setup, cards: Iterable[int]) -> str:
    return json.dumps([str(game.deck[card]) for card in cards])
