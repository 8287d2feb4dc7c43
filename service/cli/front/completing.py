"""Which line a shell asks to have completed."""

from collections.abc import Mapping

ASKED = "_STICHWERK_COMPLETE"
LINES = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")
"""Environment variables with the line: bash's, and that of zsh, fish and PowerShell."""


def is_asked(environment: Mapping[str, str]) -> bool:
    """Tell whether a shell asks for completions, which gives no arguments."""
    return ASKED in environment


def words(environment: Mapping[str, str]) -> list[str]:
    """Return the words after the program's name that are there already."""
    line = next((environment[name] for name in LINES if name in environment), "")
    return line.split()[1:]
