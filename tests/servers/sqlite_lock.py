"""A process that holds the lock of an SQLite file, as a backup or a program that hangs does."""

import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

HOLDS = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
connection.execute("PRAGMA locking_mode = " + sys.argv[2])
until = time.monotonic() + 60
while True:
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE alembic_version SET version_num = version_num")
        break
    except sqlite3.OperationalError:
        # Others that read hold off who wants the whole file, without its timeout.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if time.monotonic() > until:
            raise
        time.sleep(0.05)
print("holds", flush=True)
sys.stdin.read()
"""


@contextmanager
def locked(
    file: Path, *, readers: bool = True, meanwhile: Callable[[], None] = lambda: None
) -> Iterator[None]:
    """Hold the lock of a database file until the block ends.

    Args:
        file: of the database, which must have tables.
        readers: whether others may read; they may not while a process owns the whole file.
        meanwhile: is called again and again until the lock is held, such as to close connections.
    """
    mode = "NORMAL" if readers else "EXCLUSIVE"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(file), mode],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None
            while not select.select([process.stdout], [], [], 0.05)[0]:
                meanwhile()
            assert process.stdout.readline() == b"holds\n"
            yield
        finally:
            process.kill()
