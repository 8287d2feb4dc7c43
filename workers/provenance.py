"""The versions by which a result was made."""

import os
import platform
import subprocess
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("stichwerk", "qiskit", "qiskit-aer", "qiskit-ibm-runtime", "pytket", "numba", "mthree")


@cache
def versions(*others: str) -> dict[str, str]:
    """Return the versions of Python and of the installed packages that decide results.

    Args:
        others: Packages besides these.
    """
    installed = {"python": platform.python_version()}
    for name in (*PACKAGES, *others):
        with suppress(PackageNotFoundError):
            installed[name] = version(name)
    return installed


@cache
def revision() -> str | None:
    """Return the git revision of this checkout, with `+changes` if it has any; None outside git.

    An image has no checkout: there `STICHWERK_REVISION` is the revision of its build.
    """
    if built := os.environ.get("STICHWERK_REVISION"):
        return built
    head, changes = _git("rev-parse", "HEAD"), _git("status", "--porcelain")
    return head + ("+changes" if changes else "") if head else None


def _git(*arguments: str) -> str:
    here = str(Path(__file__).parent)
    # Without locks, a process that is killed meanwhile leaves none in the repository.
    try:
        done = subprocess.run(
            ["git", "--no-optional-locks", "-C", here, *arguments],
            check=False,
            capture_output=True,
            text=True,
        )
    except OSError:
        return ""
    return done.stdout.strip()
