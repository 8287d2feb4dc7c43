"""`python -m benchmarks.boards`: how long moves take while thousands of games are superposed.

Black and white put stones on two points each in turn until there are as many games as asked for.
Then each kind of move is made from there, with all that belongs to it: which points are open, the
gates, captures or five in a row, ko. Beside it, five in a row noticed from the list of moves alone,
in games of up to 40 moves; what it costs to write it into a qubit; and gates and time of a move
from 9 × 9 to 19 × 19, which `--plot` draws.
"""

import argparse
import statistics
from collections.abc import Callable, Iterator, Sequence
from random import Random
from time import perf_counter

from attrs import frozen
from matplotlib.figure import Figure

from compiler.lowering.methods import lower_operators
from compiler.measurement import final_measurements
from games import encoded, named_game
from games.board.coins import Coins, lines_of_five, lying_stones, probability_of_any
from games.board.encodings.five import price
from games.board.game import BoardGame
from games.board.operators.all_lines import AllLines
from games.board.rules.five_in_a_row import FiveInARow
from games.board.rules.moves import Kind, Move, name_of, read_move
from games.board.rules.options import Options
from games.board.rules.position import BoardRules, Position, Turn
from games.board.rules.superposition import Stone
from games.board.rules.weiqi import Weiqi
from games.pictures import plain_axes
from service.cli.output.plots import plot_path, write_figure
from service.pages.colours import BLUE, GREEN, INK, ORANGE, VERMILION

SIZES = (9, 11, 13, 15, 17, 19)
LONG = (10, 20, 30, 40)
"""Moves of games that are noticed from their moves alone."""
BAR_MS = 50
"""Milliseconds that the median of a move may take."""
MOVES = ("X K19", "S+ K19 K17", "E E1-K19 G1-K17")
REPEATS = 15
GAMES = 256
"""Superposed where boards of different sizes are compared; more do not fit on 9 × 9."""


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


