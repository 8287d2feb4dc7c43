"""Five in a Row: the first colour with five in a row in any of the games wins."""

from attrs import frozen

from games.board.rules.groups import in_a_row
from games.board.rules.position import BoardRules, End, Position

LENGTH = 5


@frozen
class FiveInARow(BoardRules):
    """Five or more stones of a colour in a row, a column or a diagonal, in any game."""

    name = "five-in-a-row"
    title = "Five in a Row"
    usual_size = 15

    def end(self, position: Position) -> End | None:
        """Return the end with its winner; if both colours have five, the mover wins."""
        board = position.board
        mover = position.colour.other
        for colour in (mover, mover.other):
            games = int(in_a_row(board, colour, LENGTH).sum())
            if games:
                of = f"{games} of {board.games} games" if board.games > 1 else "the game"
                return End(colour, f"{colour.word} has five in a row in {of}")
        if not position.open_points.any() and position.game_wise() is None:
            return End(None, "no point is left: a draw")
        if self.is_too_long(position):
            return End(None, f"{len(position.turns)} moves without five in a row: a draw")
        return None
