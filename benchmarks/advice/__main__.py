"""Losses of superposed play against open cards: `python -m benchmarks.advice`.

Cards are dealt at random; the player with most trumps of a suit, a jack counting for two, is the
declarer, plays from the hand, and gets the skat's points. Seat 0 leads, as the declarer or one of
the two others, knows its own hand only, and needs more than half of the points, or half. With
`--records` the positions are those before every card of real games, with the knowledge of its
player. One card is chosen by random games, the limit of superposed play, one by solving sampled
deals with open cards. Where they differ, both are judged by the cards as they really lie: the
points of the own party if from then on all see all cards and play at their best. That is the same
measure for both, but no game against people.

With `--log` an interrupted measurement continues. With `--speed` it measures the cost of one
position instead: processor time of solving a deal for all its cards, and of random games.
"""

import argparse
import sys
from argparse import Namespace
from collections.abc import Iterator
from random import Random
from time import perf_counter, process_time, thread_time
from typing import Any

from benchmarks.advice.choosing import Compared, compared, summary
from benchmarks.advice.positions import random_game, recorded_positions
from compiler.errors import StichwerkError
from games.trick_taking.advice.adviser import choices_of
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.open_play import open_play
from games.trick_taking.advice.source import playable_game
from games.trick_taking.advice.stakes import Stakes, stakes_of
from games.trick_taking.advice.superposition import superposed
from games.trick_taking.game import TrickTakingGame
from service.cli.program_argument import read_source


def speed(game: TrickTakingGame, options: Namespace) -> dict[str, Any]:
    """Return the number of calls of one thread in a second of processor time."""
    cards = choices_of(game)
    # Compilation is not measured.
    once = Effort(1, 1, 1.0, options.seed, 1, thread_time)
    default = stakes_of(game, None, 18, 0)
    stakes = default if isinstance(default, Stakes) else None
    superposed(game, cards, once), open_play(game, cards, once, stakes)
    effort = Effort(options.playouts, options.deals, float(options.seconds), options.seed, 1,
                    thread_time)  # fmt: skip
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


MAX_DEALS, MAX_HAND = 100_000, 10


def positions(options: argparse.Namespace) -> Iterator[tuple[TrickTakingGame, Any, int]]:
    """Return the knowledge of each position's player, the real cards, and a seed."""
    random = Random(options.seed)
    if options.records:
        for game, lie in recorded_positions(read_source(options.records)):
            yield game, lie, random.randrange(2**31)
        return
    for _ in range(options.deals):
        game, lie = random_game(random, options.hand)
        yield game, lie, random.randrange(2**31)


def measured(options: argparse.Namespace) -> dict[str, Any]:
    """Compare the two choices in all positions there is time for."""
    results, began, worked = list[Compared](), perf_counter(), process_time()
    for game, lie, seed in positions(options):
        if results and perf_counter() - began >= options.seconds:
            break
        results.append(compared(game, lie, seed, options))
        if len(results) % 10 == 0:
            print(f"{len(results)} positions", file=sys.stderr, flush=True)
    return {
        **summary(results),
        **({"records": options.records} if options.records else {"hand": options.hand}),
        "samples": options.samples,
        "playouts": options.playouts,
        "seed": options.seed,
        "seconds": perf_counter() - began,
        "processor_seconds": process_time() - worked,
    }


def bounded(least: int, most: int) -> Any:
    """Return a parser of whole numbers within bounds."""

    def number(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{value}: must be from {least} to {most}")
        return value

    return number


def main() -> None:
    """Compare the two choices in random deals, and print how it was measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.advice", description=__doc__)
    parser.add_argument("--deals", type=bounded(1, MAX_DEALS), default=100)
    parser.add_argument("--hand", type=bounded(2, MAX_HAND), default=MAX_HAND)
    parser.add_argument("--samples", type=bounded(1, 1000), default=10, help="deals solved each")
    parser.add_argument("--playouts", type=bounded(1, 10**8), default=50_000)
    parser.add_argument("--seconds", type=bounded(1, 10**5), default=3600, help="begin no more")
    parser.add_argument("--seed", type=bounded(0, 2**31 - 1), default=0)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--records", metavar="GAMES.sgf", default="", help="all cards of games")
    instead.add_argument("--speed", metavar="GAME.toml", help="of a position, instead")
    options = parser.parse_args()
    try:
        if options.speed:
            answer = speed(playable_game(read_source(options.speed)), options)
        else:
            answer = measured(options)
    except StichwerkError as error:
        parser.error(str(error))
    for name, value in answer.items():
        print(f"{name.replace('_', ' ')}: {value}")


if __name__ == "__main__":
    main()
