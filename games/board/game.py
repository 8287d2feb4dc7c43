"""A game on a quantum board whose moves are fixed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import numpy as np
from attrs import field, frozen

from compiler.errors import GameError, GameTooLargeError, naming
from compiler.judge import Kind, Number, Observable
from compiler.words.plurals import how_many
from games.board.rules.five_in_a_row import LENGTH, FiveInARow
from games.board.rules.groups import lines_through
from games.board.rules.moves import LARGEST, SMALLEST, Move, name_of, read_move
from games.board.rules.position import MAX_GAMES, BoardRules, Options, Position, positions
from games.board.rules.superposition import Stone, Superposition
from games.board.rules.weiqi import Weiqi
from games.game import Fact, Game
from games.options import whole_number
from games.toml import checked_options, game_kind, toml_text

KEPT_POSITIONS = 8
"""Games of which all positions are kept, each with all of its superposed games."""
KEPT_DISTRIBUTIONS = 64
AT = "_at_"
"""Part of the names of observables that are about one point."""
MAX_POINTS = 64
"""Touched points up to which every point's probabilities are observables."""
MAX_SHOWN = 100_000
"""Games that are enumerated; there may be more on a quantum computer."""

Touched = tuple[tuple[int, tuple[Stone, ...]], ...]
"""The points that ever had a stone, in their order, and of which colours."""


