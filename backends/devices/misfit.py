"""What is wrong in a file, and where."""

from backends.devices.device_format import SourceFile
from compiler.errors import TargetError
from compiler.formats.key_lines import Path


class MisfitError(TargetError):
    """Something in a device's file does not fit; whoever reads it knows file and line.

    Args:
        path: keys and places of elements that lead to it.
        reason: what is wrong, and what to do.
        file: in which file, if it is not the one that was named.
    """

    def __init__(self, path: Path, reason: str, file: SourceFile | None = None) -> None:
        super().__init__(reason)
        self.path = path
        self.file = file
