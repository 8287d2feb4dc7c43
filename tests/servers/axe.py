"""Axe finds what keeps people from using a page: it is from npm, or where STICHWERK_AXE says."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from .fixtures import present
from .process import MissingServerError

NAME = "STICHWERK_AXE"
"""Where axe.min.js is."""

PACKAGE = "axe-core@4.14.1"


def axe_source() -> str:
    """Return axe as a script.

    Raises:
        MissingServerError: if there is none, nor npm to get it.
    """
    if given := os.environ.get(NAME):
        return Path(given).read_text(encoding="utf-8")
    npm = shutil.which("npm")
    if npm is None:
        raise MissingServerError(f"{NAME} names no axe.min.js, and npm is not installed")
    with TemporaryDirectory() as folder:
        command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise MissingServerError(f"npm has not got {PACKAGE}: {done.stderr[-300:]}")
        script = Path(folder) / "node_modules/axe-core/axe.min.js"
        return script.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def axe() -> Iterator[str]:
    """Axe as a script, for all tests of this process."""
    yield present(axe_source)
