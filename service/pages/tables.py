"""Tables of pages, the contents of their cells, and pages in one file that need no server."""

import gzip
import re
from base64 import b64encode
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from functools import cache
from math import isfinite

from attrs import field, frozen
from markupsafe import Markup, escape
from plotly.offline import get_plotlyjs

from compiler.words.held_inputs import from_zero_suffix
from service.pages.plots import Plot
from service.pages.rendering import content_hash, plain, render, render_part, static_file

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
    stacked: bool = True,
    programs: Sequence[str] | None = None,
    jobs: Sequence[int] | None = None,
) -> Markup:
    """Return a table in a box that scrolls; the first column heads its rows.

    Args:
        caption: of the table.
        columns: their headings.
        rows: cells; columns of numbers are aligned to the right.
        wide: whether the table takes the whole width.
        stacked: whether a phone shows each row as a list, if there are more than three columns.
        programs: of each row, for the filter by program.
        jobs: of each row, which opens it.
    """
    columns, rows = _with_shared_inputs(columns, rows)
    columns_of_cells = zip(*rows, strict=True) if rows else ([""] for _ in columns)
    return render_part(
        "table.html",
        caption=caption,
        columns=columns,
        headings=[text(column) for column in columns],
        rows=[[(text(cell), _is_long(cell)) for cell in row] for row in rows],
        numeric=[all(map(_is_number, cells)) for cells in columns_of_cells],
        wide=wide,
        stacked=stacked and len(columns) > 3,
        programs=list(map(plain, programs)) if programs else [None] * len(rows),
        jobs=jobs or [None] * len(rows),
    )


def _with_shared_inputs(
    columns: Sequence[str], rows: Sequence[Sequence[object]]
) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """Return a table that says once, in the heading, that a column holds from |0…0⟩ only."""
    suffix = from_zero_suffix(from_zero=True)
    cells_of = list(zip(*rows, strict=True))
    shared = [
        all(isinstance(cell, Number) and cell.endswith(suffix) for cell in cells)
        for cells in cells_of
    ]
    if not any(shared):
        return columns, rows
    return (
        [column + suffix * moves for column, moves in zip(columns, shared, strict=True)],
        [
            [
                Number(str(cell).removesuffix(suffix)) if moves else cell
                for cell, moves in zip(row, shared, strict=True)
            ]
            for row in rows
        ],
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
    "cancelled": "open",
}


def badge(word: str, usual: str = "open") -> Markup:
    """Return a word in a coloured frame: green for good states, red for bad ones.

    Args:
        word: to show.
        usual: class of the stylesheet for words that are neither.
    """
    kind = KINDS.get(word, usual)
    return Markup('<span class="badge {}">{}</span>').format(kind, word.replace("_", " "))


def _is_long(cell: object) -> bool:
    return (
        isinstance(cell, str) and len(cell) > MAX_LETTERS and not isinstance(cell, Markup | Number)
    )


def _is_number(cell: object) -> bool:
    return isinstance(cell, Number | int | float | None)


SCRIPTS = ("elements.js", "plots.js", "tables.js", "report_jobs.js", "report.js")


@frozen
class Section:
    """A part of the page under one heading.

    Args:
        anchor: the heading's id.
        title: the heading.
        says: one or two sentences under it; may be empty.
        parts: from top to bottom; plots in one tuple stand side by side where there is room.
    """

    anchor: str
    title: str
    says: str = ""
    parts: Sequence[Markup | Plot | tuple[Plot, ...]] = field(factory=tuple)

    def plots(self) -> Iterator[Plot]:
        """Return the plots in it."""
        for part in self.parts:
            match part:
                case Plot():
                    yield part
                case tuple():
                    yield from part


@frozen
class Details:
    """Details of a job, which the page opens.

    Args:
        id: number of the job.
        html: contents.
        plot: of its outcomes; None if there are none.
    """

    id: int
    html: Markup
    plot: Plot | None


def nothing(text: str) -> Markup:
    """Return a line that stands for missing records."""
    return Markup('<p class="says">{}</p>').format(text)


def sections_page(
    title: str,
    sections: Sequence[Section],
    *,
    programs: Collection[str] = (),
    jobs: Sequence[Details] = (),
    served: bool = False,
) -> str:
    """Return a page in one file, with its scripts and plotly.js.

    Args:
        title: of the page.
        sections: from top to bottom.
        programs: of which the page can be reduced to one.
        jobs: which the page can open.
        served: whether a server shows it, to whose other pages it links.
    """
    script, library = _script(), get_plotlyjs()
    plots = [plot for section in sections for plot in section.plots()]
    plots += [job.plot for job in jobs if job.plot]
    return render(
        "report/page.html",
        title=title,
        sections=sections,
        programs=sorted({plain(program) for program in programs}),
        records={"plots": {plot.name: plot.data() for plot in plots}},
        jobs=jobs,
        served=served,
        # plotly.js sets styles on plots; downloads of pictures are data and blob addresses.
        policy=f"default-src 'none'; script-src {content_hash(script)} {_packed(library)[1]}; "
        "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'",
        style=Markup(static_file("page.css")),
        script=Markup(script),
        library=Markup(_packed(library)[0]),
    )


def _script() -> str:
    """Return all scripts as one, whose names are its own."""
    body = re.sub(r"^export ", "", "\n".join(map(static_file, SCRIPTS)), flags=re.MULTILINE)
    return f"(() => {{\n'use strict';\n{body}}})();"


@cache
def _packed(library: str) -> tuple[str, str]:
    """Return a script packed by gzip, in base64; and its hash."""
    packed = b64encode(gzip.compress(library.encode(), mtime=0)).decode()
    return packed, content_hash(library)
