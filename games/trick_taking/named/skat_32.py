"""The whole game of Skat: 32 cards, ten for each seat and two in the skat."""

from typing import Literal, get_args

from compiler.errors import GameError
from games.game import game
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.cards import POINTS, SUITS, Card
from games.trick_taking.rules.rules import NULL, PAPER, RANKS, Rules

HAND = "CJ HJ CA C10 CQ C8 SA S10 HA D7"
Word = Literal["C", "S", "H", "D", "grand", "null", "paper", "known"]
WORDS = get_args(Word)


@game("skat-32")
def skat_32(*words: Word) -> TrickTakingGame:
    """Return a hand game: seat 0 declares, leads, and leaves the skat where it is.

    Its points count for the declarer all the same, who needs 61 of 120.

    Args:
        words: at most one of `C` (clubs are trump, the default), `S`, `H`, `D`, `grand`, `null`
            and `paper` (the papers' rules, jacks and clubs strongest), and `known` if the
            declarer's hand is known to be CJ HJ CA C10 CQ C8 SA S10 HA D7. As a spec:
            `skat-32`, `skat-32:known`, `skat-32:grand:known`.

    Raises:
        GameError: if a word is unknown or there is one too many.
    """
    spec = ":".join(("skat-32", *words))
    for word in words:
        if word not in WORDS:
            raise GameError(f"{spec}: unknown word '{word}'; known: {', '.join(WORDS)}")
    modes = [word for word in words if word != "known"]
    if len(modes) > 1 or words.count("known") > 1:
        raise GameError(f"{spec}: give at most one of {', '.join(WORDS[:-1])}, and 'known' once")
    mode = modes[0] if modes else "C"
    rules = PAPER if mode == "paper" else Rules(mode)
    hand = HAND.split() if "known" in words else []
    deck = _deck()
    return TrickTakingGame(
        name=spec,
        players=3,
        hand=10,
        deck=deck,
        points_of=tuple(POINTS[card.rank] for card in deck),
        known=tuple(0 if str(card) in hand else None for card in deck),
        party=(0,),
        threshold=0 if mode == NULL else 61,
        rules=rules,
        skat_to=0,
    )


def _deck() -> tuple[Card, ...]:
    """Return jacks, clubs, and then the other suits rank by rank: in paper rules, by strength."""
    jacks = [Card(suit, "J") for suit in SUITS]
    ranks = [rank for rank in RANKS if rank != "J"]
    clubs = [Card("C", rank) for rank in ranks]
    return (*jacks, *clubs, *(Card(suit, rank) for rank in ranks for suit in SUITS[1:]))
