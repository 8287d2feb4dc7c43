"""How often the card of superposed play loses to that of open cards: `python -m benchmarks.advice`.

Cards are dealt at random; who holds most trumps of some suit, a jack counting for two, is the
declarer, plays from the hand, and gets the skat's points. Seat 0 leads, as the declarer or one of
the two others, knows its own hand only, and needs more than half of the points, or half. One card
is chosen by random games, which is what superposed play comes to, one by solving sampled deals
with open cards. Where they differ, both are judged by the cards as they really lie: the points of
the own party if from then on all see all cards and play at their best. That is the same measure
for both, but no game against people.

With `--speed` it is measured instead what both cost in one position: processor time of solving a
deal for all its cards, and of random games.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import product
from math import sqrt
from random import Random
from time import perf_counter, process_time
from typing import Any

import numpy as np
from attrs import evolve

from compiler.scores.scoring import Z, wilson_interval
from games import named_game
from games.trick_taking.advice.adviser import NOT_ASKED, Advice, choices_of
from games.trick_taking.advice.compiled.layout import (
    bit_order,
    hands_of,
    integers,
    layout_of,
)
from games.trick_taking.advice.compiled.open_deals import Question, card_points
from games.trick_taking.advice.compiled.search import new_memory
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.open_play import open_play
from games.trick_taking.advice.source import playable_game
from games.trick_taking.advice.stakes import Stakes, stakes_of
from games.trick_taking.advice.superposition import superposed
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.cards import SUITS
from games.trick_taking.rules.rules import Rules
from service.cli.options import PROCESSES
from service.cli.program_argument import read_source

MOST_DEALS, MOST_HAND = 100_000, 10


def random_game(random: Random, hand: int) -> tuple[TrickTakingGame, tuple[int, ...]]:
    """Return a position in which seat 0 knows its own hand only, and how the cards really lie.

    Fewer than ten cards in a hand are dealt from as many random cards as that takes, and two.
    """
    whole = named_game("skat-32")
    assert isinstance(whole, TrickTakingGame)
    deck = tuple(random.sample(whole.deck, 3 * hand + 2))
    lie = tuple(min(place // hand, 3) for place in range(len(deck)))

    def strength(seat: int, suit: str) -> int:
        held = [card for card, owner in zip(deck, lie, strict=True) if owner == seat]
        return sum(2 if card.rank == "J" else card.suit == suit for card in held)

    declarer, trump = max(product(range(3), SUITS), key=lambda pair: strength(*pair))
    worth = dict(zip(whole.deck, whole.points_of, strict=True))
    points = tuple(worth[card] for card in deck)
    half, party = sum(points) // 2, tuple(seat for seat in range(3) if seat != declarer)
    game = evolve(
        whole,
        name="random",
        hand=hand,
        deck=deck,
        points_of=points,
        known=tuple(0 if owner == 0 else None for owner in lie),
        party=(0,) if declarer == 0 else party,
        threshold=max(1, half + 1 if declarer == 0 else sum(points) - half),
        rules=Rules(trump),
        first_card=None,
        class_counts=(),
        skat_to=declarer,
    )
    return game, lie


def judged(game: TrickTakingGame, cards: Sequence[int], lie: tuple[int, ...]) -> list[int]:
    """Return the party's points with each card, as the cards really lie."""
    order, points = bit_order(game), np.zeros(len(cards), np.int64)
    choices = integers(order.index(card) for card in cards)
    asked = Question(choices, hands_of(game, lie), 1)
    card_points(layout_of(game), asked, new_memory(), points)
    return points.tolist()


def compared(random: Random, options: argparse.Namespace) -> tuple[int, int, int]:
    """Return of one deal the points with the superposed choice, with the other, and to win.

    Where both choose the same card nothing is judged, and the points are 0.
    """
    game, lie = random_game(random, options.hand)
    seed = random.randrange(2**31)
    effort = Effort(options.playouts, options.samples, 60.0, seed, PROCESSES, perf_counter)
    cards = choices_of(game)
    chances, solved = superposed(game, cards, effort), open_play(game, cards, effort)
    advice = Advice(game, 0, cards, chances, solved, NOT_ASKED)
    ours, theirs = advice.by_superposition[0], advice.by_open_cards[0]
    if ours == theirs:
        return 0, 0, game.threshold
    chosen = sorted({ours, theirs})
    found = dict(zip(chosen, judged(game, [cards[place] for place in chosen], lie), strict=True))
    return found[ours], found[theirs], game.threshold