def long_game(moves: int, size: int, seed: int = 1) -> list[Turn]:
    """Return S± of either player in turn: black's on two points of the same few lines.

    No position is kept, so that there may be 2^40 games.
    """
    random = Random(seed)
    middle = size // 2
    near = [p for p in range(size * size) if abs(p // size - middle) < 5 > abs(p % size - middle)]
    far = [p for p in range(size * size) if p not in near]
    random.shuffle(near)
    random.shuffle(far)
    found = []
    for number in range(moves):
        colour, points = (Stone.WHITE, far) if number % 2 else (Stone.BLACK, near)
        move = Move(Kind.SUPERPOSE, (points.pop(), points.pop()), random.choice((1, -1)))
        found.append(Turn(colour, move))
    return found


def print_long_games(size: int) -> None:
    """Print how long five in a row takes to be noticed in long games."""
    print(f"\n{'moves':>5} {'games':>17} {'lines':>6} {'P(black has five)':>18} {'median ms':>10}")
    for moves in LONG:
        turns = long_game(moves, size)
        times = list(timed(lambda turns=turns: _lines(turns, size)))  # type: ignore[misc]
        lines = _lines(turns, size)
        start = perf_counter()
        chance = probability_of_any(lines.values())
        once = 1000 * (perf_counter() - start)
        print(
            f"{moves:>5} {2**moves:>17,} {len(lines):>6} {float(chance):>18.6f} "
            f"{statistics.median(times) + once:>10.2f}"
        )


def print_flags() -> None:
    """Print what it costs to write five in a row into a flag, for one colour."""
    print(f"\n{'any line of a board':<20} {'lines':>6} {'CX':>7} {'ancillas':>9}   and narrow")
    for size in range(5, 20, 2):
        found = []
        for wide in (True, False):
            circuit = AllLines(size, wide).circuit()
            found += [price(circuit), circuit.num_qubits - size * size - 1]
        print(
            f"{f'{size} x {size}':<20} {AllLines(size, True).lines:>6} {found[0]:>7,} "
            f"{found[1]:>9,} {found[2]:>7,} {found[3]:>5,}"
        )
    game = named_game("five-in-a-row:crossing")
    print(f"\n{'lines that can be':<20} {'qubits':>6} {'CX':>7}   with flag")
    for board in ("points", "stones", "parities"):
        row = []
        for encoding in (board, f"{board}-five"):
            gates, _ = final_measurements(encoded(game, encoding).circuit)
            row += [gates.num_qubits, price(lower_operators(gates, "cheapest"))]
        print(f"{f'{game.name[14:]}, {board}':<20} {row[0]:>6} {row[1]:>7} {row[2]:>7} {row[3]:>5}")


@frozen
class Point:
    """What a move costs on a board.

    Args:
        size: lines of the board.
        kind: of the move.
        gates: on two qubits, in encoding `points`.
        milliseconds: of the move with all that belongs to it, the fastest of some repetitions.
    """

    size: int
    kind: str
    gates: int
    milliseconds: float


GROWN = {
    "S±": ("S+ E5 F5", "X A1"),
    "E": ("S+ E5 F5", "E E5-E6 F5-F6"),
    "T±": ("S+ E5 F5", "T E5-E6 F5+F6,G6"),
    "F±±": ("S+ E5 F5", "F E5+E6,E7 F5+F6,G6"),
}
"""For each kind the shortest game; of S± the first move counts."""


def grown(games: int) -> Iterator[Point]:
    """Yield the cost of each kind of move on boards of all sizes.

    Args:
        games: that are superposed when a move is timed.
    """
    for size in SIZES:
        full = position_of(FiveInARow(), size, games)
        ends = [name_of(p, size) for p, e in enumerate(full.open_points()) if e][-4:]
        own = [name_of(p, size) for p in full.turns[-1].move.points]
        for kind, moves in GROWN.items():
            read = tuple(read_move(move, size) for move in moves)
            counts = []
            for played in (read[:1], read):
                gates, _ = final_measurements(
                    encoded(BoardGame("grown", FiveInARow(), size, played), "points").circuit
                )
                counts.append(price(lower_operators(gates, "cheapest")))
            last = {
                "S±": f"S+ {ends[0]} {ends[1]}",
                "E": f"E {own[0]}-{ends[0]} {own[1]}-{ends[1]}",
                "T±": f"T {own[0]}-{ends[0]} {own[1]}+{ends[1]},{ends[2]}",
                "F±±": f"F {own[0]}+{ends[0]},{ends[3]} {own[1]}+{ends[1]},{ends[2]}",
            }[kind]
            move = read_move(last, size)
            times = list(timed(lambda full=full, move=move: full.after(move)))  # type: ignore[misc]
            gates_of = counts[0] if kind == "S±" else counts[1] - counts[0]
            yield Point(size, kind, gates_of, min(times))


def draw(points: Sequence[Point], games: int) -> Figure:
    """Draw gates and milliseconds of a move against the points of the board."""
    figure = Figure(figsize=(9, 4))
    left, right = figure.subplots(1, 2)
    styles = zip(GROWN, (BLUE, ORANGE, GREEN, VERMILION), ("o", "s", "^", "D"), strict=True)
    for kind, colour, marker in styles:
        own = [point for point in points if point.kind == kind]
        sizes = [point.size**2 for point in own]
        left.plot(sizes, [point.gates for point in own], marker=marker, color=colour, label=kind)
        right.plot(
            sizes, [point.milliseconds for point in own], marker=marker, color=colour, label=kind
        )
    left.set_title("two-qubit gates of a move (points)", size=10, color=INK)
    right.set_title(f"ms of a move with {games:,} games, best of {REPEATS}", size=10, color=INK)
    for panel in (left, right):
        panel.set_xlabel("points of the board")
        panel.set_xticks([size**2 for size in SIZES], [f"{s}×{s}" for s in SIZES], size=8)
        panel.set_ylim(bottom=0)
        plain_axes(panel)
    left.legend(frameon=False, ncols=4, loc="upper left")
    low, high = left.get_ylim()
    left.set_ylim(low, 1.2 * high)
    figure.tight_layout()
    return figure


def main() -> None:
    """Print the tables, and draw the plot if a file is named."""
    asked = argparse.ArgumentParser(description="Time moves on superposed boards.")
    asked.add_argument("--games", type=int, default=10_000)
    asked.add_argument("--size", type=int, default=19)
    asked.add_argument("--plot", default="", help="a .png, .svg or .pdf")
    given = asked.parse_args()
    path = plot_path(given.plot)
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
    print_long_games(given.size)
    print_flags()
    print(f"\n{'board':<8} {'move':<5} {'2q gates':>8} {'best ms':>10}   {GAMES} games")
    points = []
    for point in grown(GAMES):
        points.append(point)
        board = f"{point.size} x {point.size}"
        print(f"{board:<8} {point.kind:<5} {point.gates:>8} {point.milliseconds:>10.2f}")
    if path is not None:
        write_figure(draw(points, GAMES), path)


def _lines(turns: Sequence[Turn], size: int) -> dict[tuple[int, ...], Coins]:
    return lines_of_five(lying_stones(turns, Options()), Stone.BLACK, size)


if __name__ == "__main__":
    main()
