"""Matches on boards as SGF, the format of records of Go and of five in a row.

`B` and `W` are classical moves, which any other program shows. All other moves are properties of
our own: `QB` and `QW`, as people write them; `QO` has the options of the rules, and `QM` the most
games that may be superposed.

References:
    Arno Hollosi, SGF file format FF[4], https://www.red-bean.com/sgf/.
"""

from collections.abc import Iterator, Mapping
from string import ascii_lowercase
from typing import Any

from attrs import frozen
from sgfmill.sgf_grammar import (
    Coarse_game_tree,
    parse_sgf_game,
    serialise_game_tree,
    tokenise,
)

from compiler.errors import GameError
from games.board.match import BoardMatch
from games.board.rules.moves import Kind, Move, name_of
from games.board.rules.superposition import Stone
from games.board.view import COLOURS
from games.match import Match
from games.playing.formats import Limited, MatchFormat, match_format
from games.playing.playable import playables

SGF_GAMES = {"weiqi": "1", "five-in-a-row": "4"}
"""What SGF calls each game; no number is Go."""
SIZES = {"weiqi": 19, "five-in-a-row": 15}
"""Lines of a board of which a record does not tell them."""
SETUP = ("AB", "AW", "AE")
CLASSICAL = {"B": 0, "W": 1}
QUANTUM = {"QB": 0, "QW": 1}
LARGEST_PASS = 19
"""Up to this size `tt` is a pass."""
APPLICATION = "Stichwerk"
UNFINISHED = "unexpected end of SGF data"
LONGEST_VALUE = 40

Node = Mapping[str, list[bytes]]


@match_format(".sgf")
class Sgf(MatchFormat):
    """The main line of a record; variations, and what else it tells, are passed over."""

    title = "SGF, the format of Go"
    kind = "application/x-go-sgf"
    games = tuple(SGF_GAMES)

    def read(self, content: bytes, seed: int = 0, limited: Limited = dict) -> Match[Any]:
        """Return a match; see `MatchFormat`."""
        nodes = list(_main_line(_tree(content)))
        root = _Root.of(nodes[0])
        match: Match[Any] = playables[root.game].start(limited({**root.setup(), "seed": seed}))
        for number, node in enumerate(nodes):
            for seat, move in _moves(node, number, root.size):
                if seat not in match.to_move and not match.over:
                    mover, other = COLOURS[1 - seat], COLOURS[seat]
                    raise GameError(f"node {number}: it is the turn of {mover}, not {other}")
                try:
                    match = match.play(seat, move)
                except GameError as error:
                    raise GameError(f"node {number}: {error}") from error
        return match

    def write(self, match: Match[Any]) -> bytes:
        """Return the file; see `MatchFormat`."""
        assert isinstance(match, BoardMatch)
        position = match.position
        size = position.board.size
        root = {"FF": "4", "GM": SGF_GAMES[match.game], "CA": "UTF-8", "AP": APPLICATION}
        tree = Coarse_game_tree()
        setup = match.setup()
        tree.sequence.append(
            {
                **{name: [value.encode()] for name, value in root.items()},
                "SZ": [str(size).encode()],
                **_if_any("QO", [f"{name}:{value}" for name, value in setup["options"].items()]),
                **_if_any("QM", [str(setup["most_games"])] if "most_games" in setup else []),
                **_if_any("RE", [_result(match)] if match.over else []),
            }
        )
        tree.sequence += [_written(turn.colour, turn.move, size) for turn in position.turns]
        return serialise_game_tree(tree)


@frozen
class _Root:
    """What the first node tells."""

    game: str
    size: int
    options: Mapping[str, str]
    most_games: int | None

    @classmethod
    def of(cls, node: Node) -> "_Root":
        number = _value(node, "GM", "1")
        game = next((name for name, named in SGF_GAMES.items() if named == number), None)
        if game is None:
            known = ", ".join(f"GM[{number}] ({name})" for name, number in SGF_GAMES.items())
            raise GameError(f"node 0: GM[{number}] is no game that is played here; known: {known}")
        return cls(
            game,
            _whole_number(_value(node, "SZ", str(SIZES[game])), "SZ"),
            dict(_options(node.get("QO", ()))),
            _whole_number(_value(node, "QM", ""), "QM") if "QM" in node else None,
        )

    def setup(self) -> dict[str, Any]:
        """Return it as `Playable.start` takes it."""
        limit = {} if self.most_games is None else {"most_games": self.most_games}
        return {"size": self.size, "options": dict(self.options), **limit}


