"""A move that is put together choice by choice, before anybody plays it."""

from collections.abc import Sequence

from attrs import frozen


@frozen
class Sort:
    """A sort of moves.

    Args:
        name: the first choice of such a move.
        words: what it does.
    """

    name: str
    words: str


@frozen
class Draft:
    """A part of a move, and what may come next in it.

    Args:
        sorts: of moves that there are now.
        sort: which of them this is.
        chosen: what has been chosen since, in order.
        asked: what is to be chosen next, in words; empty if nothing is left.
        legal: what may be chosen next; nothing else leads to a move.
        written: the part as it is written.
        move: the whole move, once nothing is left to choose; else empty.
        layer: the number of the game that the next choice is about; None for all of them.
        refused: why nothing may be chosen though something is asked; else empty.
    """

    sorts: Sequence[Sort]
    sort: str
    chosen: tuple[str, ...]
    asked: str
    legal: tuple[str, ...]
    written: str
    move: str
    layer: int | None = None
    refused: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """All choices, as `games.playing.view.View.draft` takes them."""
        return (self.sort, *self.chosen)
