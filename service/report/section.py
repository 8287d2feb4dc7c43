"""A part of the page: headings, words, tables, and the plots in it."""

from collections.abc import Iterator, Sequence

from attrs import field, frozen

from service.report.markup import Html, element
from service.report.plot import Plot


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
    parts: Sequence[Html | Plot | tuple[Plot, ...]] = field(factory=tuple)

    def html(self) -> Html:
        """Return the section with the boxes of its plots."""
        heading = element("h2", self.title, id=self.anchor)
        said = [element("p", self.says, class_="says")] if self.says else []
        drawn = [_html(part) for part in self.parts]
        return element("section", heading, *said, *drawn, aria_labelledby=self.anchor)

    def plots(self) -> Iterator[Plot]:
        """Return the plots in it."""
        for part in self.parts:
            match part:
                case Plot():
                    yield part
                case tuple():
                    yield from part


def nothing(words: str) -> Html:
    """Return a line that stands for what the records do not hold."""
    return element("p", words, class_="nothing")


def newest(shown: int, total: int, what: str) -> str:
    """Return how many of how many records are shown."""
    if shown >= total:
        return f"all {total:,} {what}"
    return f"the newest {shown:,} of {total:,} {what}; older ones are left out"


def _html(part: Html | Plot | tuple[Plot, ...]) -> Html:
    match part:
        case Plot():
            return part.html()
        case tuple():
            return element("div", *(plot.html() for plot in part), class_="cards")
        case _:
            return part
