"""What a person does at a terminal before a move: look at single games, put the move together."""

from collections.abc import Sequence

from attrs import define, frozen

from compiler.errors import GameError
from games.playing.boards import Board
from games.playing.panels import Panel
from games.playing.view import View
from service.cli.output.printing import terminal_width
from service.cli.play.screen import drawn

MOST_LISTED = 60
"""Choices, or moves, that are listed."""
HELP, QUIT = ("help", "?"), ("quit", "exit", "q")
TYPED_WHOLE = "in this game moves are typed whole, and none is taken back"
GAME_HELP = "next, previous, game 3 (one of the superposed games), all (of them together)"
DRAFT_HELP = (
    "a move may also be put together: its sort first, such as E, then point by point; undo takes "
    "back the last choice, undo all the whole draft, and play plays it"
)


@frozen
class Reply:
    """What comes of a line.

    Args:
        text: to be printed.
        move: to be played; empty for none.
    """

    text: str = ""
    move: str = ""


@define
class Desk:
    """One turn of a person.

    Args:
        view: of their seat.
        chances: whether probabilities are shown.
        colour: whether the terminal may be told colours.
    """

    view: View
    chances: bool
    colour: bool = False
    _game: int | None = None
    _words: tuple[str, ...] = ()

    def answer(self, line: str) -> Reply | None:
        """Return what comes of a line; None if it is to be played as it is."""
        words = line.split()
        match [word.lower() for word in words]:
            case ["next" | "previous" | "all"] | ["game", _]:
                return Reply(self._looked(words))
            case ["undo"] | ["undo", "all"]:
                return Reply(self._undone(words[1:]))
            case ["play"]:
                return self._played()
        return self._chosen(words)

    def help(self) -> str:
        """Return lines about moves, and about all that can be typed instead of one."""
        draft = self.view.draft(())
        sorts = [] if draft is None else [f"  {one.name:<5} {one.words}" for one in draft.sorts]
        return "\n".join(
            [
                f"Possible: {_listed(self.view.legal_moves)}.",
                f"Commands: {' or '.join(HELP)}; {' or '.join(QUIT)}, which leaves the match.",
                *[f"Games: {GAME_HELP}."] * bool(self._board()),
                *[f"Drafts: {DRAFT_HELP}."] * bool(sorts),
                *sorts,
            ]
        )

    def _looked(self, words: Sequence[str]) -> str:
        board = self._board()
        if board is None:
            return "this game has no superposed boards to look at one by one"
        count = len(board.layers)
        match words[0].lower():
            case "next":
                self._game = 0 if self._game is None else (self._game + 1) % count
            case "previous":
                self._game = ((self._game or 0) - 1) % count
            case "game":
                number = words[1]
                if not (number.isascii() and number.isdigit() and 1 <= int(number[:7]) <= count):
                    return f"'{number[:20]}' is no game; they are numbered from 1 to {count}"
                self._game = int(number) - 1
            case "all":
                self._game = None
        return self._picture(board if self._game is None else board.alone(self._game))

    def _undone(self, which: Sequence[str]) -> str:
        if self.view.draft(()) is None:
            return TYPED_WHOLE
        if not self._words:
            return "nothing is put together yet, so there is nothing to take back"
        self._words = () if which else self._words[:-1]
        return self._told()

    def _played(self) -> Reply:
        if self.view.draft(()) is None:
            return Reply(TYPED_WHOLE)
        draft = self.view.draft(self._words) if self._words else None
        if draft is None:
            return Reply("nothing is put together yet: begin with a sort of move, see help")
        return Reply(move=draft.move) if draft.move else Reply(self._told())

    def _chosen(self, words: Sequence[str]) -> Reply | None:
        start = self.view.draft(())
        if start is None or not words:
            return None
        sorts = {sort.name.lower(): sort.name for sort in start.sorts}
        begun = words[0].lower() in sorts
        if not begun and not self._words:
            return None
        asked = (sorts[words[0].lower()], *words[1:]) if begun else (*self._words, *words)
        try:
            draft = self.view.draft(asked)
        except GameError as error:
            # A move in one line is read, or refused, by the game itself.
            return None if begun else Reply(str(error))
        if draft is not None and draft.move and begun:
            return Reply(move=draft.move)
        self._words = draft.words if draft is not None else ()
        return Reply(self._told())

    def _told(self) -> str:
        draft = self.view.draft(self._words) if self._words else None
        if draft is None:
            return "The draft is empty."
        if draft.move:
            return f"{draft.move}: 'play' plays it, 'undo' takes back the last choice."
        if not draft.legal:
            return f"{draft.written}: {draft.refused}; undo, or begin another move."
        return f"{draft.written}: choose {draft.asked}. Possible: {_listed(draft.legal)}."

    def _board(self) -> Board | None:
        panels: Sequence[Panel] = self.view.panels(chances=self.chances)
        return next((panel for panel in panels if isinstance(panel, Board)), None)

    def _picture(self, board: Board) -> str:
        return drawn([board], terminal_width(), colour=self.colour)


def _listed(words: Sequence[str]) -> str:
    more = len(words) - MOST_LISTED
    return ", ".join(words[:MOST_LISTED]) + f" and {more} more" * (more > 0)
