"""Advice during a match of Skat: by open cards, by superposed play, and by training."""

from collections.abc import Sequence
from time import thread_time

import numpy as np

from compiler.errors import GameTooLargeError
from games.panels import Cell, Grid, Lines, Panel
from games.trick_taking.advice.adviser import advise
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.panels import panels
from games.trick_taking.advice.stakes import Stakes
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.play.positions import turn_of
from games.trick_taking.rules.rules import Card
from games.trick_taking.skat.bidding.advice import try_contracts
from games.trick_taking.skat.bidding.offers import Hand
from games.trick_taking.skat.bidding.panels import bid_panels
from games.trick_taking.skat.records.position import Position
from games.trick_taking.skat.values import BIDS
from games.trick_taking.training.learning import learn_equilibrium
from games.trick_taking.weighted.game import kept_tree

STEPS = 30
"""Steps of a training: more steps change weights by less than a player sees."""


def budget(playouts: int, deals: int, seconds: float, seed: int = 0) -> Effort:
    """Return the bounds of an advice on one thread; see `Effort`."""
    return Effort(playouts, deals, seconds, seed, 1, thread_time)


BOT = (1_000, 40, 0.8)
PERSON = (100_000, 200, 1.5)
BIDDER = (200, 100, 3.0)
"""Random games, deals and seconds of the advice of a bot, for a person, and on bidding."""
CARD_HINT = (
    "For more samples: in the terminal, play with --save position.toml and quit; then run "
    "'stichwerk advise position.toml --seconds 60'."
)


def card_panels(position: Position) -> list[Panel]:
    """Return the advice on a card, open cards and superposed play first."""
    stakes = Stakes(position.contract, position.bid, position.laid)
    advice = advise(position.game, budget(*PERSON), lambda _: None, stakes)
    return [
        Lines("Known facts", position.facts),
        *panels(advice, None, more=CARD_HINT),
        trained_panel(position.game),
    ]


def bidding_panels(hand: Hand, place: int, bid: int) -> list[Panel]:
    """Return the advice on a hand; see `try_contracts`."""
    bidding = try_contracts(hand, place, max(bid, BIDS[0]), budget(*BIDDER), lambda _: None)
    skat = f' --skat "{_written(hand.skat)}"' if hand.skat else ""
    command = f'skat bid --hand "{_written(hand.cards)}"{skat} --place {place} --bid {bidding.bid}'
    return bid_panels(bidding, f"For more samples: stichwerk {command}")


def _written(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def trained_panel(game: TrickTakingGame) -> Panel:
    """Return the play frequency of each card in an equilibrium that is trained from here on."""
    title = "Trained play"
    try:
        tree = kept_tree(game)
    except GameTooLargeError:
        return Lines(title, ["From about the eighth trick on: before it there are too many deals."])
    last = learn_equilibrium(tree, STEPS, 0, lambda _: None)[-1]
    first = next(item for item in tree.information if item.seat == turn_of(game))
    weights = last.chances[first.first : first.first + len(first.cards)]
    rows = [[Cell(str(game.deck[first.cards[place]])), Cell(f"{weights[place]:.2f}")]
            for place in np.argsort(-weights, kind="stable")]  # fmt: skip
    return Grid(f"{title}: the declarer's side wins {last.won:.2f}", ("card", "probability"), rows)
