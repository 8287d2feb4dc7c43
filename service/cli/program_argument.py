"""The argument PROGRAM: a game or a circuit."""

import os
from pathlib import Path
from typing import Annotated

import typer
from attrs import evolve

from backends.regular_files import meant_file
from compiler.errors import InputError
from games.sources import CIRCUITS, SUFFIXES, Source
from workers.untrusted_programs.files import read_expectation_file, read_source_file

Program = Annotated[str, typer.Argument(metavar="PROGRAM")]
"""A game's name, a game's .toml, a record of a game (.sgf), or a circuit: .qasm (OpenQASM 2 or
3) or .qpy."""
Programs = Annotated[list[str], typer.Argument(metavar="PROGRAM|FOLDER...")]
"""A game's name, a game's .toml, a record of a game (.sgf), a circuit: .qasm (OpenQASM 2 or 3)
or .qpy, or a folder of circuits."""


Expect = Annotated[str, typer.Option(metavar="COUNTS.json")]
"""Expected result of a circuit: a JSON object from bit strings (classical bit 0 on the right) to
counts or probabilities. By default the exact distribution is computed if the circuit is small
enough."""


def read_source(program: str, expect: str = "") -> Source:
    """Return the game or file that PROGRAM names.

    Args:
        program: a game's name, or a file.
        expect: the file of a circuit's expected result, if there is one.

    Raises:
        InputError: if a file cannot be read.
    """
    if expect and not program.endswith(CIRCUITS):
        raise InputError(f"{program}: a game knows its own distribution; --expect is for circuits")
    source = _source(program)
    if not expect:
        return source
    return evolve(source, expected=read_expectation_file(Path(expect)).as_bytes())


def _source(program: str) -> Source:
    if not program.endswith(SUFFIXES):
        if Path(program).suffix or os.sep in program:
            raise InputError(
                f"{program}: a file must end in {', '.join(SUFFIXES)}{meant_file(Path(program))}"
            )
        return Source(program)
    return read_source_file(Path(program))
