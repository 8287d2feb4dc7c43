"""A player at the terminal: shown the view of the seat, and asked for moves until the end."""

import sys
from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Any

from attrs import define, frozen

from compiler.errors import GameError, InputError
from games.panels import Board, Panel
from play.match import Match
from play.measurement_panels import look_panels, origin_panels
from play.oracle import Oracle
from play.playable import Bot, playables
from play.tournament import steps
from play.view import View
from service.cli.output.printing import (
    coloured,
    erase_progress,
    printable,
    progress,
    terminal_width,
)
from service.cli.play.screen import drawn
from workers.logs import Interim

MAX_LISTED = 60
"""Choices, or moves, that are listed."""
QUIT = ("quit", "exit", "q")
NO_ADVICE = "there is no advice in this game"
TYPED_WHOLE = "in this game a move is one line, and cannot be undone"
GAME_HELP = "next, previous, game 3 (one of the superposed games), all (of them together)"
DRAFT_HELP = (
    "a move may also be entered in steps: its kind first, such as E, then point by point; undo "
    "removes the last choice, undo all removes every choice, and play plays the move"
)


@frozen
class Reply:
    """Answer to a line.

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
        rules: of the game.
        colour: whether the terminal may be told colours.
    """

    view: View
    chances: bool
    rules: Sequence[Panel]
    colour: bool = False
    _game: int | None = None
    _typed: tuple[str, ...] = ()

    def answer(self, line: str) -> Reply | None:
        """Return the answer to a line; None if it is to be played as it is."""
        tokens = line.split()
        match [word.lower() for word in tokens]:
            case ["next" | "previous" | "all"] | ["game", _]:
                return Reply(self._looked(tokens))
            case ["undo"] | ["undo", "all"]:
                return Reply(self._undone(tokens[1:]))
            case ["play"]:
                return self._played()
            case ["help" | "?" | "rules" | "moves" | "advice"]:
                return Reply(self._told_about(tokens[0].lower()))
        return self._chosen(tokens)

    def _told_about(self, topic: str) -> str:
        """Return the output of a command that changes nothing."""
        match topic:
            case "rules":
                return self._drawn(self.rules)
            case "moves":
                return f"Possible: {_listed(self.view.legal_moves)}."
            case "advice":
                return self._drawn(self.view.advice()) or NO_ADVICE
        return self._help()

    def _help(self) -> str:
        draft = self.view.draft(())
        sorts = (
            []
            if draft is None
            else [f"  {sort.name:<5} {sort.title}: {sort.words}" for sort in draft.sorts]
        )
        return "\n".join(
            [
                "Type a move, or a command:",
                "  help, ?  list the commands",
                "  rules    explain the game and its gates",
                "  moves    list the possible moves",
                *["  advice   show the value of each move"] * self.view.advises,
                f"  {', '.join(QUIT)}  leave the match, which --save saves",
                *[f"Games: {GAME_HELP}."] * bool(self._board()),
                *[f"Drafts: {DRAFT_HELP}."] * bool(sorts),
                *sorts,
            ]
        )

    def _looked(self, tokens: Sequence[str]) -> str:
        board = self._board()
        if board is None:
            return "this game has no superposed boards to look at one by one"
        count = len(board.layers)
        match tokens[0].lower():
            case "next":
                self._game = 0 if self._game is None else (self._game + 1) % count
            case "previous":
                self._game = ((self._game or 0) - 1) % count
            case "game":
                number = tokens[1]
                if not (number.isascii() and number.isdigit() and 1 <= int(number[:7]) <= count):
                    return f"'{number[:20]}' is no game; they are numbered from 1 to {count}"
                self._game = int(number) - 1
            case "all":
                self._game = None
        return self._drawn([board if self._game is None else board.alone(self._game)])

    def _undone(self, which: Sequence[str]) -> str:
        if self.view.draft(()) is None:
            return TYPED_WHOLE
        if not self._typed:
            return "no move is begun yet: nothing to undo"
        self._typed = () if which else self._typed[:-1]
        return self._draft_text()

    def _played(self) -> Reply:
        if self.view.draft(()) is None:
            return Reply(TYPED_WHOLE)
        draft = self.view.draft(self._typed) if self._typed else None
        if draft is None:
            return Reply("no move is begun yet: type its kind first, see help")
        return Reply(move=draft.move) if draft.move else Reply(self._draft_text())

    def _chosen(self, tokens: Sequence[str]) -> Reply | None:
        start = self.view.draft(())
        if start is None or not tokens:
            return None
        sorts = {sort.name.lower(): sort.name for sort in start.sorts}
        begun = tokens[0].lower() in sorts
        if not begun and not self._typed:
            return None
        draft_words = (sorts[tokens[0].lower()], *tokens[1:]) if begun else (*self._typed, *tokens)
        try:
            draft = self.view.draft(draft_words)
        except GameError as error:
            # A move in one line is read, or refused, by the game itself.
            return None if begun else Reply(str(error))
        if draft is not None and draft.move and begun:
            return Reply(move=draft.move)
        self._typed = draft.words if draft is not None else ()
        return Reply(self._draft_text())

    def _draft_text(self) -> str:
        draft = self.view.draft(self._typed) if self._typed else None
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

    def _drawn(self, panels: Sequence[Panel]) -> str:
        return drawn(panels, terminal_width(), colour=self.colour)