@frozen(cache_hash=True)
class BoardGame(Game):
    """A game, or the beginning of one, with fixed moves.

    An outcome is a measured board: bit 2i is a black stone on the i-th point that was ever
    touched, bit 2i + 1 a white one.

    Args:
        name: name of the game.
        rules: rules of the game.
        size: lines of the board.
        moves: moves in order, black's first.
        options: options of the rules.
        most_games: maximum number of superposed games on classical computers.

    Raises:
        GameError: if the rules do not allow these moves.
    """

    name: str
    rules: BoardRules
    size: int
    moves: tuple[Move, ...]
    options: Options = field(factory=Options)
    most_games: int = MAX_GAMES

    legend = "b black, w white"
    encodings_need = (
        "a point for every game (G) is no gate, and captures in superposed games are one with "
        "captures = 'x' only; at least one stone must be put"
    )

    @classmethod
    def of(cls, name: str, position: Position) -> "BoardGame":
        """Return the game that has led to a position."""
        moves = tuple(turn.move for turn in position.turns)
        rules, size, most = position.rules, position.board.size, position.most_games
        return cls(name, rules, size, moves, position.options, most)

    def __attrs_post_init__(self) -> None:
        self.position  # noqa: B018 - refuses illegal moves at once

    @property
    def position(self) -> Position:
        """The position after the last move."""
        return self.positions[-1]

    @property
    def positions(self) -> tuple[Position, ...]:
        """The positions before and after every move."""
        return _positions(self.rules, self.size, self.options, self.most_games, self.moves)

    @property
    def title(self) -> str:
        """One line for lists."""
        moves = how_many(len(self.moves), "move")
        changed = "".join(f", {name} {value}" for name, value in self.options.changed().items())
        return f"quantum {self.rules.title}, {self.size}x{self.size}, {moves}{changed}"

    @property
    def reading(self) -> str:
        """Explanation of a label."""
        return f"{self.title}. An outcome is a measured board: its black and white stones."

    @property
    def touched(self) -> Touched:
        """The points that ever had a stone; an outcome has two bits for each."""
        colours: dict[int, set[Stone]] = {}
        for turn in self.position.turns:
            for point in turn.move.targets:
                colours.setdefault(point, set()).add(turn.colour)
            for point in turn.captured:
                colours.setdefault(point, set()).add(turn.colour.other)
        return tuple((point, tuple(sorted(colours[point]))) for point in sorted(colours))

    @property
    def outcome_bits(self) -> int:
        """Two bits a touched point."""
        return 2 * len(self.touched)

    @property
    def counts(self) -> Mapping[str, int]:
        """Moves, touched points and superposed games."""
        return {
            "moves": len(self.moves),
            "points": len(self.touched),
            "games": self.position.board.games,
        }

    @property
    def axes(self) -> Mapping[str, int]:
        """Lines of the board, and moves."""
        return {"size": self.size, "moves": len(self.moves)}

    def facts(self) -> Mapping[str, Fact]:
        """Return the facts, and how the game has ended if it has."""
        end = self.position.end
        return {
            **self.counts,
            "end": "in progress" if end is None else end.reason,
            **self.outcome_facts(),
        }

    @property
    def observables(self) -> Sequence[Observable]:
        """Five in a row, the stones of each colour, and each touched point's stones."""
        colours = (Stone.BLACK, Stone.WHITE)
        result = [
            Observable(f"{c.word}_stones", Kind.NUMBER, _lying(range(c - 1, self.outcome_bits, 2)))
            for c in colours
        ]
        if self.rules.name == "five-in-a-row":
            kind, five = Kind.EVENT, self.has_five
            result[:0] = [Observable(f"{c.word}_has_five", kind, partial(five, c)) for c in colours]
        if len(self.touched) > MAX_POINTS:
            return result
        for place, (point, stones) in enumerate(self.touched):
            for colour in stones:
                name = stone_at(colour, name_of(point, self.size))
                result.append(Observable(name, Kind.EVENT, _lying([2 * place + colour - 1])))
        return result

    def has_five(self, colour: Stone, outcome: int) -> bool:
        """Return whether a colour has five in a row on a measured board."""
        own = np.flatnonzero(self.stones(outcome) == colour).tolist()
        return any(lines_through(own, self.size, LENGTH))

    def stones(self, outcome: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return a measured board, shape (points,); a point with two stones has 3."""
        board = np.zeros(self.size * self.size, np.uint8)
        for place, (point, _) in enumerate(self.touched):
            board[point] = outcome >> 2 * place & 3
        return board

    def exact_distribution(self) -> Mapping[int, Number]:
        """Return the probability of every board; see `Game`."""
        board = self.position.board
        if board.games > MAX_SHOWN:
            raise GameTooLargeError(
                f"{self.name}: {board.games:,} games are more than the {MAX_SHOWN:,} that are "
                "enumerated"
            )
        return _distribution(self)

    def most_states(self) -> int:
        """Return the number of superposed games."""
        return self.position.board.games

    def describe(self, outcome: int) -> str:
        """Return the stones of a board, such as `bE5 wF6`."""
        stones = self.stones(outcome)
        parts = [
            "?bw"[stones[point]] + name_of(int(point), self.size)
            for point in np.flatnonzero(stones)
        ]
        return " ".join(parts) or "empty"


def stone_at(colour: Stone, point: str) -> str:
    """Return the name of the observable that a colour lies on a point."""
    return f"{colour.word}{AT}{point.lower()}"


def _lying(bits: Iterable[int]) -> Callable[[int], int]:
    """Return a function that counts those of some bits that are 1."""
    mask = sum(1 << bit for bit in bits)
    return lambda outcome: (outcome & mask).bit_count()


@lru_cache(KEPT_POSITIONS)
def _positions(
    rules: BoardRules, size: int, options: Options, most_games: int, moves: tuple[Move, ...]
) -> tuple[Position, ...]:
    return tuple(positions(rules.begin(size, options, most_games), moves))


@lru_cache(KEPT_DISTRIBUTIONS)
def _distribution(game: BoardGame) -> Mapping[int, Number]:
    board: Superposition = game.position.board
    result: dict[int, Number] = {}
    points = [point for point, _ in game.touched]
    for stones, p in zip(board.stones[:, points].tolist(), board.probabilities(), strict=True):
        outcome = sum(stone << 2 * place for place, stone in enumerate(stones))
        result[outcome] = result.get(outcome, Fraction(0)) + p
    return result


KEYS = ("size", "moves", "most_games", "options")
MAX_MOVES = 2000


def board_from_toml(name: str, table: Mapping[str, Any], rules: BoardRules) -> BoardGame:
    """Read a game on a quantum board.

    Keys: `moves`, black's first, such as `["S+ E5 F5", "X E6"]`; `size`, lines of the board;
    `most_games` that may be superposed on classical computers; `[options]`.

    Raises:
        GameError: naming the offending key and value.
    """
    options = checked_options(table, KEYS, rules.name)
    size = whole_number("size", table.get("size", rules.usual_size), SMALLEST, LARGEST)
    return BoardGame(
        name=name,
        rules=rules,
        size=size,
        moves=tuple(_moves(table.get("moves"), size, rules)),
        options=Options.from_names(options),
        most_games=table.get("most_games", MAX_GAMES),
    )


for _rules in (FiveInARow(), Weiqi()):
    game_kind(_rules.name)(partial(board_from_toml, rules=_rules))


def _moves(moves: object, size: int, rules: BoardRules) -> list[Move]:
    if not isinstance(moves, list) or not 1 <= len(moves) <= MAX_MOVES:
        raise GameError(f"moves: give a list of 1 to {MAX_MOVES} moves, such as ['S+ E5 F5']")
    result = []
    for number, move in enumerate(moves, start=1):
        if not isinstance(move, str):
            raise GameError(f"move {number}: {str(move)[:40]!r} is no text such as 'S+ E5 F5'")
        with naming(f"move {number}"):
            result.append(read_move(move, size, passing=rules.passing))
    return result


def board_toml(game: BoardGame) -> str:
    """Return a game as the document that `board_from_toml` reads."""
    limit = {} if game.most_games == MAX_GAMES else {"most_games": game.most_games}
    moves = [move.written(game.size) for move in game.moves]
    options = game.options.changed()
    return toml_text(
        game.rules.name, {"size": game.size, **limit, "moves": moves, "options": options}
    )
