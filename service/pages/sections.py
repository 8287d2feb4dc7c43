"""Pages in one file, which need no server: sections with tables and plots."""

import gzip
import re
from base64 import b64encode
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from attrs import field, frozen
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from service.pages.plots import Plot
from service.pages.rendering import content_hash, plain, render, static_file

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
