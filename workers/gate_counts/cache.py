"""What was counted before: small files named by all that decides their contents."""

import json
from hashlib import sha256
from pathlib import Path

from attrs import asdict, frozen

from compiler.errors import InputError
from workers.compilation.orders import CompileOrder
from workers.gate_counts.counts import PROOFS, Counts
from workers.gate_counts.environment import all_versions, source_digest
from workers.kept_files import cache_folder, write_text


def default_folder() -> Path:
    """Return where counts are kept if nobody says where."""
    return cache_folder() / "gates"


def cache_key(order: CompileOrder) -> str:
    """Return the SHA-256 of what was asked, our source and all versions, in hexadecimal."""
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
        """Return what is kept under a key, None if nothing usable is."""
        try:
            kept = json.loads(self._path(key).read_bytes())
            counts = Counts(**kept["counts"])
            intact = kept["check"] == _check(key, counts)
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
    """Return what a file must end with, so that a changed figure is noticed."""
    return sha256(f"{key} {json.dumps(asdict(counts), sort_keys=True)}".encode()).hexdigest()
