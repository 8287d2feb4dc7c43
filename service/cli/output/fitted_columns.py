"""Making a table as narrow as the terminal."""

from collections.abc import Sequence

from attrs import evolve, frozen

FRAME, FRAME_OF_A_COLUMN = 1, 3
"""Characters that a table takes beside its cells: its left edge, and what each column adds."""


@frozen
class Column:
    """A column of short texts, one a row.

    Args:
        name: its heading.
        cells: one a row; numbers are never cut.
        least: the width down to which texts may be cut; None if they may not.
        dispensable: whether the column may go where there is no room; those further to the
            right go first.
    """

    name: str
    cells: Sequence[object]
    least: int | None = None
    dispensable: bool = False

    @property
    def width(self) -> int:
        """Of its widest cell, or its heading."""
        return max(len(self.name), *(len(str(cell)) for cell in self.cells))

    @property
    def least_width(self) -> int:
        """What it takes when it is cut as far as it may be."""
        return (
            self.width if self.least is None else min(self.width, max(self.least, len(self.name)))
        )


def fitted(columns: Sequence[Column], width: int) -> list[Column]:
    """Return the columns that fit a width: empty ones go, then dispensable ones; texts are cut.

    Args:
        columns: all of them, with at least one row.
        width: of the table, in characters.
    """
    kept = [one for one in columns if any(cell not in (None, "") for cell in one.cells)]
    while _framed([one.least_width for one in kept]) > width:
        dispensable = [place for place, one in enumerate(kept) if one.dispensable]
        if not dispensable:
            break
        del kept[dispensable[-1]]
    widths = [one.width for one in kept]
    while _framed(widths) > width:
        spare = [
            (there, place)
            for place, (there, one) in enumerate(zip(widths, kept, strict=True))
            if there > one.least_width
        ]
        if not spare:
            break
        widths[max(spare)[1]] -= 1
    return [
        evolve(one, cells=[_cut(cell, there) for cell in one.cells])
        for one, there in zip(kept, widths, strict=True)
    ]


def _framed(widths: Sequence[int]) -> int:
    return FRAME + sum(width + FRAME_OF_A_COLUMN for width in widths)


def _cut(cell: object, width: int) -> object:
    text = str(cell)
    return cell if len(text) <= width else text[: width - 1] + "…"
