"""Reading a file that a user names, which may be anything that a file system has."""

import errno
import os
import stat
from pathlib import Path


def read_regular_file(path: Path, most_bytes: int) -> bytes:
    """Return a file's contents.

    Args:
        path: where it is; neither a pipe without a writer nor a device without an end holds the
            caller up.
        most_bytes: that it may have.

    Raises:
        OSError: if it cannot be read, is no regular file, or is larger than that; its `strerror`
            says so.
    """
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except ValueError as error:
        raise OSError(errno.EINVAL, "not a file's name", str(path)) from error
    with os.fdopen(opened, "rb") as file:
        kind = os.fstat(opened).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(kind):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"more than {most_bytes:,} bytes", str(path))
    return content
