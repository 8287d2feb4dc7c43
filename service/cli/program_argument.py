"""The argument PROGRAM: a game or a circuit."""

import os
from pathlib import Path
from typing import Annotated

import typer

from compiler.errors import InputError
from games.sources import SUFFIXES, Source
from workers.untrusted_programs.files import read_source_file

Program = Annotated[
    str,
    typer.Argument(
        metavar="PROGRAM",
        help="A game's name, a game's .toml, or a circuit: .qasm (OpenQASM 2 or 3) or .qpy.",
        show_default=False,
    ),
]


def read_source(program: str) -> Source:
    """Return the game or file that PROGRAM names.

    Raises:
        InputError: if a file cannot be read.
    """
    if not program.endswith(SUFFIXES):
        if Path(program).suffix or os.sep in program:
            raise InputError(f"{program}: a file must end in {', '.join(SUFFIXES)}")
        return Source(program)
    return read_source_file(Path(program))
