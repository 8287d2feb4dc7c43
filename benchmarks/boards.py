"""`python -m benchmarks.boards`: how long moves take while thousands of games are superposed.

Black and white put stones on two points each in turn until there are as many games as asked for.
Then each kind of move is made from there, with all that belongs to it: which points are open, the
gates, captures or five in a row, ko. Beside it, five in a row noticed from the list of moves alone.
"""

import argparse
import statistics
from collections.abc import Callable, Iterator
from time import perf_counter

from games.board.coins import lines_of_five, lying_stones, probability_of_any
from games.board.rules.five_in_a_row import FiveInARow
from games.board.rules.moves import read_move
from games.board.rules.options import Options
from games.board.rules.points import name_of
from games.board.rules.position import BoardRules, Position
from games.board.rules.superposition import Stone
from games.board.rules.weiqi import Weiqi

BAR_MS = 50
"""Milliseconds that the median of a move may take."""
MOVES = ("X K19", "S+ K19 K17", "E E1-K19 G1-K17")
REPEATS = 15


def position_of(rules: BoardRules, size: int, games: int) -> Position:
    """Return a position of at least so many games, no two stones side by side."""
    position = rules.begin(size, Options(scheme="cqc"))
    free = (p for p in range(size * size) if p % size % 2 == 0 and p // size % 2 == 0)
    while position.board.games < games or position.colour is not Stone.BLACK:
        first, second = (name_of(next(free), size) for _ in range(2))
        position = position.after(read_move(f"S+ {first} {second}", size))
    return position


def timed(act: Callable[[], object]) -> Iterator[float]:
    """Yield the milliseconds of some repetitions."""
    for _ in range(REPEATS):
        start = perf_counter()
        act()
        yield 1000 * (perf_counter() - start)


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser(description="Time moves on superposed boards.")
    asked.add_argument("--games", type=int, default=10_000)
    asked.add_argument("--size", type=int, default=19)
    given = asked.parse_args()
    print(f"{'game':<15} {'move':<18} {'games':>7} {'median ms':>10} {'worst':>8}   {BAR_MS} ms")
    for rules in (FiveInARow(), Weiqi()):
        position = position_of(rules, given.size, given.games)
        for text in MOVES:
            move = read_move(text, given.size)
            times = list(timed(lambda position=position, move=move: position.after(move)))  # type: ignore[misc]
            median = statistics.median(times)
            held = "held" if median <= BAR_MS else "missed"
            start = f"{rules.name:<15} {text:<18} {position.board.games:>7,}"
            print(f"{start} {median:>10.1f} {max(times):>8.1f}   {held}")
        if isinstance(rules, FiveInARow):
            times = list(timed(lambda position=position: _noticed(position)))  # type: ignore[misc]
            print(
                f"{rules.name:<15} {'five, from moves':<18} {position.board.games:>7,} "
                f"{statistics.median(times):>10.2f} {max(times):>8.2f}"
            )


def _noticed(position: Position) -> object:
    stones = lying_stones(position.turns, position.options)
    lines = lines_of_five(stones, Stone.BLACK, position.board.size)
    return probability_of_any(lines.values())


if __name__ == "__main__":
    main()
