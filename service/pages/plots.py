"""Interactive plots: points, and traces and layouts for plotly.js."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from math import isfinite
from typing import Any

from attrs import field, frozen

from service.pages.rendering import plain

MAX_LETTERS = 64
HUES = 8
"""Colours that tell devices, methods and the like apart; they repeat after so many."""

WIDE = 8
"""Numbers that differ by this factor are shown on a logarithmic axis."""
FEW = 5
"""Axes of gates up to here have a tick for each gate."""

Trace = dict[str, Any]
Look = Callable[[str], Mapping[str, Any]]


@frozen
class Point:
    """A mark or a bar of a plot.

    Args:
        series: its name in the legend.
        x: place on the horizontal axis: a number, a time or a name.
        y: place on the vertical axis.
        data: further values, for the hover text.
        interval: lower and upper end of the value.
        text: written at it.
        symbol: of the mark, if it is not that of its series.
        program: about which it is, for the filter by program.
        choice: to which it belongs, by its place among the plot's choices.
    """

    series: str
    x: Any
    y: Any
    data: Sequence[Any] = ()
    interval: tuple[float | None, float | None] | None = None
    text: str = ""
    symbol: str = ""
    program: str | None = None
    choice: int | None = None


@frozen
class Plot:
    """A plot.

    Args:
        name: its id, unique on a page.
        title: the heading above it.
        description: its content in words.
        traces: see `traces`.
        layout: as plotly.js takes it.
        height: in pixels.
        choices: one of them is shown at a time; none if all traces are.
        asks: name of the choices, such as "device".
    """

    name: str
    title: str
    description: str
    traces: Sequence[Trace]
    layout: Mapping[str, Any] = field(factory=dict)
    height: int = 320
    choices: Sequence[str] = ()
    asks: str = ""

    def data(self) -> dict[str, Any]:
        """Return the values from which the browser draws it."""
        return {
            "traces": self.traces,
            "layout": self.layout,
            "height": self.height,
            "choices": [plain(choice) for choice in self.choices],
            "asks": self.asks,
        }

    @property
    def program(self) -> str | None:
        """Its program, if all traces are about one."""
        programs = {trace.get("meta", {}).get("program") for trace in self.traces}
        return programs.pop() if len(programs) == 1 else None


def traces(
    points: Iterable[Point],
    hover: str,
    look: Look | None = None,
    *,
    legend: bool = True,
    digits: int = 5,
    **options: Any,
) -> list[Trace]:
    """Return traces for plotly.js: one for each series, program and choice.

    Args:
        points: in the order in which they are drawn.
        hover: text that plotly.js fills in.
        look: gives options of a series, with colours by the names of the stylesheet.
        legend: whether the series are in the legend.
        digits: after the point, of numbers.
        options: of all traces; `type` is `scatter` and `mode` is `markers` by default.
    """
    groups: dict[tuple[str, str | None, int | None], list[Point]] = {}
    for point in points:
        groups.setdefault((point.series, point.program, point.choice), []).append(point)
    drawn = []
    for (series, program, choice), own in groups.items():
        name = label(series)
        trace: Trace = {
            "type": "scatter", "name": name, "legendgroup": name, "hovertemplate": hover,
            "showlegend": legend,
            "x": [_value(point.x, digits) for point in own],
            "y": [_value(point.y, digits) for point in own],
            **options, **(look(series) if look else {}),
        }  # fmt: skip
        if trace["type"] == "scatter":
            trace.setdefault("mode", "markers")
        if own[0].data:
            trace["customdata"] = [[_value(value, digits) for value in point.data] for point in own]
        if any(point.text for point in own):
            trace["text"] = [point.text for point in own]
        if any(point.symbol for point in own):
            trace["marker"] = {**trace["marker"], "symbol": [point.symbol for point in own]}
        if any(point.interval for point in own):
            axis = "y" if isinstance(own[0].y, float) else "x"
            trace[f"error_{axis}"] = _error_bars([getattr(p, axis) for p in own], own, digits)
        meta = {"program": None if program is None else plain(program), "choice": choice}
        trace["meta"] = {name: value for name, value in meta.items() if value is not None}
        drawn.append(trace)
    return drawn


def _error_bars(values: Sequence[float], points: Sequence[Point], digits: int) -> dict[str, Any]:
    def reach(low: float | None, high: float | None) -> float | None:
        return None if low is None or high is None else rounded(high - low, digits)

    ends = [point.interval or (None, None) for point in points]
    return {
        "type": "data",
        "symmetric": False,
        "array": [reach(value, high) for value, (_, high) in zip(values, ends, strict=True)],
        "arrayminus": [reach(low, value) for value, (low, _) in zip(values, ends, strict=True)],
        "thickness": 1.5,
        "width": 4,
    }


def _value(value: Any, digits: int) -> Any:
    match value:
        case str():
            return label(value)
        case float():
            return rounded(value, digits)
        case datetime():
            return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
        case date():
            return value.isoformat()
        case _:
            return value


def label(text: str) -> str:
    """Return a text for plotly.js, which would interpret markup in it.

    The text is cut, since a plot makes room for the longest.
    """
    short = text if len(text) <= MAX_LETTERS else text[: MAX_LETTERS - 1] + "…"
    return plain(short).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def hues(names: Iterable[str]) -> dict[str, str]:
    """Return the colour of each name; the same names have the same colours in every order."""
    return {name: f"--hue-{place % HUES}" for place, name in enumerate(sorted(set(names)))}


def rounded(value: float | None, digits: int = 5) -> float | None:
    """Return a number without the digits that no plot shows; None for one that cannot be drawn."""
    return None if value is None or not isfinite(value) else round(value, digits)


def categories(names: Iterable[str], **others: Any) -> dict[str, Any]:
    """Return an axis of names in this order, from top to bottom or left to right."""
    shown = list(map(label, names))
    return {"type": "category", "categoryorder": "array", "categoryarray": shown, **others}


def gates_axis(numbers: Iterable[int | None], title: str) -> dict[str, Any]:
    """Return an axis of gates: logarithmic if they span much, else from zero.

    Args:
        numbers: all that are shown.
        title: of the axis.
    """
    values = [number for number in numbers if number is not None]
    axis = {"title": {"text": title}}
    if values and min(values) > 0 and max(values) >= WIDE * min(values):
        return axis | {"type": "log"}
    few = {"dtick": 1} if values and max(values) <= FEW else {}
    return axis | {"type": "linear", "rangemode": "tozero"} | few
