"""Deals, plays and whole games of ever more cards."""

from functools import partial
from typing import cast

from games.cost_table import listed
from games.game import named_game
from games.series import Series, series
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators.card_play import CardPlay, LiteralCardPlay
from games.trick_taking.operators.hand_play import HandPlay
from games.trick_taking.operators.uniform_deal import UniformDeal
from games.trick_taking.rules.rules import Rules

# The only one whose literal construction is small enough to be counted in a moment.
listed.register("skat-4")(("paper",))
for _spec in (
    "skat-9:paper",
    "skat-9",
    "skat-32:paper",
    "skat-32:known",
    "skat-32",
    "skat-32:grand",
    "skat-32:null",
):
    listed.register(_spec)(())


AXIS = "cards"
DECKS = (4, 6, 8, 12, 16, 24, 32)


def _deal(cards: int) -> UniformDeal:
    return UniformDeal((cards - cards // 2, cards // 2), (None,) * cards)


def _play(cards: int, *, share: int) -> HandPlay:
    return HandPlay(cards, _hand(cards, share))


def _literal_play(cards: int, *, share: int) -> int:
    literal = CardPlay(cards, _hand(cards, share), 0, 2)
    return LiteralCardPlay().two_qubit_gates(*map(int, literal.params))


def _hand(cards: int, share: int) -> int:
    return max(2, cards // share)


def _two_players(cards: int) -> TrickTakingGame:
    deck = _whole().deck[:cards]
    return TrickTakingGame.of_cards(f"two players, {cards} cards", cards // 2, deck, players=2)


def _skat(cards: int) -> TrickTakingGame:
    """Return three hands in skat rules; the remaining cards are the skat."""
    deck = _whole().deck
    hand = (cards - 2) // 3 if cards == len(deck) else cards // 3
    name = f"three players, {cards} cards"
    return TrickTakingGame.of_cards(name, hand, deck[:cards], rules=Rules("C"))


def _whole() -> TrickTakingGame:
    return cast(TrickTakingGame, named_game("skat-32"))


series.register("deal D(n, n/2)")(Series(AXIS, DECKS, _deal))
for _share, _decks in ((2, DECKS), (3, DECKS[1:])):
    series.register(f"hand play, n/{_share} in hand")(
        Series(
            AXIS,
            _decks,
            partial(_play, share=_share),
            literal=partial(_literal_play, share=_share),
        )
    )
series.register("game, 2 players, paper rules")(
    Series(AXIS, (4, 6, 8, 12, 16, 20), _two_players, "lists")
)
series.register("game, 3 players, skat rules")(Series(AXIS, (9, 12, 18, 24, 32), _skat, "lists"))
