"""A match on a quantum board."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Self, cast

from attrs import evolve, frozen

from compiler.errors import GameError
from compiler.program import Program
from games.board.game import AT, BoardGame, board_toml
from games.board.rules.five_in_a_row import FiveInARow
from games.board.rules.moves import Kind, Move, read_move
from games.board.rules.position import MAX_EXACT, MAX_GAMES, BoardRules, Options, Position
from games.board.rules.superposition import Stone
from games.board.rules.weiqi import Weiqi
from games.board.sgf import read_sgf, write_sgf
from games.encoding import encoded
from games.panels import Panel
from play.board.bots import GreedyBot, QuantumBot, RandomBot, ThreatBot
from play.board.panels import look_panel
from play.board.view import BoardView
from play.match import Match
from play.match_log import Entry, Look, Looked, Moved, Seen
from play.playable import Limited, MatchFormat, Playable, number_in, playable, read_setup
from play.rules import GameRules, GateRule, gate_picture

BLACK, NOBODY = 0, Fraction(1, 2)


@frozen(eq=False)
class BoardMatch(Match[BoardView]):
    """A match at some moment; seat 0 is Bob, who has black and begins, seat 1 Alice.

    Nothing is hidden, and nothing is measured: the state is known exactly from the moves.

    Args:
        position: the current position.
        seed: seed of the bots.
        log: see `Match`.
    """

    seats: ClassVar[int] = 2  # type: ignore[misc]
    position: Position
    seed: int = 0
    log: tuple[Entry, ...] = ()

    @property
    def game(self) -> str:  # type: ignore[override]
        """Name of the game."""
        return self.position.rules.name

    def setup(self) -> dict[str, Any]:
        """Return seats, seed, size, and the options that differ from the default."""
        position = self.position
        limits = {"most_games": position.most_games, "most_exact": position.most_exact}
        usual = {"most_games": MAX_GAMES, "most_exact": MAX_EXACT}
        return {
            "seats": self.seats,
            "seed": self.seed,
            "size": position.board.size,
            "options": position.options.changed(),
            **dict(limits.items() - usual.items()),
        }

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seat to move; see `Match`."""
        return () if self.over else (_seat(self.position.colour),)

    def legal_moves(self, seat: int) -> Iterator[str]:
        """Yield X on every point where it is allowed, and passing; other moves are too many.

        Where nothing else is left, it is one that names a point for every game.
        """
        if seat not in self.to_move:
            return
        size = self.position.board.size
        open_ = self.position.open_points.copy()
        open_[list(self.position.rules.refused(self.position))] = False
        for point in open_.nonzero()[0]:
            yield Move(Kind.PLACE, (int(point),)).written(size)
        if self.position.rules.passing:
            yield "pass"
        elif not open_.any() and (last := self.position.game_wise()) is not None:
            yield last.written(size)

    def play(self, seat: int, move: str) -> Self:
        """Return the match after a move; see `Match`."""
        self.check_turn(seat)
        read = self._read(move)
        written = Moved(seat, read.written(self.position.board.size))
        return evolve(self, position=self.position.after(read), log=(*self.log, written))

    def canonical(self, move: str) -> str:
        """Return a move as the log has it; see `Match`."""
        return self._read(move).written(self.position.board.size)

    def _read(self, move: str) -> Move:
        return read_move(move, self.position.board.size, passing=self.position.rules.passing)

    def view(self, seat: int | None) -> BoardView:
        """Return everything; see `Match`."""
        self.check_seat(seat)
        legal = () if seat is None else tuple(self.legal_moves(seat))
        return BoardView(seat, self.to_move, legal, self.position)

    def fixed(self, name: str) -> BoardGame:
        """Return the match so far as a game with fixed moves; see `Match`."""
        return BoardGame.of(name, self.position)

    def program(self) -> Program:
        """Return the moves so far as a circuit; see `Match`.

        Raises:
            InputError: if there is no stone yet, or not all moves and captures are gates.
        """
        return encoded(self.fixed(f"{self.game}-match"))

    def file(self) -> str:
        """Return the match so far as a file of its moves; see `Match`.

        Raises:
            GameError: if there is no move yet.
        """
        if not self.log:
            raise GameError("no stone has been put yet, so there is no program: play on")
        return board_toml(self.fixed(self.game))

    @property
    def unseen(self) -> bool:
        """Return whether a quantum computer holds moves without a look at them; see `Match`."""
        if self.position.options.scheme != "cqc" or not self.log:
            return False
        return not isinstance(self.log[-1], Looked)

    def listed(self, look: Look) -> list[Seen]:
        """Return the observables that are about no single point, such as ⟨C⟩; see `Match`."""
        return [item for item in look.seen if AT not in item.name]

    def look_panels(self, look: Look) -> list[Panel]:
        """Return the measured board; see `Match`."""
        return [look_panel(look, self.position.board.size)]

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.position.end is not None

    @property
    def points(self) -> tuple[Fraction, ...]:
        """1 for the winner, 0 for the other; a half each before the end, and of a draw."""
        end = self.position.end
        if end is None or end.winner is None:
            return (NOBODY, NOBODY)
        return tuple(Fraction(_seat(end.winner) == seat) for seat in range(self.seats))


