"""The score register of a game in lists."""

from attrs import frozen

from games.trick_taking.encodings.card_codes import CardCodes
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.rules import NULL


@frozen
class Score:
    """How a score register is set up.

    Args:
        start: its first value.
        bits: its size; the top bit ends as "won", or as "has taken a trick" in a null game.
    """

    start: int
    bits: int


def score_of(game: TrickTakingGame, codes: CardCodes) -> Score:
    """Return the smallest score register whose top bit tells who has won."""
    taken = [card for seat, cards in game.taken if seat in game.party for card in cards]
    if game.rules.contract == NULL:
        bits = game.hand.bit_length() + 1
        return Score((1 << bits - 1) - (not taken), bits)
    most = sum(game.points_of)
    wanted = game.threshold - game.base_points - sum(game.points_of[card] for card in taken)
    bits = max(wanted, most - wanted + 1, *codes.points).bit_length() + 1
    return Score((1 << bits - 1) - wanted, bits)
