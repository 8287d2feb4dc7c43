"""Interactive plots: traces and layouts for plotly.js, and the boxes they are drawn in."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from attrs import field, frozen

from service.report.markup import Html, element, plain

MOST_LETTERS = 64
HUES = 8
"""Colours that tell devices, methods and the like apart; they come again after so many."""

WIDE = 8
"""Numbers that differ by this factor are shown on a logarithmic axis."""

RAW, SELECTED, EXPECTED, MITIGATED = "--raw", "--selected", "--expected", "--mitigated"
INK = "--ink"
COLOURS = {
    "raw": RAW,
    "post_selected": SELECTED,
    "mitigated": MITIGATED,
    "mitigated_post_selected": MITIGATED,
    "expected": EXPECTED,
}
"""Of what was measured and computed: names of colours of the style sheet, dark and light."""

MISSING = (
    "The plot is drawn here as soon as the browser has unpacked what draws it; a table of this "
    "section holds the values."
)

Trace = Mapping[str, Any]


@frozen
class Plot:
    """A plot.

    Args:
        name: its id, of which there is one on a page.
        title: the heading above it.
        description: what is to be seen, for those who cannot.
        traces: as plotly.js takes them, with colours by the names of the style sheet. Under
            `meta` may stand the `program` that a trace is about, and the `choice` it belongs to,
            by its place.
        layout: as plotly.js takes it.
        height: in pixels.
        choices: one of them is shown at a time; none if all traces are.
        asks: what the choices are, such as "device".
    """

    name: str
    title: str
    description: str
    traces: Sequence[Trace]
    layout: Mapping[str, Any] = field(factory=dict)
    height: int = 320
    choices: Sequence[str] = ()
    asks: str = ""

    def html(self) -> Html:
        """Return the box that it is drawn in."""
        heading = element("h3", self.title, id=f"{self.name}-title")
        box = element(
            "div",
            element("p", MISSING, class_="missing"),
            class_="plot",
            id=self.name,
            role="group",
            aria_label=self.description,
            style=f"min-height: {self.height}px",
        )
        return element("figure", heading, box, class_="card", **self._program())

    def data(self) -> dict[str, Any]:
        """Return what the browser draws it from."""
        return {
            "traces": self.traces,
            "layout": self.layout,
            "height": self.height,
            "choices": [plain(choice) for choice in self.choices],
            "asks": self.asks,
        }

    def _program(self) -> dict[str, str]:
        """Return its program as an attribute, if all traces are about one."""
        programs = {trace.get("meta", {}).get("program") for trace in self.traces}
        [program] = programs if len(programs) == 1 else [None]
        return {} if program is None else {"data_program": program}


def about(program: str, choice: int | None = None) -> dict[str, Any]:
    """Return a trace's `meta`: the program that it is about, and the choice it belongs to."""
    meta: dict[str, Any] = {"program": plain(program)}
    return meta if choice is None else meta | {"choice": choice}


def label(words: str) -> str:
    """Return a text for plotly.js, which would take markup in it for its own.

    The text is cut, since a plot makes room for the longest.
    """
    short = words if len(words) <= MOST_LETTERS else words[: MOST_LETTERS - 1] + "…"
    return plain(short).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def hue(place: int) -> str:
    """Return a colour that tells one of several things from the others."""
    return f"--hue-{place % HUES}"


def hues(names: Sequence[str]) -> dict[str, str]:
    """Return the colour of each name; the same names have the same colours in every order."""
    return {name: hue(place) for place, name in enumerate(sorted(set(names)))}


def moment(at: datetime) -> str:
    """Return a time as plotly.js reads it, in UTC."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")


def rounded(value: float | None, digits: int = 5) -> float | None:
    """Return a number without the digits that no plot shows; None for what cannot be drawn."""
    return None if value is None or not isfinite(value) else round(value, digits)


def categories(names: Sequence[str], **others: Any) -> dict[str, Any]:
    """Return an axis of names in this order, from top to bottom or left to right."""
    return {"type": "category", "categoryorder": "array", "categoryarray": list(names), **others}


def gates_axis(numbers: Sequence[int], title: str) -> dict[str, Any]:
    """Return an axis of gates: logarithmic if they span much, else from zero.

    Args:
        numbers: all that are shown.
        title: of the axis.
    """
    words = {"title": {"text": title}}
    if numbers and min(numbers) > 0 and max(numbers) >= WIDE * min(numbers):
        return words | {"type": "log"}
    return words | {"type": "linear", "rangemode": "tozero"}
