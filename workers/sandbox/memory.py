"""Memory of this machine, or of the container that this process runs in."""

import os
from collections.abc import Iterator
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
FRACTION = 0.8
"""Share of the memory for computing; the rest is for the system and other programs."""

PROGRAMS_BYTES = 512 << 20
"""Memory of the programs themselves; their processes share most of it."""

MIN_BYTES = 128 << 20


def share(processes: int) -> int:
    """Return the bytes that each of some processes side by side may take to compute."""
    free = FRACTION * memory_bytes() - PROGRAMS_BYTES
    return max(MIN_BYTES, int(free / processes))


def memory_bytes(cgroups: Path = CGROUPS, own: Path = Path("/proc/self/cgroup")) -> int:
    """Return the bytes of memory that there are: the least of the machine's and every limit.

    Args:
        cgroups: where the kernel shows control groups, of version 1 or 2.
        own: the file that says which this process belongs to.
    """
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([machine, *_limits(cgroups, own)])


def _limits(cgroups: Path, own: Path) -> Iterator[int]:
    """Yield the limits of this process's groups and of those that they are in."""
    for line in own.read_text().splitlines() if own.is_file() else ():
        _, controllers, name = line.split(":", 2)
        root, file = cgroups, "memory.max"
        if controllers == "memory":
            root, file = cgroups / "memory", "memory.limit_in_bytes"
        folder = root / name.lstrip("/")
        for group in (folder, *folder.parents):
            limit = group / file
            # Version 2 says "max" for none.
            if (
                group.is_relative_to(root)
                and limit.is_file()
                and limit.read_text().strip().isdigit()
            ):
                yield int(limit.read_text())