def summary(found: Sequence[tuple[int, int, int]]) -> dict[str, Any]:
    """Return in how many deals the superposed choice was worse, and by how many points."""
    deals = len(found)
    loss = np.array([theirs - ours for ours, theirs, _ in found])
    differ = [one for one in found if one[:2] != (0, 0)]
    half = Z * float(loss.std(ddof=1)) / sqrt(deals) if deals > 1 else None
    thrown = sum(theirs >= needed > ours for ours, theirs, needed in differ)
    saved = sum(ours >= needed > theirs for ours, theirs, needed in differ)
    worse, better = int((loss > 0).sum()), int((loss < 0).sum())
    return {
        "deals": deals,
        "another_card": len(differ),
        "worse": worse,
        "worse_share": [worse / deals, *wilson_interval(worse, deals)],
        "better": better,
        "better_share": [better / deals, *wilson_interval(better, deals)],
        "points_lost_a_deal": float(loss.mean()),
        "points_lost_interval": None
        if half is None
        else [float(loss.mean()) - half, float(loss.mean()) + half],
        "points_lost_where_worse": float(loss[loss > 0].mean()) if worse else None,
        "game_lost_and_won_with_open_cards": thrown,
        "game_won_and_lost_with_open_cards": saved,
    }


def speed(game: TrickTakingGame, options: argparse.Namespace) -> dict[str, Any]:
    """Return what one thread does in a second of processor time."""
    cards = choices_of(game)
    # What is not compiled yet is not what is measured.
    once = Effort(1, 1, 1.0, options.seed, 1, perf_counter)
    found = stakes_of(game, None, 18, 0)
    stakes = found if isinstance(found, Stakes) else None
    superposed(game, cards, once), open_play(game, cards, once, stakes)
    effort = Effort(options.playouts, options.deals, float(options.seconds), options.seed, 1,
                    perf_counter)  # fmt: skip
    began = process_time()
    played = superposed(game, cards, effort).playouts
    between = process_time()
    solved = open_play(game, cards, effort).shares.deals
    then = process_time()
    valued = None if stakes is None else open_play(game, cards, effort, stakes).shares.deals
    return {
        "game": game.name,
        "cards": len(cards),
        "deals": solved,
        "processor_seconds_a_deal": (then - between) / solved,
        "processor_seconds_a_deal_with_value": valued and (process_time() - then) / valued,
        "playouts": played,
        "playouts_a_processor_second": played / (between - began),
    }


def bounded(least: int, most: int) -> Any:
    """Return what reads a whole number within bounds."""

    def number(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{value}: must be from {least} to {most}")
        return value

    return number


def printed(answer: dict[str, Any], as_json: bool) -> None:
    """Print an answer, a line for each figure or as JSON."""
    if as_json:
        print(json.dumps(answer, indent=2))
        return
    for name, value in answer.items():
        print(f"{name.replace('_', ' ')}: {value}")


def main() -> None:
    """Compare the two choices in random deals, and print how it was measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.advice", description=__doc__)
    parser.add_argument("--deals", type=bounded(1, MOST_DEALS), default=100)
    parser.add_argument("--hand", type=bounded(2, MOST_HAND), default=MOST_HAND)
    parser.add_argument("--samples", type=bounded(1, 1000), default=10, help="deals solved each")
    parser.add_argument("--playouts", type=bounded(1, 10**8), default=50_000)
    parser.add_argument("--seconds", type=bounded(1, 10**5), default=3600, help="begin no more")
    parser.add_argument("--seed", type=bounded(0, 2**31 - 1), default=0)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--speed", metavar="GAME.toml", help="of a position, instead")
    options = parser.parse_args()
    if options.speed:
        printed(speed(playable_game(read_source(options.speed)), options), options.json)
        return
    random, found = Random(options.seed), []
    began, worked = perf_counter(), process_time()
    while len(found) < options.deals and (not found or perf_counter() - began < options.seconds):
        found.append(compared(random, options))
        if len(found) % 10 == 0:
            print(f"{len(found)} of {options.deals} deals", file=sys.stderr, flush=True)
    answer = {
        **summary(found),
        "hand": options.hand,
        "samples": options.samples,
        "playouts": options.playouts,
        "seed": options.seed,
        "seconds": perf_counter() - began,
        "processor_seconds": process_time() - worked,
    }
    printed(answer, options.json)


if __name__ == "__main__":
    main()
