"""Playouts of card games; see `games.playing.playouts`."""

import numpy as np

from games.game import Game
from games.playing.playouts import Playouts, playouts
from games.trick_taking.play.dealing import deals_of
from games.trick_taking.rules.rules import NULL, TRUMP
from games.trick_taking.rules.setup import Setup

MOST_DEALS = 100_000
"""Deals that are listed where class counts say which are possible."""

NONE = -1


@playouts.register("trick_taking")
def trick_taking_playouts(game: Game) -> Playouts | None:
    """Return the playouts of a game that begins with its first trick; None for all others."""
    if not isinstance(game, Setup) or game.table or game.taken:
        return None
    if game.class_counts and deals_of(game).count() > MOST_DEALS:
        return None
    # Numba takes half a second to load, which nobody waits for who plays no games.
    from games.trick_taking.play.random_games import wins

    known = [NONE if owner is None else owner for owner in game.known]
    left = [
        owner for owner, size in enumerate(game.hands) for _ in range(size - known.count(owner))
    ]
    names = list(game.rules.classes)
    numbers = (
        [
            game.players,
            game.hand,
            game.winner_leads,
            game.leader,
            NONE if game.first_card is None else game.first_card,
            game.players if game.skat_to in game.party else NONE,
            NONE if game.rules.contract == NULL else max(0, game.threshold - game.base_points),
        ],
        list(deals_of(game).all()) if game.class_counts else [known],
        left,
        [names.index(name) for name in game.card_classes],
        [
            len(game.deck) * (1 + (name == TRUMP)) - lane
            for name, lane in zip(game.card_classes, game.lanes, strict=True)
        ],
        game.points_of,
        [seat in game.party for seat in range(game.players)],
    )
    arrays = [np.array(one, dtype=np.int64) for one in numbers]
    return lambda games, seed: int(wins(games, seed, *arrays))
