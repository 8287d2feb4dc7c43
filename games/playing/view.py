"""What a seat may see of a match."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from games.playing.draft import Draft
from games.playing.panels import Panel


class View(ABC):
    """What a seat may see of a match, and nothing else: all that bots and pages get.

    Attributes:
        seat: whose view it is; None for somebody who only watches.
        to_move: the seats that move now, all at once; none while outcomes are waited for.
        legal_moves: of this seat, if it moves now.
    """

    seat: int | None
    to_move: tuple[int, ...]
    legal_moves: tuple[str, ...]

    @abstractmethod
    def as_json(self, *, chances: bool = True) -> dict[str, Any]:
        """Return all of it as JSON has it; fractions are strings.

        Args:
            chances: whether probabilities are in it.
        """

    @abstractmethod
    def panels(self, *, chances: bool = True) -> Sequence[Panel]:
        """Return pictures of it for people.

        Args:
            chances: whether probabilities are shown.
        """

    @abstractmethod
    def question(self) -> str:
        """Return what this seat is asked, in one line; empty if nothing."""

    def action_words(self, action: str) -> str:
        """Return what a button says that plays a piece.

        Args:
            action: what follows the piece in a move; empty if nothing does.
        """
        return f"Play with {action}" if action else "Play"

    def draft(self, chosen: Sequence[str]) -> Draft | None:
        """Return a move that this seat puts together choice by choice.

        Args:
            chosen: the choices so far; none for the usual beginning.

        Returns:
            None if the seat does not move now, or the game's moves are chosen as a whole.

        Raises:
            GameError: if one of the choices is not possible.
        """
        return None