def _tree(content: bytes) -> Coarse_game_tree:
    """Return the first game of a collection.

    Raises:
        GameError: saying in which line and column it stops making sense.
    """
    try:
        return parse_sgf_game(content)
    except ValueError as error:
        if not tokenise(content)[0]:
            raise GameError("line 1, column 1: no SGF: a record begins with '(;'") from error
        at = _where(content) if str(error) != UNFINISHED else tokenise(content)[1]
        before = content[:at]
        line, column = before.count(b"\n") + 1, at - (before.rfind(b"\n") + 1) + 1
        raise GameError(f"line {line}, column {column}: no SGF: {error}") from error


def _where(content: bytes) -> int:
    """Return how many bytes can be read before it is clear that they are no SGF."""
    least, most = 0, len(content)
    while most - least > 1:
        middle = (least + most) // 2
        if _may_go_on(content[:middle]):
            least = middle
        else:
            most = middle
    return least


def _may_go_on(content: bytes) -> bool:
    try:
        parse_sgf_game(content)
    except ValueError as error:
        return str(error) == UNFINISHED or not tokenise(content)[0]
    return True


def _main_line(tree: Coarse_game_tree) -> Iterator[Node]:
    yield from tree.sequence
    while tree.children:
        tree = tree.children[0]
        yield from tree.sequence


def _moves(node: Node, number: int, size: int) -> Iterator[tuple[int, str]]:
    """Yield seats and what they play."""
    for name in SETUP:
        if name in node:
            raise GameError(
                f"node {number}: {name} sets stones, as for a handicap; a match here begins on an "
                "empty board, so take them out or give a record without them"
            )
    for name, values in node.items():
        seat = CLASSICAL.get(name, QUANTUM.get(name))
        if seat is None:
            continue
        if len(values) > 1:
            raise GameError(f"node {number}: {name} is there {len(values)} times: one move a node")
        text = _text(values[0])
        yield seat, text if name in QUANTUM else _classical(text, f"node {number}, {name}", size)


def _classical(text: str, where: str, size: int) -> str:
    if not text or (text == "tt" and size <= LARGEST_PASS):
        return "pass"
    letters = ascii_lowercase[:size]
    if len(text) != 2 or not set(text) <= {*letters}:
        raise GameError(
            f"{where}[{text[:LONGEST_VALUE]}]: no point of a board of {size} lines; its points are "
            f"aa to {2 * letters[-1]}"
        )
    column, row = (letters.index(letter) for letter in text)
    return name_of(column + size * (size - 1 - row), size)


def _written(colour: Stone, move: Move, size: int) -> dict[str, list[bytes]]:
    letter = "B" if colour is Stone.BLACK else "W"
    if move.kind is Kind.PASS:
        return {letter: [b""]}
    if move.kind is Kind.PLACE:
        row, column = divmod(move.points[0], size)
        return {letter: [(ascii_lowercase[column] + ascii_lowercase[size - 1 - row]).encode()]}
    return {f"Q{letter}": [move.written(size).encode()]}


def _result(match: BoardMatch) -> str:
    end = match.position.end
    if end is None or end.winner is None:
        return "0"
    return "B+" if end.winner is Stone.BLACK else "W+"


def _if_any(name: str, values: list[str]) -> dict[str, list[bytes]]:
    return {name: [value.encode() for value in values]} if values else {}


def _options(values: list[bytes] | tuple[()]) -> Iterator[tuple[str, str]]:
    for value in map(_text, values):
        name, colon, chosen = value.partition(":")
        if not colon:
            raise GameError(f"node 0: QO[{value[:LONGEST_VALUE]}]: write name:value")
        yield name, chosen


def _value(node: Node, name: str, usual: str) -> str:
    return _text(node[name][0]) if name in node else usual


def _whole_number(text: str, name: str) -> int:
    # A square board may also be written 9:9.
    first, colon, second = text.partition(":")
    if colon and first != second:
        raise GameError(f"node 0: {name}[{text[:LONGEST_VALUE]}]: only square boards are played")
    if not (first.isascii() and first.isdigit() and len(first) < 8):
        raise GameError(f"node 0: {name}[{text[:LONGEST_VALUE]}] is no whole number")
    return int(first)


def _text(value: bytes) -> str:
    return " ".join(value.decode(errors="replace").split())
