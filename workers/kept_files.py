"""Files that can be made again, where they are kept, and by what they are out of date."""

import errno
import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from compiler.errors import InputError

PURE = ("compiler", "games")
"""Rooms whose results follow from their sources alone."""
SOURCES = (".py", ".toml")


def cache_folder() -> Path:
    """Return our part of the user's folder for what can be made again, as XDG says.

    Raises:
        InputError: if the user has none.
    """
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if given.is_absolute():
        return given / "stichwerk"
    try:
        return Path.home() / ".cache" / "stichwerk"
    except RuntimeError as error:
        raise InputError("this user has no home folder: set XDG_CACHE_HOME to one") from error


def pure_sources(root: Path) -> list[Path]:
    """Return the sources of the rooms that compute and do nothing else.

    Args:
        root: the folder that the rooms are in.
    """
    return [
        Path(folder, name)
        for room in PURE
        for folder, _, names in os.walk(root / room)
        for name in names
        if name.endswith(SOURCES)
    ]


def digest_of(root: Path, files: Iterable[Path]) -> str:
    """Return the SHA-256 of files, their names below `root` and contents, in hexadecimal."""
    digest = sha256()
    for path in sorted(map(str, files)):
        content = Path(path).read_bytes()
        digest.update(f"{os.path.relpath(path, root)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def write_text(path: Path, text: str) -> None:
    """Replace a file's contents at once: whoever reads it sees the old or the new ones.

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
