"""A seat's view of a match on a quantum board, and moves put together point by point."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from compiler.errors import GameError
from games.board.rules.moves import SHAPES, Kind, name_of, point_of, read_move
from games.board.rules.position import Position
from games.board.rules.superposition import Stone, asked_stones
from games.panels import Lines, Panel
from play.board.panels import board_panel, games_panel, turns_panel, written
from play.view import Draft, Sort, View

NTH = ("first", "second")


class Part(NamedTuple):
    """The role of one choice in a move.

    Args:
        stone: number of the stone, from 0 on.
        target: number of its point, from 0 on; None for its control.
        targets: number of its points.
    """

    stone: int
    target: int | None
    targets: int


@frozen
class Form:
    """The structure of a kind of moves.

    Args:
        kind: see `Kind`.
        signs: signs of the stones that are put on two points, in order.
        title: name of the sort for people.
        words: effect of the move.
    """

    kind: Kind
    signs: str
    title: str
    words: str

    @property
    def arms(self) -> tuple[int, ...]:
        """Number of targets of each stone; see `SHAPES`."""
        return SHAPES[self.kind].targets if self.kind in SHAPES else ()

    @property
    def asks(self) -> bool:
        """Return whether each stone follows a control."""
        return len(self.arms) == 2

    def parts(self) -> tuple[Part, ...]:
        """Return the choices in order."""
        return tuple(
            Part(stone, target, count)
            for stone, count in enumerate(self.arms)
            for target in [*[None] * self.asks, *range(count)]
        )

    def written(self, names: Sequence[str]) -> str:
        """Return a move, or the beginning of one, from its points."""
        if not self.arms:
            return " ".join([self.kind.value, *names])
        if not self.asks:
            return " ".join([f"{self.kind}{self.signs}", *names])
        texts, left, signs = [self.kind.value], list(names), list(self.signs)
        for count in self.arms:
            if left:
                control, *targets = left[: 1 + count]
                sign = signs.pop(0) if count == 2 else "-"
                texts.append(f"{control}{sign}{','.join(targets)}")
                left = left[1 + count :]
        return " ".join(texts)


FORMS = {
    "X": Form(Kind.PLACE, "", "Place", "a stone on a point"),
    "S+": Form(Kind.SUPERPOSE, "+", "Superpose +", "a stone on two points at once: first + second"),
    "S-": Form(Kind.SUPERPOSE, "-", "Superpose −", "a stone on two points at once: first − second"),
    "E": Form(Kind.ENTANGLE, "", "Entangle", "two stones, each where the opponent has one"),
    **{
        letter + "".join(signs): Form(
            kind,
            "".join(signs),
            f"{title} {''.join(signs)}".replace("-", "−"),
            f"as Entangle, {stones} on two points at once ({', '.join(signs)})",
        )
        for letter, kind, title, stones, count in (
            ("T", Kind.ENTANGLE_SPLIT, "Entangle and split", "the second stone", 1),
            ("F", Kind.SPLIT_SPLIT, "Split both", "both stones", 2),
        )
        for signs in product("+-", repeat=count)
    },
    "G": Form(Kind.GAME_WISE, "", "One point a game", "a point of its own for every game"),
    "pass": Form(Kind.PASS, "", "Pass", "no stone"),
}  # fmt: skip


def drafted(position: Position, tokens: Sequence[str]) -> Draft:
    """Return a move that is being put together.

    Args:
        position: position before the move.
        tokens: the sort of the move, one of `FORMS`, and the points so far: for every stone its
            control, if it has one, then its targets. Without any it is X.

    Raises:
        GameError: if one of them cannot be chosen there.
    """
    sort, *names = tokens or ("X",)
    sorts = list(_sorts(position))
    if sort not in sorts:
        raise GameError(f"unknown kind of move '{sort[:20]}': choose {', '.join(sorts)}")
    size, form = position.board.size, FORMS[sort]
    points: list[int] = []
    for name in names:
        point = point_of(name, size)
        # The last point is judged by the whole move below.
        if point not in _points(position, form, points):
            raise GameError(f"{name_of(point, size)} cannot be chosen now: choose another point")
        points.append(point)
    chosen = tuple(name_of(point, size) for point in points)
    sorts_ = tuple(Sort(name, FORMS[name].title, FORMS[name].words) for name in sorts)
    length, place = _length(position, form), len(points)
    if place == length:
        move = read_move(form.written(chosen), size)
        # A point that was not offered raises the error of the rules.
        position.after(move)
        return Draft(sorts_, sort, chosen, "", (), move.written(size), move.written(size))
    legal, refused = _points(position, form, points), ""
    if place == length - 1:
        legal, refused = _completing(position, form, chosen, legal)
    elif not legal:
        refused = "no point is left for it"
    return Draft(
        sorts_,
        sort,
        chosen,
        _prompt(position, form, place),
        tuple(name_of(point, size) for point in legal),
        form.written(chosen),
        "",
        place if form.kind is Kind.GAME_WISE else None,
        refused,
    )


def _completing(
    position: Position, form: Form, chosen: Sequence[str], points: Sequence[int]
) -> tuple[list[int], str]:
    """Return the points with which the rules allow the whole move, or why there are none."""
    disputed, size = position.rules.disputed(position), position.board.size
    ends, why = [], "no point is left for it"
    alike: str | None = None
    for point in points:
        # All points that the stones so far do not touch are alike.
        refusal = None if point in disputed else alike
        if refusal is None:
            refusal = ""
            try:
                position.after(read_move(form.written([*chosen, name_of(point, size)]), size))
            except GameError as error:
                refusal = str(error)
        if point not in disputed:
            alike = refusal
        if refusal:
            why = refusal
        else:
            ends.append(point)
    return ends, "" if ends else why


def _prompt(position: Position, form: Form, place: int) -> str:
    if form.kind is Kind.GAME_WISE:
        ordered = position.board.in_order()
        return f"point {place + 1} of {ordered.games}, in the game {written(ordered, place)}"
    part = form.parts()[place]
    if part.target is None:
        wanted = asked_stones(position.options.counter, position.colour)
        named = " or ".join(form_.word for form_ in wanted)
        stone = NTH[part.stone]
        return f"the control of the {stone} stone: a point that is {named} in some game"
    which = f"the {NTH[part.target]} point" if part.targets == 2 else "the point"
    if not form.asks:
        return which if part.targets == 2 else "a point"
    return f"{which} of the {NTH[part.stone]} stone"


def _sorts(position: Position) -> Iterator[str]:
    """Yield the sorts of moves that a position allows."""
    controls = len(_controls(position))
    for name, form in FORMS.items():
        if form.kind is Kind.PASS:
            possible = position.rules.passing
        elif form.kind is Kind.GAME_WISE:
            possible = position.options.scheme == "cwc" and position.board.games > 1
        else:
            possible = not form.asks or controls > 1
        if possible:
            yield name


def _length(position: Position, form: Form) -> int:
    return position.board.games if form.kind is Kind.GAME_WISE else len(form.parts())


def _controls(position: Position) -> list[int]:
    wanted = asked_stones(position.options.counter, position.colour)
    return np.flatnonzero(np.isin(position.board.stones, wanted).any(axis=0)).tolist()


def _points(position: Position, form: Form, chosen: Sequence[int]) -> list[int]:
    """Return the legal points of the next choice, as far as they are checked one by one."""
    place = len(chosen)
    if place >= _length(position, form):
        return []
    if form.kind is Kind.GAME_WISE:
        empty = position.board.in_order().stones[place] == Stone.EMPTY
        return np.flatnonzero(empty & ~position.rules.forbidden(position)).tolist()
    if form.parts()[place].target is None:
        points = _controls(position)
    else:
        points = np.flatnonzero(position.open_points).tolist()
    return [point for point in points if point not in chosen]


MAX_GAMES = 256
"""Games that JSON lists."""
COLOURS = ("black", "white")


@frozen(eq=False)
class BoardView(View):
    """A board and how it came to be; nothing is hidden.

    Args:
        seat: see `View`; 0 has black.
        to_move: see `View`.
        legal_moves: X on every point where it is allowed, and passing. Other moves are put
            together of these points and of controls.
        position: the current position.
    """

    seat: int | None
    to_move: tuple[int, ...]
    legal_moves: tuple[str, ...]
    position: Position

    def as_json(self, *, chances: bool = True) -> dict[str, Any]:
        """Return all of it; see `View`."""
        position = self.position
        board = position.board.in_order()
        size = board.size
        listed = board.first(MAX_GAMES)
        weights = listed.probabilities()
        games: list[dict[str, Any]] = []
        for game, weight in enumerate(weights):
            stones = listed.stones_in(game)
            shown: dict[str, Any] = {
                stone.word: [name_of(point, size) for point, lying in stones if lying is stone]
                for stone in (Stone.BLACK, Stone.WHITE)
            }
            if chances:
                probability = str(weight) if isinstance(weight, Fraction) else weight
                shown |= {"amplitude": listed.amplitude_text(game), "probability": probability}
            games.append(shown)
        return {
            "seat": self.seat,
            "to_move": list(self.to_move),
            "legal_moves": list(self.legal_moves),
            "question": self.question(),
            "size": size,
            "options": position.options.changed(),
            "moves": [
                {
                    "colour": turn.colour.word,
                    "move": turn.move.written(size),
                    "captured": [name_of(point, size) for point in turn.captured],
                }
                for turn in position.turns
            ],
            "games": board.games,
            "board": games,
            "over": position.end is not None,
            "end": position.end and position.end.reason,
        }

    def panels(self, *, chances: bool = True) -> Sequence[Panel]:
        """Return the board, its games and the moves; see `View`."""
        position = self.position
        end = [] if position.end is None else [Lines("The end", [position.end.reason])]
        counted = position.rules.standing(position) if chances and not end else ""
        return [
            board_panel(position.board, chances=chances),
            games_panel(position.board, chances=chances),
            turns_panel(position.turns, position.board.size),
            *([Lines("Count", [counted])] if counted else []),
            *end,
        ]

    def draft(self, chosen: Sequence[str]) -> Draft | None:
        """Return a move as far as it is put together; see `play.board.view`."""
        if self.seat is None or self.seat not in self.to_move:
            return None
        return drafted(self.position, chosen)

    def question(self) -> str:
        """Return the question to this seat; see `View`."""
        if self.seat is None or self.seat not in self.to_move:
            return ""
        passing = ", or pass" if self.position.rules.passing else ""
        return (
            f"you play {COLOURS[self.seat]}: E5 places a stone, S+ E5 F5 superposes it on two "
            f"points, E C3-G7 G4-G5 entangles two stones{passing}"
        )
