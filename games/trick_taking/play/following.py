"""The position after one more card, as a game of its own."""

from attrs import evolve

from games.trick_taking.rules.setup import Setup


def turn_of(game: Setup) -> int:
    """Return the seat whose turn it is."""
    return (game.leader + len(game.table)) % game.players


def after_play(game: Setup, card: int) -> Setup:
    """Return a game that goes on after the seat whose turn it is has played a legal card.

    Args:
        game: a position; a first card that it prescribes is forgotten.
        card: what is played, by its place in the deck. If it ends a trick, that is taken.

    Returns:
        A game of the same class, with a hand of 0 if that was the last card.
    """
    seat, name = turn_of(game), game.card_classes[card]
    known = [seat if place == card else owner for place, owner in enumerate(game.known)]
    counts = tuple(
        (owner, other, n - ((owner, other) == (seat, name)))
        for owner, other, n in game.class_counts
    )
    table, taken, leader, hand = (*game.table, card), dict(game.taken), game.leader, game.hand
    if len(table) == game.players:
        winner = (leader + game.winner(table)) % game.players
        taken[winner] = (*taken.get(winner, ()), *table)
        for lying in table:
            known[lying] = winner
        table, hand, leader = (), hand - 1, winner if game.winner_leads else 0
    return evolve(
        game,
        hand=hand,
        known=tuple(known),
        leader=leader,
        first_card=None,
        class_counts=counts,
        table=table,
        taken=tuple(sorted(taken.items())),
    )
