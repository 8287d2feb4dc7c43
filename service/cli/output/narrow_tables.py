"""Tables on terminals that are narrower than they are: cells of several lines, or a block a row."""

from collections.abc import Sequence

from rich.cells import cell_len

FRAME, FRAME_OF_A_COLUMN = 1, 3
"""Characters that a table takes beside its cells: its left edge, and what each column adds."""
LONGEST_WORD = 16
"""Characters of a word that is not broken; of longer ones, such as digests, no column is that
wide."""
LONGEST_WORD_OF_A_LIST = 8
"""The same in a list, where each row is a line."""
BLOCK = ("heading", "cell")
"""The columns of blocks."""


def column_widths(
    columns: Sequence[Sequence[str]], room: int, longest_word: int = LONGEST_WORD
) -> list[int] | None:
    """Return how wide columns are that share a line, none of which breaks a word.

    Args:
        columns: the texts of each, its heading among them.
        room: characters of all columns together.
        longest_word: characters of a word that is not broken.

    Returns:
        The widths, or None if there is no room for the longest word of each column.
    """
    widths = [max(map(cell_len, texts), default=0) for texts in columns]
    least = [
        max(
            (min(cell_len(word), longest_word) for text in texts for word in text.split()),
            default=0,
        )
        for texts in columns
    ]
    if sum(least) > room:
        return None
    while sum(widths) > room:
        spare = [
            (width, place)
            for place, (width, lowest) in enumerate(zip(widths, least, strict=True))
            if width > lowest
        ]
        widths[max(spare)[1]] -= 1
    return widths


def as_blocks(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Return a table as lines of a heading and a cell, an empty one between rows.

    Args:
        headings: of the columns.
        rows: of cells; empty ones are left out.
    """
    lines: list[tuple[str, str]] = []
    for row in rows:
        if lines:
            lines.append(("", ""))
        lines += [(name, cell) for name, cell in zip(headings, row, strict=False) if cell]
    return lines
