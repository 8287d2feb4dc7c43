"""The operators of all families; `compiler.synthesis.method` has those that are imported."""

from collections.abc import Mapping

from compiler.registry import discover
from compiler.synthesis.method import Operator, example_of, operators


def all_operators() -> Mapping[str, type[Operator]]:
    """Return every operator's class by the name of its gate."""
    discover("games")
    return operators


def operator_example(label: str) -> Operator:
    """Return the operator's example with a label.

    Raises:
        UnknownNameError: if no operator has such an example.
    """
    all_operators()
    return example_of(label)
