"""Values of labels: printable, short, and few, for any names that users have chosen."""

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from compiler.words.machine_names import machine_of
from workers.records.queries.runs import Configuration

MAX_CHARACTERS = 200
MAX_VALUES = 50
OTHER = "other"

BY_CONFIGURATION = ("program", "target", "method", "encoding", "variant")
"""Labels that tell benchmark figures apart by their configuration."""

Row = TypeVar("Row")
Labelled = tuple[Sequence[str], Row]

NUMBER = re.compile(r"[\d.]+")


def plain(text: str) -> str:
    """Return text that any reader of the exposition format takes, on one line, and no longer."""
    printable = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )
    return printable[:MAX_CHARACTERS]


def backend_label(spec: str) -> str:
    """Return a backend's spec without its numeric parts, such as `grid` for `grid:17`.

    A user's own device is one machine, with any calibration.
    """
    parts = machine_of(spec).split(":")
    return plain(":".join(part for part in parts if not NUMBER.fullmatch(part)))


def configuration_labels(configuration: Configuration) -> tuple[str, ...]:
    """Return the values of `BY_CONFIGURATION`; a user's device is one, with any calibration."""
    values = (
        configuration.program,
        machine_of(configuration.target),
        configuration.method,
        configuration.encoding,
        configuration.variant,
    )
    return tuple(map(plain, values))


def distinct(rows: Iterable[tuple[tuple[str, ...], Row]]) -> list[Labelled[Row]]:
    """Return the first row of all with the same labels: Prometheus refuses a series twice."""
    labelled: dict[tuple[str, ...], Row] = {}
    for labels, row in rows:
        labelled.setdefault(labels, row)
    return list(labelled.items())


class FewValues:
    """Lets the first values pass, and calls all later ones `other`.

    Args:
        most: how many pass.
    """

    def __init__(self, most: int = MAX_VALUES) -> None:
        self._most = most
        self._known: set[str] = set()

    def __call__(self, value: str) -> str:
        """Return the value, or `other`."""
        if value not in self._known:
            if len(self._known) >= self._most:
                return OTHER
            self._known.add(value)
        return value
