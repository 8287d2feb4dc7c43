"""Output of a result: JSON or panels on stdout, and a picture in a file."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from games.panels import Panel
from service.cli.output.plots import write_figure
from service.cli.output.printing import coloured, erase_progress, print_json, terminal_width
from service.cli.play.screen import drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from service.results.model import ResultModel


def write_result(
    panels: Sequence[Panel],
    result: "ResultModel",
    path: Path | None = None,
    draw: "Callable[[Figure], Figure | None] | None" = None,
    *,
    as_json: bool,
) -> None:
    """Write a result.

    Args:
        panels: tables for people.
        result: the JSON document.
        path: of the picture; None for no picture.
        draw: draws the picture on an empty figure, or returns another one.
        as_json: whether the document is printed instead of the panels.

    Raises:
        InputError: if the picture cannot be written.
    """
    if path is not None and draw is not None:
        from matplotlib.figure import Figure

        figure = Figure(layout="constrained")
        write_figure(draw(figure) or figure, path)
    if as_json:
        print_json(result)
    else:
        erase_progress()
        print(drawn(panels, terminal_width(), colour=coloured()))
