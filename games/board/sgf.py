"""Matches on boards as SGF, the format of records of Go and of five in a row.

`B` and `W` are classical moves, which any other program shows. All other moves are properties of
our own: `QB` and `QW`, as people write them; `QO` has the options of the rules, and `QM` the most
games that may be superposed.

References:
    Arno Hollosi, SGF file format FF[4], https://www.red-bean.com/sgf/.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from string import ascii_lowercase
from typing import Any

from sgfmill.sgf_grammar import (
    Coarse_game_tree,
    parse_sgf_game,
    serialise_game_tree,
    tokenise,
)
from sgfmill.sgf_properties import interpret_go_point, serialise_go_point

from compiler.errors import GameError, naming
from games.board.game import BoardGame
from games.board.rules.five_in_a_row import FiveInARow
from games.board.rules.moves import Kind, Move, name_of, read_move
from games.board.rules.position import MAX_EXACT, MAX_GAMES, BoardRules, Options, Position
from games.board.rules.superposition import Stone
from games.board.rules.weiqi import Weiqi
from games.game import game_file

RULES = {rules.name: rules for rules in (Weiqi(), FiveInARow())}
SGF_GAMES = {"weiqi": "1", "five-in-a-row": "4"}
"""SGF number of each game; a record without a number is Go."""
SETUP = ("AB", "AW", "AE")
CLASSICAL = {"B": Stone.BLACK, "W": Stone.WHITE}
QUANTUM = {"QB": Stone.BLACK, "QW": Stone.WHITE}
RESULTS = {None: "0", Stone.BLACK: "B+", Stone.WHITE: "W+"}
APPLICATION = "Stichwerk"
UNFINISHED = "unexpected end of SGF data"
LONGEST_VALUE = 40

Node = Mapping[str, list[bytes]]


Limited = Callable[[Mapping[str, Any]], dict[str, Any]]


@game_file(".sgf")
def game_from_sgf(content: bytes, name: str) -> BoardGame:
    """Return the game of a record; see `read_sgf`."""
    return BoardGame.of(name, read_sgf(content, name))


def read_sgf(content: bytes, name: str, limited: Limited = dict) -> Position:
    """Return the last position of a record's main line; variations are passed over.

    Args:
        content: content of the file.
        name: name of the file.
        limited: adds limits to `size`, `options` and `most_games`.

    Raises:
        GameError: naming the file, the place and the mistake.
    """
    with naming(name):
        return _last_position(content, limited)


def _last_position(content: bytes, limited: Limited) -> Position:
    nodes = list(_main_line(_tree(content)))
    rules, setup = _root(nodes[0])
    size, setup = setup["size"], limited(setup)
    position = rules.begin(
        setup["size"],
        Options.from_names(setup["options"]),
        setup.get("most_games", MAX_GAMES),
        setup.get("most_exact", MAX_EXACT),
    )
    for number, node in enumerate(nodes):
        for colour, text in _moves(node, number, size):
            with naming(f"node {number}"):
                if colour is not position.colour and position.end is None:
                    mover, other = position.colour.word, colour.word
                    raise GameError(f"it is the turn of {mover}, not {other}")
                move = read_move(text, size, passing=position.rules.passing)
                position = position.after(move)
    return position


def write_sgf(position: Position) -> bytes:
    """Return the record of a game so far."""
    size, limit, end = position.board.size, position.most_games, position.end
    root = {
        "FF": ["4"],
        "GM": [SGF_GAMES[position.rules.name]],
        "CA": ["UTF-8"],
        "AP": [APPLICATION],
        "SZ": [str(size)],
        "QO": [f"{name}:{value}" for name, value in position.options.changed().items()],
        "QM": [str(limit)] if limit != MAX_GAMES else [],
        "RE": [RESULTS[end.winner]] if end else [],
    }
    tree = Coarse_game_tree()
    tree.sequence.append(
        {name: [value.encode() for value in values] for name, values in root.items() if values}
    )
    tree.sequence += [_written(turn.colour, turn.move, size) for turn in position.turns]
    return serialise_game_tree(tree)


def _root(node: Node) -> tuple[BoardRules, dict[str, Any]]:
    """Return the rules of the first node, and the setup of a match."""
    number = _value(node, "GM", "1")
    game = next((name for name, named in SGF_GAMES.items() if named == number), None)
    if game is None:
        games = ", ".join(f"GM[{number}] ({name})" for name, number in SGF_GAMES.items())
        raise GameError(f"node 0: GM[{number}] is no game that is played here; known: {games}")
    setup: dict[str, Any] = {
        "size": _whole_number(_value(node, "SZ", str(RULES[game].usual_size)), "SZ"),
        "options": dict(_options(node.get("QO", ()))),
    }
    if "QM" in node:
        setup["most_games"] = _whole_number(_value(node, "QM", ""), "QM")
    return RULES[game], setup


def _tree(content: bytes) -> Coarse_game_tree:
    """Return the first game of a collection.

    Raises:
        GameError: naming the line and column of the first error.
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
    """Return the number of bytes that parse before an error."""
    ends = range(1, len(content))
    return bisect_left(ends, True, key=lambda end: not _may_go_on(content[:end]))


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


def _moves(node: Node, number: int, size: int) -> Iterator[tuple[Stone, str]]:
    """Yield colours and their moves."""
    for name in SETUP:
        if name in node:
            raise GameError(
                f"node {number}: {name} sets stones, as for a handicap; a match here begins on an "
                "empty board, so take them out or give a record without them"
            )
    for name, values in node.items():
        colour = CLASSICAL.get(name, QUANTUM.get(name))
        if colour is None:
            continue
        if len(values) > 1:
            raise GameError(f"node {number}: {name} is there {len(values)} times: one move a node")
        text = _text(values[0])
        yield colour, text if name in QUANTUM else _classical(text, f"node {number}, {name}", size)


def _classical(text: str, where: str, size: int) -> str:
    try:
        point = interpret_go_point(text.encode(), size)
    except ValueError as error:
        raise GameError(
            f"{where}[{text[:LONGEST_VALUE]}]: no point of a board of {size} lines; its points are "
            f"aa to {2 * ascii_lowercase[size - 1]}"
        ) from error
    return "pass" if point is None else name_of(point[0] * size + point[1], size)


def _written(colour: Stone, move: Move, size: int) -> dict[str, list[bytes]]:
    letter = "B" if colour is Stone.BLACK else "W"
    if move.kind is Kind.PASS:
        return {letter: [b""]}
    if move.kind is Kind.PLACE:
        return {letter: [serialise_go_point(divmod(move.points[0], size), size)]}
    return {f"Q{letter}": [move.written(size).encode()]}


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
