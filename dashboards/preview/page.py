"""Installs and bundles the page that draws dashboards."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from compiler.errors import InputError, StichwerkError

PAGE = Path(__file__).parent / "page"
BUNDLE = PAGE / "dist" / "main.js"


class PreviewError(StichwerkError):
    """A dashboard could not be drawn."""


def build_page() -> Path:
    """Install the packages and bundle the page, each only if something has changed.

    Returns:
        the folder with `index.html`.

    Raises:
        InputError: there is no npm.
        PreviewError: npm or the bundler failed.
    """
    lock = PAGE / "package-lock.json"
    installed = PAGE / "node_modules" / ".package-lock.json"
    if _older(installed, [lock]):
        print("preview: installing Grafana's packages, 700 MB", file=sys.stderr, flush=True)
        _run(["npm", "ci", "--no-audit", "--no-fund"])
        installed.touch()
    sources = [PAGE / "build.mjs", lock, *(PAGE / "src").rglob("*.*")]
    if _older(BUNDLE, sources):
        _run(["npm", "run", "--silent", "build"])
    return BUNDLE.parent


def type_problems(dashboards: Sequence[Path]) -> list[str]:
    """Hold dashboards against the types of Grafana's schema, and return what does not fit.

    The packages must be there; see `build_page`.
    """
    command = ["node", "types.mjs", *(str(file.resolve()) for file in dashboards)]
    done = subprocess.run(command, cwd=PAGE, capture_output=True, text=True, check=False)
    if done.stderr:
        raise PreviewError(f"'node types.mjs' failed: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout.splitlines()


def _older(made: Path, sources: Sequence[Path]) -> bool:
    newest = max(source.stat().st_mtime for source in sources)
    return not made.exists() or made.stat().st_mtime < newest


def _run(command: Sequence[str]) -> None:
    if shutil.which(command[0]) is None:
        raise InputError(f"{command[0]} is not on the path; install Node.js 20 or newer with npm")
    done = subprocess.run(command, cwd=PAGE, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "rror" in line] or ["no reason given"]
        raise PreviewError(f"'{' '.join(command)}' failed: {lines[0]}")
