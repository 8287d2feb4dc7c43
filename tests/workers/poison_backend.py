"""A simulator that does to its process what a bad circuit may do."""

import ctypes
import os
from pathlib import Path

from backends.backend import LocalBackend
from backends.families import backend

GIB = 1 << 30


@backend("poison", "kills or holds the process it runs in, for tests")
class Poison(LocalBackend):
    """Does what its argument says.

    Args:
        argument: `crash`, `abort`, `eat`, `hang`, `once:FILE`, which
            crashes unless the file is there, or `none`.
    """

    def __init__(self, argument: str) -> None:
        self.what, _, self.file = argument.partition(":")

    def run(self, job):
        match self.what:
            case "crash":
                ctypes.string_at(0)
            case "abort":
                os.abort()
            case "eat":
                bytearray(1000 * GIB)
            case "hang":
                # With Python's lock: no thread of Python could stop it.
                ctypes.PyDLL(None).sleep(1000)
            case "once":
                if not Path(self.file).exists():
                    Path(self.file).touch()
                    os.abort()
        return {0: job.shots}
