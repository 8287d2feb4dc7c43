"""Games of the paper that have a name."""

from typing import Literal, get_args

from compiler.errors import GameError
from games.board.game import BoardGame
from games.board.rules.five_in_a_row import FiveInARow
from games.board.rules.moves import read_move
from games.board.rules.options import Options
from games.board.rules.weiqi import Weiqi
from games.cost_table import listed
from games.game import game

FiveExample = Literal["appendix-b"]
WeiqiExample = Literal["fig10"]

SIZE = 9
APPENDIX_B = ("S+ E5 F5", "X E6", "S+ E4 F6", "X F4", "S+ D3 G7")
FIG_10 = (
    "S- C3 G4",
    "E C3-G7 G4-G5",
    "E G7-C7 G5-D3",
    "E C7-G3 D3-H4",
    "E G3-F7 H4-C7",
    "E F7-F6 D3-G3",
    "E F6-E7 H4-G7",
    "E E7-E5 G7-F4",
)


@game("five-in-a-row")
def five_in_a_row(example: FiveExample = "appendix-b") -> BoardGame:
    """Return the game of the paper's Appendix B: eight games, and no classical move helps white.

    Args:
        example: which game of the paper.

    Raises:
        GameError: if there is no such example.

    References:
        Wu, Chen and Luo, Board games for quantum computers, 2021, equation B1.
    """
    _check("five-in-a-row", example, get_args(FiveExample))
    moves = tuple(read_move(move, SIZE) for move in APPENDIX_B)
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


def _check(game: str, example: str, known: tuple[str, ...]) -> None:
    if example not in known:
        raise GameError(f"{game}:{example}: no such example; known: {', '.join(known)}")


listed.register("five-in-a-row:appendix-b")(("points",))
listed.register("weiqi:fig10")(("points",))
