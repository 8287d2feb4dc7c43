"""Errors and warnings of a program, with the line that they are about."""

from openqasm3 import ast

from compiler.errors import CircuitFileError


class ProgramError(CircuitFileError):
    """An OpenQASM 3 program is invalid, or uses a construct that is not supported.

    Args:
        message: what is wrong, the value, and what to write instead.
        node: the part of the syntax tree that it is about.
    """

    def __init__(self, message: str, node: ast.QASMNode | None = None) -> None:
        line = line_of(node)
        super().__init__(message if line is None else f"line {line}: {message}")


class UncomputableError(ProgramError):
    """A value has no number, such as a division by zero."""


def line_of(node: ast.QASMNode | None) -> int | None:
    """Return the line on which a part of the syntax tree begins; the first line is 1."""
    span = getattr(node, "span", None)
    return None if span is None else int(span.start_line)
