"""Where plots of commands go."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.output.files import output_path, write_output

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")


def plot_path(plot: Path | str | None) -> Path | None:
    """Return the path of a plot, None if none is wanted.

    Raises:
        InputError: if it cannot be drawn, or not there.
    """
    return output_path("plot", str(plot), SUFFIXES) if plot else None


Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        "--output",
        "-o",
        metavar="FILE.png|.svg|.pdf",
        help="Draw the results to a .png, .svg or .pdf.",
        callback=plot_path,
        show_default=False,
    ),
]


def write_figure(figure: "Figure", path: Path) -> None:
    """Draw a figure in the format that the file's name says.

    Raises:
        InputError: if the file cannot be written.
    """
    write_output("plot", path, drawn_figure(figure, path.suffix))


def drawn_figure(figure: "Figure", suffix: str) -> bytes:
    """Return a figure as the content of a file whose name ends in one of `SUFFIXES`."""
    from matplotlib import rc_context

    drawn = BytesIO()
    with rc_context({"svg.hashsalt": "picture", "svg.fonttype": "path"}):
        figure.savefig(drawn, format=suffix.removeprefix("."), dpi=150)
    return drawn.getvalue()
