"""Saying why the first call on a machine takes so long."""

import os
from pathlib import Path

from service.cli.output.printing import say

ROOT = Path(__file__).parents[3]
COMPILED = "__pycache__/*.nbi"
"""What Numba keeps beside what it has compiled."""


def say_if_first(room: str, root: Path = ROOT) -> None:
    """Say that searches are compiled to machine code first, if none of a room's has been.

    Where Numba keeps it elsewhere, nothing is known, and nothing is said.

    Args:
        room: `compiler` or `games`.
        root: where the rooms are.
    """
    folder = root / room
    elsewhere = "NUMBA_CACHE_DIR" in os.environ or not os.access(folder, os.W_OK)
    if elsewhere or any(folder.rglob(COMPILED)):
        return
    say(
        "the searches are not compiled to machine code yet: what needs them takes a minute or two "
        "longer, once on this machine ('python -m workers.compilation.searches' does all of it)"
    )
