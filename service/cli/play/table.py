"""A person at the table: shown what they may see, asked for moves until the match is over."""

import sys
from collections.abc import Callable
from typing import Any

from attrs import define

from compiler.errors import InputError
from games.match import Match
from games.playing.measurements.oracle import Oracle
from games.playing.measurements.panels import look_panels, origin_panels
from games.playing.playable import Bot
from games.playing.tournament import steps
from service.cli.output.printing import coloured, printable, terminal_width
from service.cli.play.desk import HELP, QUIT, Desk
from service.cli.play.screen import drawn

PERSON = 0
"""The seat of whoever sits at the terminal; bots have the others."""
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
        """Go on until the match is over, or nobody says anything any more."""
        while True:
            # Step by step: what was measured is saved, also if what follows is interrupted.
            for now in steps(self.match, self.bots, self.seed, oracle=self.oracle):
                self.match = now
            self._show()
            if self.match.over:
                winners = " and ".join(f"player {seat}" for seat in self.match.winners)
                print(f"The match is over: {winners} won.", flush=True)
                return
            if not self._moved():
                return

    def _show(self) -> None:
        panels = [
            *self.match.view(PERSON).panels(chances=self.chances),
            *origin_panels(self.match.log),
            *look_panels(self.match, chances=self.chances),
        ]
        print(drawn(panels, terminal_width(), colour=coloured()), flush=True)

    def _moved(self) -> bool:
        """Ask until a move is possible; False at the end of the input."""
        view = self.match.view(PERSON)
        desk = Desk(view, self.chances, coloured())
        print(f"You are player {PERSON}: {view.question()} (help, quit)", flush=True)
        while True:
            print("> ", end="", flush=True)
            line = _read_line()
            if line is None:
                print()
                return False
            words = line.strip()
            if words.lower() in QUIT:
                return False
            if words.lower() in HELP:
                print(desk.help(), flush=True)
                continue
            reply = desk.answer(words)
            if reply is not None and not reply.move:
                print(reply.text, flush=True)
                continue
            try:
                self.match = self.match.play(PERSON, words if reply is None else reply.move)
            except InputError as error:
                print(printable(str(error)[:LONGEST_ANSWER]), flush=True)
                continue
            return True


def _read_line() -> str | None:
    """Return what was typed, None at the end of the input; bytes that are no text are replaced."""
    if sys.stdin is None or sys.stdin.closed:
        return None
    read: Callable[[int], bytes] = sys.stdin.buffer.readline
    line = read(LONGEST_LINE)
    return line.decode(errors="replace") if line else None
