"""A count of a suite: cached counts are read, the others are compiled side by side."""

import errno
import json
import os
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import perf_counter

from attrs import asdict, frozen

from compiler.errors import InputError
from compiler.words.held_inputs import from_zero_suffix
from compiler.words.plurals import how_many
from workers.compilation.orders import CompileOrder
from workers.gate_counts.counts import PROOFS, Counts
from workers.gate_counts.environment import all_versions, fixed_pool, source_digest
from workers.gate_counts.programs import counted, objection
from workers.gate_counts.suite import Entry, holds_on_any_input
from workers.logs import Interim


def cache_folder() -> Path:
    """Return our folder in the user's cache, as XDG defines it.

    Raises:
        InputError: if the user has none.
    """
    folder = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if folder.is_absolute():
        return folder / "stichwerk"
    try:
        return Path.home() / ".cache" / "stichwerk"
    except RuntimeError as error:
        raise InputError("this user has no home folder: set XDG_CACHE_HOME to one") from error


def write_text(path: Path, text: str) -> None:
    """Replace a file's contents at once: a reader sees the old or the new ones.

    Raises:
        OSError: if it cannot be written, or is no regular file: a device would be replaced, too.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    with NamedTemporaryFile(
        "w", dir=path.parent, prefix=f".{path.name}.", delete=False, encoding="utf-8"
    ) as file:
        part = Path(file.name)
        try:
            file.write(text)
            file.close()
            part.chmod(0o644)
            os.replace(part, path)  # noqa: PTH105 - the very same, and says so
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def default_folder() -> Path:
    """Return the default folder of cached counts."""
    return cache_folder() / "gates"


def cache_key(order: CompileOrder) -> str:
    """Return the SHA-256 of the request, our source and all versions, in hexadecimal."""
    contents = {
        "program": order.source.digest,
        "target": order.target,
        "options": order.as_json(),
        "versions": all_versions(),
        "source": source_digest(),
    }
    return sha256(json.dumps(contents, sort_keys=True).encode()).hexdigest()


@frozen
class Cache:
    """Counts in a folder, one file a key.

    Runs may share it: a file is written under another name and then renamed, and two that write
    the same key write the same. A damaged file counts as none.

    Args:
        folder: where they are; it is made when the first is kept.
    """

    folder: Path

    def find(self, key: str) -> Counts | None:
        """Return the entry of a key, None if there is no usable one."""
        try:
            entry = json.loads(self._path(key).read_bytes())
            counts = Counts(**entry["counts"])
            intact = entry["check"] == _check(key, counts)
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        sound = counts.verified in PROOFS and not counts.failed
        return counts if intact and sound else None

    def keep(self, key: str, counts: Counts) -> None:
        """Keep counts under a key.

        Raises:
            InputError: if the folder cannot be written.
        """
        path = self._path(key)
        text = json.dumps({"counts": asdict(counts), "check": _check(key, counts)})
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, text + "\n")
        except OSError as error:
            raise InputError(
                f"cache '{self.folder}' cannot be written: {error.strerror}; choose another with "
                "--cache, or none with --no-cache"
            ) from error

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def _check(key: str, counts: Counts) -> str:
    """Return the digest of an entry, by which a changed file is noticed."""
    return sha256(f"{key} {json.dumps(asdict(counts), sort_keys=True)}".encode()).hexdigest()


Progress = Callable[[str], None]


@frozen
class Counted:
    """Counts, and whether they were known from before."""

    counts: Counts
    cached: bool


def count_all(
    entries: Sequence[Entry], processes: int, cache: Cache | None, progress: Progress
) -> list[Counted]:
    """Return the counts of every entry, in their order.

    Everything is checked before the first is compiled; entries with invalid input are refused.

    Args:
        entries: to be counted.
        processes: that compile side by side; the counts do not depend on their number.
        cache: of counts; None for no cache.
        progress: receives a line for each entry that is compiled.

    Raises:
        InputError: if the cache cannot be written.
        LoweringError: if a process died.
    """
    keys = [cache_key(entry.order) if cache else "" for entry in entries]
    cached = {
        place: counts
        for place, key in enumerate(keys)
        if cache and (counts := cache.find(key)) is not None
    }
    missing = [place for place in range(len(entries)) if place not in cached]
    results = {place: Counted(counts, cached=True) for place, counts in cached.items()}
    if cache:
        number = how_many(len(entries), "entry", "entries")
        progress(f"known from {cache.folder}: {len(cached)} of {number}")
    for place, counts in _compiled([entries[place] for place in missing], processes, progress):
        results[missing[place]] = Counted(counts, cached=False)
        if cache and not counts.failed:
            cache.keep(keys[missing[place]], counts)
    return [results[place] for place in range(len(entries))]


def _compiled(
    entries: Sequence[Entry], processes: int, progress: Progress
) -> Iterator[tuple[int, Counts]]:
    if not entries:
        return
    orders = [entry.order for entry in entries]
    started = perf_counter()
    with fixed_pool(min(processes, len(entries))) as pool:
        objections = dict(pool.each(objection, orders))
        valid = []
        for place, entry in enumerate(entries):
            if reason := entry.refusal or objections[place]:
                yield place, Counts.of_failure(reason, "refused")
            else:
                valid.append(place)
        each = pool.each(counted, [orders[place] for place in valid])
        for done, (number, counts) in enumerate(each, start=1):
            entry = entries[valid[number]]
            line = (
                f"{entry.title}: {_result_text(entry, counts)} "
                f"({done} of {len(valid)}, {perf_counter() - started:.0f} s)"
            )
            progress(Interim(line) if done < len(valid) else line)
            yield valid[number], counts


def _result_text(entry: Entry, counts: Counts) -> str:
    if counts.failed:
        return f"failed: {counts.detail}"
    suffix = from_zero_suffix(from_zero=not holds_on_any_input(entry.key))
    return f"{how_many(counts.two_qubit_gates, 'two-qubit gate')}{suffix}, {counts.verified}"
