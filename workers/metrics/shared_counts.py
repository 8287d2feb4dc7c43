"""What the processes of one worker have counted together, those that are gone included."""

import os
import threading
from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

TRIES = 3

GONE = "gone"
"""Stands for a process's number in the names of files that add up what the dead have counted."""

_turns = threading.Lock()


def worker_exposition(folder: Path) -> bytes:
    """Return the sum of what is counted in a folder, in Prometheus's text format.

    Of processes that are gone, however they ended, the counts are kept and the gauges are not.
    """
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
    with _turns:
        _bury_the_dead(folder)
        for _ in range(TRIES - 1):
            try:
                return generate_latest(registry)
            except Exception:  # noqa: BLE001 - a file that is just being made cannot be read
                continue
        return generate_latest(registry)


def _bury_the_dead(folder: Path) -> None:
    """Leave one file a type of all the dead, else there would be more with every one that dies."""
    for file in folder.glob("*.db"):
        kind, _, process = file.stem.rpartition("_")
        if process == GONE or _lives(int(process)):
            continue
        # One that is empty belonged to a process that was killed while it made it.
        if not kind.startswith("gauge") and file.stat().st_size:
            _add(file, folder / f"{kind}_{GONE}.db")
        file.unlink()


def _add(file: Path, total: Path) -> None:
    values = MmapedDict(str(total))  # type: ignore[no-untyped-call]
    try:
        for key, counted, *_ in MmapedDict.read_all_values_from_file(str(file)):  # type: ignore[no-untyped-call]
            before, _ = values.read_value(key)  # type: ignore[no-untyped-call]
            values.write_value(key, before + counted, 0.0)  # type: ignore[no-untyped-call]
    finally:
        values.close()  # type: ignore[no-untyped-call]


def _lives(process: int) -> bool:
    """Tell whether a number is still that of this process or of a child of it."""
    if process == os.getpid():
        return True
    try:
        words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    state, parent = words[0], int(words[1])
    return parent == os.getpid() and state != "Z"
