"""Bundles as one file: a ZIP of plain files, of which nothing is believed until it is checked.

Nothing is ever unpacked onto a disk.
"""

import io
import json
import re
import zipfile
import zlib
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from backends.regular_files import read_regular_file
from compiler.errors import InputError

MANIFEST = "bundle.json"
FORMAT, VERSION = "stichwerk-bundle", 1

MOST_BYTES = 200_000_000
"""Of a bundle, and of all its files together."""

MOST_JSON_BYTES = 20_000_000
MOST_FILES = 10_000
MOST_NESTING = 50
NAME = re.compile(r"[a-z]+/[A-Za-z0-9_-]{1,80}\.[a-z]{1,8}", re.ASCII)
PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
EPOCH = (1980, 1, 1, 0, 0, 0)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as a ZIP, the same bytes for the same files."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    return written.getvalue()


def read_bundle(path: Path) -> Mapping[str, bytes]:
    """Return the files of a bundle, each as its manifest says that it is.

    Raises:
        InputError: if it is no bundle, damaged, or larger than a bundle is.
    """
    try:
        content = read_regular_file(path, MOST_BYTES)
    except OSError as error:
        raise InputError(f"bundle '{path}': cannot be read: {error.strerror}") from error
    try:
        files = _unzipped(content)
        _check_digests(files)
    except InputError as error:
        raise InputError(f"bundle '{path}': {error}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError,
            RuntimeError, OSError) as error:  # fmt: skip
        raise InputError(f"bundle '{path}': is damaged, or no ZIP: {error}") from error
    return files


def parsed(content: bytes, name: str) -> dict[str, Any]:
    """Return the JSON object of a file.

    Raises:
        InputError: if it is none.
    """
    if len(content) > MOST_JSON_BYTES:
        raise InputError(f"{name} takes {len(content):,} bytes; {MOST_JSON_BYTES:,} are allowed")
    depth = 0
    for bracket in re.finditer(rb"[\[\]{}]", content):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > MOST_NESTING:
            raise InputError(f"{name} is nested too deeply")
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is no JSON ({error})") from error
    if not isinstance(found, dict):
        raise InputError(f"{name} is no JSON object")
    return found


def _unzipped(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        if len(entries) > MOST_FILES:
            raise InputError(f"holds {len(entries):,} files; {MOST_FILES:,} are allowed")
        for entry in entries:
            if entry.filename != MANIFEST and not NAME.fullmatch(entry.filename):
                raise InputError(f"holds {entry.filename[:80]!r}, which is no name of its files")
            if entry.flag_bits & 1 or entry.compress_type not in PLAIN:
                raise InputError(f"{entry.filename} is encrypted, or compressed in an unknown way")
        if len({entry.filename for entry in entries}) < len(entries):
            raise InputError("holds two files of one name")
        total = sum(entry.file_size for entry in entries)
        if total > MOST_BYTES:
            raise InputError(f"unpacks to {total:,} bytes; {MOST_BYTES:,} are allowed")
        return {entry.filename: _read(archive, entry) for entry in entries}


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return a file, of which no more is unpacked than its entry says, should that be a lie."""
    with archive.open(entry) as file:
        return file.read(entry.file_size + 1)


def _check_digests(files: Mapping[str, bytes]) -> None:
    if MANIFEST not in files:
        raise InputError(f"has no {MANIFEST}; make one with 'stichwerk records bundle'")
    manifest = parsed(files[MANIFEST], MANIFEST)
    if manifest.get("format") != FORMAT or manifest.get("version") != VERSION:
        raise InputError(
            f"is of format {str(manifest.get('format'))[:40]!r}, version "
            f"{str(manifest.get('version'))[:10]}; this reads {FORMAT!r}, version {VERSION}"
        )
    said = manifest.get("files")
    found = {name: sha256(one).hexdigest() for name, one in files.items() if name != MANIFEST}
    if not isinstance(said, dict) or said.keys() != found.keys():
        raise InputError(f"does not hold the files that {MANIFEST} lists")
    for name, digest in found.items():
        if said[name] != digest:
            raise InputError(f"{name} is not what was written: its SHA-256 is another")
