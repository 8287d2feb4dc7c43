"""Where plots of commands go."""

from pathlib import Path

from compiler.errors import InputError

SUFFIXES = (".png", ".svg", ".pdf")


def plot_path(plot: str) -> Path | None:
    """Return the path of a plot, None if none is wanted.

    Raises:
        InputError: if it has no suffix that can be drawn, or its folder does not exist.
    """
    if not plot:
        return None
    path = Path(plot)
    if path.suffix not in SUFFIXES:
        raise InputError(f"{plot}: a plot must end in {', '.join(SUFFIXES)}")
    if not path.parent.is_dir():
        raise InputError(f"{plot}: there is no folder '{path.parent}'")
    return path
