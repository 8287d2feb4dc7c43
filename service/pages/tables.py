"""Tables of pages, and the contents of their cells."""

from collections.abc import Container, Mapping, Sequence
from math import isfinite

from markupsafe import Markup, escape

from compiler.words.held_inputs import from_zero_suffix
from service.pages.rendering import plain, render_part

MAX_LETTERS = 40
"""Longer cells are broken into lines."""
ZERO = "|0…0⟩"
ZERO_HTML = Markup('<span class="ket">|0…0⟩</span>')
"""Browsers would break it after its dots."""


class Number(str):
    """A number as it is to be written."""

    __slots__ = ()


def table(
    caption: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    wide: bool = True,
    programs: Sequence[str] | None = None,
    jobs: Sequence[int] | None = None,
) -> Markup:
    """Return a table in a box that scrolls; the first column heads its rows.

    Args:
        caption: of the table.
        columns: their headings.
        rows: cells; columns of numbers are aligned to the right.
        wide: whether the table takes the whole width.
        programs: of each row, for the filter by program.
        jobs: of each row, which opens it.
    """
    columns_of_cells = zip(*rows, strict=True) if rows else ([""] for _ in columns)
    return render_part(
        "table.html",
        caption=caption,
        columns=columns,
        rows=[[(text(cell), _is_long(cell)) for cell in row] for row in rows],
        numeric=[all(map(_is_number, cells)) for cells in columns_of_cells],
        wide=wide,
        programs=list(map(plain, programs)) if programs else [None] * len(rows),
        jobs=jobs or [None] * len(rows),
    )


def text(value: object) -> str:
    """Return the text of a cell: None as a dash, numbers to four digits."""
    match value:
        case str():
            return escape(plain(value)).replace(ZERO, ZERO_HTML) if ZERO in value else value
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:.4g}" if isfinite(value) else "–"
        case _:
            return str(value)


def figure_of(value: float | None, digits: int = 3) -> Number | None:
    """Return a number with so many digits after the point; None if there is none."""
    return None if value is None or not isfinite(value) else Number(f"{value:.{digits}f}")


def count_of(value: int | None, *, from_zero: bool) -> Number | int | None:
    """Return a count of gates or layers, which says so if it holds from |0…0⟩ only."""
    if value is None or not from_zero:
        return value
    return Number(f"{value:,}{from_zero_suffix(from_zero=True)}")


def job_link(job: int, linked: Container[int] | None = None) -> Markup:
    """Return a job's number, as a link if the page can open it; `linked` is None for all."""
    link = Markup('<a href="#job-{0}" data-job="{0}">{0}</a>')
    return link.format(int(job)) if linked is None or job in linked else Markup(int(job))


def percent(share: float) -> Number:
    """Return a share in percent."""
    return Number(f"{100 * share:.1f} %")


KINDS: Mapping[str, str] = {
    **dict.fromkeys(("exact", "sampled", "better", "done"), "good"),
    **dict.fromkeys(("refuted", "failed", "worse", "outside"), "bad"),
}


def badge(word: str) -> Markup:
    """Return a word in a coloured frame: green for good states, red for bad ones."""
    kind = KINDS.get(word, "open")
    return Markup('<span class="badge {}">{}</span>').format(kind, word.replace("_", " "))


def _is_long(cell: object) -> bool:
    return (
        isinstance(cell, str) and len(cell) > MAX_LETTERS and not isinstance(cell, Markup | Number)
    )


def _is_number(cell: object) -> bool:
    return isinstance(cell, Number | int | float | None)
