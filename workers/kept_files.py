"""Files that can be made again: where they are kept, and how they are written."""

import errno
import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from compiler.errors import InputError


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