def _listed(moves: Sequence[str]) -> str:
    more = len(moves) - MAX_LISTED
    return ", ".join(moves[:MAX_LISTED]) + f" and {more} more" * (more > 0)


PERSON = 0
"""The seat of the player at the terminal; bots have the others."""
LONGEST_LINE = 1 << 22
"""Characters of a move: on a quantum board one may name a point for each of 2^20 games."""
LONGEST_ANSWER = 1000


@define
class Table:
    """A match at a terminal, or between pipes: a line is a move.

    Args:
        match: as it is.
        bots: by seat.
        seed: of the measurements and of the bots' chance.
        chances: whether probabilities are shown.
        oracle: measures.
    """

    match: Match[Any]
    bots: dict[int, Bot[Any]]
    seed: int
    chances: bool
    oracle: Oracle

    def play(self) -> None:
        """Go on until the match or the input is over."""
        while True:
            # Step by step: a measurement is saved, also if the next step is interrupted.
            for now in steps(self.match, self.bots, self.seed, oracle=self.oracle):
                self.match = now
                if PERSON not in now.to_move and now.to_move:
                    progress(Interim(f"player {now.to_move[0]} chooses a move"))
            self._show()
            if self.match.over:
                print(self.match.result, flush=True)
                return
            if not self._moved():
                return

    def _show(self) -> None:
        panels = [
            *self.match.view(PERSON).panels(chances=self.chances),
            *origin_panels(self.match.log),
            *look_panels(self.match, chances=self.chances),
        ]
        erase_progress()
        print(drawn(panels, terminal_width(), colour=coloured()), flush=True)

    def _moved(self) -> bool:
        """Ask until a move is possible; False at the end of the input."""
        view = self.match.view(PERSON)
        rules = playables[self.match.game].rules.panels()
        desk = Desk(view, self.chances, rules, coloured())
        prompt = ", ".join(filter(None, [view.question(), view.notation()]))
        print(
            fill(f"You are player {PERSON}: {prompt} (help, rules, quit)", terminal_width()),
            flush=True,
        )
        while True:
            print("> ", end="", flush=True)
            line = _read_line()
            if line is None:
                print()
                return False
            text = line.strip()
            if text.lower() in QUIT:
                return False
            reply = desk.answer(text)
            if reply is not None and not reply.move:
                print(reply.text, flush=True)
                continue
            try:
                self.match = self.match.play(PERSON, text if reply is None else reply.move)
            except InputError as error:
                print(fill(printable(str(error)[:LONGEST_ANSWER]), terminal_width()), flush=True)
                continue
            return True


def _read_line() -> str | None:
    """Return the input line, None at the end of the input; invalid bytes are replaced."""
    if sys.stdin is None or sys.stdin.closed:
        return None
    read: Callable[[int], bytes] = sys.stdin.buffer.readline
    line = read(LONGEST_LINE)
    return line.decode(errors="replace") if line else None
