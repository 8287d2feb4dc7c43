"""Files that commands write, pictures among them."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from matplotlib.figure import Figure
import errno
import os
from collections.abc import Sequence

from compiler.errors import InputError


def output_path(what: str, text: str, suffixes: Sequence[str]) -> Path:
    """Return the path of an output file, checked before anything is computed.

    Args:
        what: kind of file, for messages.
        text: the path that a user has given.
        suffixes: of which its name must have one.

    Raises:
        InputError: if it cannot be written there.
    """
    path = Path(text)
    if path.suffix not in suffixes:
        raise InputError(f"{what} '{text}': must end in {' or '.join(suffixes)}")
    try:
        if not path.parent.is_dir():
            raise InputError(f"{what} '{text}': there is no folder '{path.parent}'")
        if path.is_dir():
            raise InputError(f"{what} '{text}': is a folder")
    except OSError as error:
        raise InputError(f"{what} '{text}': {error.strerror}") from error
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"{what} '{text}': {os.strerror(errno.EACCES)}")
    return path


def write_output(what: str, path: Path, content: bytes) -> None:
    """Write a file; a pipe without a reader does not block the writer.

    Raises:
        InputError: if it cannot be written.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    try:
        opened = os.open(path, flags, 0o666)
        os.set_blocking(opened, True)
        with os.fdopen(opened, "wb") as file:
            file.write(content)
    except OSError as error:
        reason = "this pipe has no reader" if error.errno == errno.ENXIO else error.strerror
        raise InputError(f"{what} '{path}': cannot be written: {reason}") from error


SUFFIXES = (".png", ".svg", ".pdf")


def plot_path(plot: Path | str | None) -> Path | None:
    """Return the path of a plot, None if none is wanted.

    Raises:
        InputError: if it cannot be drawn, or not there.
    """
    return output_path("plot", str(plot), SUFFIXES) if plot else None


Plot = Annotated[
    Path | None,
    typer.Option("--plot", "--output", "-o", metavar="FILE.png|.svg|.pdf", callback=plot_path),
]
"""Draw the results to a .png, .svg or .pdf."""


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
