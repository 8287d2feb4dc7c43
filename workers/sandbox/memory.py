"""Memory of this machine, or of the container that this process runs in."""

import os
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


def _limits(cgroups: Path, own: Path) -> list[int]:
    try:
        lines = own.read_text().splitlines()
    except OSError:
        return []
    result = []
    for line in lines:
        _, controllers, name = line.split(":", 2)
        if controllers == "memory":
            result += _along(cgroups / "memory", name, "memory.limit_in_bytes")
        elif not controllers:
            result += _along(cgroups, name, "memory.max")
    return result


def _along(root: Path, name: str, file: str) -> list[int]:
    """Return the limits of a group and of those that it is in, as far as they are to be seen."""
    result = []
    folder = root / name.lstrip("/")
    for group in (folder, *folder.parents):
        if not group.is_relative_to(root):
            break
        try:
            text = (group / file).read_text().strip()
        except OSError:
            continue
        # Version 2 says "max" for none.
        if text.isdigit():
            result.append(int(text))
    return result
