"""A log of what was compared, from which a measurement that was broken off goes on."""

import json
from argparse import Namespace
from pathlib import Path

from attrs import asdict

from benchmarks.advice.choosing import Compared
from compiler.errors import InputError

SETTINGS = ("hand", "samples", "playouts", "seed", "records")
"""Without the same ones, what was found before cannot be gone on with."""


class Log:
    """A file of a line for the settings and one for each position; none if its name is empty.

    Args:
        name: of the file.
        options: of the measurement.

    Raises:
        InputError: if the file is of other settings, or no such log.
    """

    def __init__(self, name: str, options: Namespace) -> None:
        self.found: list[Compared] = []
        self._path = path = Path(name) if name else None
        if path is None:
            return
        settings = {one: getattr(options, one) for one in SETTINGS}
        if path.exists():
            # A last line that was not written to its end is measured again.
            whole = path.read_text().rpartition("\n")[0].splitlines()
            try:
                before, *lines = map(json.loads, whole or ["null"])
                self.found = [Compared(**line) for line in lines]
            except (ValueError, TypeError) as error:
                raise InputError(f"{name}: no log of this benchmark") from error
            if before != settings:
                raise InputError(f"{name}: has {before}, and not {settings}; name another --log")
            path.write_text("".join(f"{line}\n" for line in whole))
        else:
            self._write(settings)

    def add(self, one: Compared) -> None:
        """Take in what was found of the next position."""
        self.found.append(one)
        self._write(asdict(one))

    def _write(self, line: object) -> None:
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps(line) + "\n")
