"""Commands that only one family has: it says what they ask and answer, whoever shows it the rest.

A family lists them in `commands.toml`, so that a list of commands imports no game: a table for
each, with its `summary` and the `place` of its `Commands`, `module:attribute`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen
from qiskit import QuantumCircuit

from games.playing.panels import Panel


@frozen
class Asked:
    """What the annotation of a command's parameter says of it.

    Args:
        help: one or two sentences.
        metavar: what stands for its value; empty for its type.
        least: the smallest number; None for any.
        most: the largest one.
    """

    help: str
    metavar: str = ""
    least: int | None = None
    most: int | None = None


@frozen(eq=False)
class Answer:
    """What a command answers.

    Args:
        panels: for people.
        document: the same and more for programs, as JSON has it.
        picture: what is drawn, its wires named by registers; None for nothing.
    """

    panels: Sequence[Panel]
    document: Mapping[str, Any]
    picture: QuantumCircuit | None = None


Command = Callable[..., Answer]
"""Its parameters are keywords: `Annotated` with `Asked`, of type str, int or bool. Its docstring
is its help. It raises an InputError for what cannot be."""


Commands = Mapping[str, Command]
"""The commands of a family, by name."""