def _seat(colour: Stone) -> int:
    return BLACK if colour is Stone.BLACK else 1


MORE = ("size", "most_games", "most_exact")
"""Keys of a setup, besides the common ones."""
SEATS = 2
SERVED_GAMES = 64
SERVED_EXACT = 4096
"""Games that may be superposed in a match of strangers, all of whose moves a server works out."""
FIVE_OPTIONS = {
    "size": ("15", "9", "13", "19"),
    **{name: values for name, values in Options.choices().items() if name != "captures"},
}
WEIQI_OPTIONS = {"size": ("9", "13", "15", "19"), **Options.choices()}


def match_from_sgf(content: bytes, name: str, seed: int = 0, limited: Limited = dict) -> BoardMatch:
    """Return the match of a record; see `MatchFormat`."""
    position = read_sgf(content, name, limited)
    size = position.board.size
    log = [Moved(_seat(turn.colour), turn.move.written(size)) for turn in position.turns]
    return BoardMatch(position, seed, tuple(log))


GATES = (
    GateRule("Place", "A stone on one point, in all games.", gate_picture("X", "point")),
    GateRule("Superpose ±", "A stone on two points in superposition: every game becomes two, and "
             "− changes the sign of the second.", gate_picture("S±", "first", "second")),
    GateRule("Entangle", "Two stones, each only in the games in which the other player has a stone "
             "on its control point.", gate_picture("CNOT", "control", "point")),
    GateRule("Entangle and split ±", "Like Entangle, with the second stone on two points at once.",
             gate_picture("D±", "control", "first", "second")),
    GateRule("Split both ±±", "Like Entangle, with both stones on two points at once.",
             gate_picture("D±", "control", "first", "second")),
)  # fmt: skip
TURN = (
    "A move puts a stone on one point, on two points in superposition, or on a point that depends "
    "on the other player's stones. The resulting games continue together, with the same moves."
)
PAPER = "Wu, Chen and Luo, Board games for quantum computers, Sci. China Inf. Sci. 64, 122501, 2021"
LINK = "https://doi.org/10.1007/s11432-020-3038-x"
NAMES = {
    "scheme": "board",
    "cwc": "on classical computers, which count the games",
    "cqc": "on a quantum computer",
    "targets": "a point must be empty",
    "every": "in every game",
    "some": "in some game",
    "counter": "a control needs",
    "opponent": "a stone of the other player",
    "any": "any stone",
    "empty": "no stone",
    "all": "captured stones leave all games",
    "x": "captures are X on these points in all games",
    "game": "captured stones leave the games they are captured in",
}


class BoardPlayable(Playable[BoardView]):
    """A game of two on a quantum board; `size` is one of the options on a form."""

    seats = (SEATS, SEATS, SEATS)
    names = NAMES
    formats = {  # noqa: RUF012
        ".sgf": MatchFormat(
            "SGF, the format of Go",
            "application/x-go-sgf",
            lambda match: write_sgf(cast(BoardMatch, match).position),
            match_from_sgf,
        )
    }
    board_rules: BoardRules

    def start(self, setup: Mapping[str, Any]) -> BoardMatch:
        """Return a match on an empty board.

        Args:
            setup: `seats`, `seed`, `options` (among them `size`), `size`, `most_games` and
                `most_exact`; see `Position`.

        Raises:
            GameError: naming the invalid key or value.
        """
        options = read_setup(setup, self.seats, MORE)
        chosen = number_in(options.options.pop("size", self.options["size"][0]))
        position = self.board_rules.begin(
            setup.get("size", chosen),
            Options.from_names(options.options, besides=("size",)),
            setup.get("most_games", MAX_GAMES),
            setup.get("most_exact", MAX_EXACT),
        )
        return BoardMatch(position, options.seed)

    def served(self, setup: Mapping[str, Any]) -> dict[str, Any]:
        """Let fewer games be superposed; see `Playable`."""
        limits = {"most_games": SERVED_GAMES, "most_exact": SERVED_EXACT}
        fewer = {name: min(most, setup.get(name, most)) for name, most in limits.items()}
        return {**setup, **fewer}


@playable("five-in-a-row")
class FivePlayable(BoardPlayable):
    """Five in a row in any game wins."""

    title = "Quantum Five in a Row"
    rules = GameRules("Have five in a row in any superposed game.", TURN, PAPER, LINK, GATES)
    board_rules = FiveInARow()
    options = FIVE_OPTIONS
    bots = {"random": RandomBot, "threats": ThreatBot, "quantum": QuantumBot}  # noqa: RUF012
    usual_bot = "threats"


@playable("weiqi")
class WeiqiPlayable(BoardPlayable):
    """Black needs more than half of the points on average, when both have passed."""

    title = "Quantum Weiqi (Go)"
    rules = GameRules(
        "When both players have passed, black wins with more than half of the board, on average "
        "over the superposed games. Black begins.",
        TURN, PAPER, LINK, GATES,
    )  # fmt: skip
    board_rules = Weiqi()
    options = WEIQI_OPTIONS
    bots = {"random": RandomBot, "greedy": GreedyBot}  # noqa: RUF012
    usual_bot = "greedy"
