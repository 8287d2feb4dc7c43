"""What is wrong in a file, and where."""

from compiler.errors import TargetError
from compiler.formats.key_lines import Path


class MisfitError(TargetError):
    """Something in a device's file does not fit; whoever reads it knows file and line.

    Args:
        path: keys and places of elements that lead to it.
        reason: what is wrong, and what to do.
        document: in which of several, by its place among them.
    """

    def __init__(self, path: Path, reason: str, document: int = 0) -> None:
        super().__init__(reason)
        self.path = path
        self.document = document
