"""Faults in a device's file, with their places."""

from backends.devices.device_format import SourceFile
from compiler.errors import TargetError
from compiler.formats.key_lines import Path


class MisfitError(TargetError):
    """An invalid part of a device's file; the reader adds file and line.

    Args:
        path: keys and places of elements that lead to it.
        reason: the fault, and advice.
        file: its name, if it is not the one that was named.
    """

    def __init__(self, path: Path, reason: str, file: SourceFile | None = None) -> None:
        super().__init__(reason)
        self.path = path
        self.file = file
