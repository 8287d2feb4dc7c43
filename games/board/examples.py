"""Games of the paper that have a name."""

from typing import Literal, get_args

from compiler.errors import GameError, meant
from games.board.game import BoardGame
from games.board.rules.five_in_a_row import FiveInARow
from games.board.rules.moves import read_move
from games.board.rules.position import Options
from games.board.rules.weiqi import Weiqi
from games.cost_table import listed
from games.game import game

FiveExample = Literal["appendix-b", "crossing", "x", "s", "e", "t", "f"]
WeiqiExample = Literal["fig10"]

SIZE = 9


def _moves(text: str) -> tuple[str, ...]:
    return tuple(text.split(", "))


FIVE = {
    "appendix-b": ("S+ E5 F5", "X E6", "S+ E4 F6", "X F4", "S+ D3 G7"),
    "crossing": _moves(
        "X C5, S+ J1 J3, X D5, S+ G1 G3, S+ F5 C2, E F5-A9 C2-A7, S+ G5 B2, X J9, X E4, X H9,"
        " X E6, X C9, S+ E7 H7, X D9, S- E3 H4, X A1, X E5"
    ),
    "x": ("X E5",),
    "s": ("S+ E5 F5",),
    "e": ("S+ E5 F5", "E E5-E6 F5-F6"),
    "t": ("S+ E5 F5", "T E5-E6 F5+F6,G6"),
    "f": ("S+ E5 F5", "F E5+E6,E7 F5+F6,G6"),
}
"""The game of Appendix B; one in which black has five in two lines that cross, each in a quarter of
the games; and the shortest games with each of the moves."""
FIG_10 = _moves(
    "S- C3 G4, E C3-G7 G4-G5, E G7-C7 G5-D3, E C7-G3 D3-H4, E G3-F7 H4-C7, E F7-F6 D3-G3,"
    " E F6-E7 H4-G7, E E7-E5 G7-F4"
)


@game("five-in-a-row")
def five_in_a_row(example: FiveExample = "appendix-b") -> BoardGame:
    """Return a game on 9 × 9.

    Args:
        example: `appendix-b`, the paper's, where eight games are superposed and no classical move
            helps white; `crossing`, in which black has five in some games; or a move (`x`, `s`,
            `e`, `t`, `f`), the last of the shortest game that has it.

    Raises:
        GameError: if there is no such example.

    References:
        Wu, Chen and Luo, Board games for quantum computers, 2021, equation B1.
    """
    _check("five-in-a-row", example, get_args(FiveExample))
    moves = tuple(read_move(move, SIZE) for move in FIVE[example])
    return BoardGame(f"five-in-a-row:{example}", FiveInARow(), SIZE, moves)


@game("weiqi")
def weiqi(example: WeiqiExample = "fig10") -> BoardGame:
    """Return the game of the paper's Figure 10, with the capture of equation 21.

    Some of its moves put stones where other games have one already.

    Args:
        example: which game of the paper.

    Raises:
        GameError: if there is no such example.

    References:
        Wu, Chen and Luo, Board games for quantum computers, 2021, equations 20 and 21.
    """
    _check("weiqi", example, get_args(WeiqiExample))
    moves = tuple(read_move(move, SIZE) for move in FIG_10)
    options = Options(targets="some", captures="x")
    return BoardGame(f"weiqi:{example}", Weiqi(), SIZE, moves, options)


def _check(game: str, example: str, examples: tuple[str, ...]) -> None:
    if example not in examples:
        raise GameError(f"{game}:{example}: no such example; {meant(example, examples)}")


listed.register("five-in-a-row:appendix-b")(("points",))
listed.register("weiqi:fig10")(("points",))
