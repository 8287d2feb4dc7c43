"""A real PostgreSQL for tests."""

import pwd
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import psycopg

from .process import LocalServer, MissingServerError, ServerError, is_root

USER = "stichwerk"
DEBIAN = Path("/usr/lib/postgresql")


def postgres_folder() -> Path:
    """Return the folder of `initdb` and `postgres`: Debian's newest, else where PATH has them.

    Raises:
        MissingServerError: if they are nowhere.
    """
    versions = sorted(
        (path.parent for path in DEBIAN.glob("*/bin/initdb") if path.parent.parent.name.isdigit()),
        key=lambda folder: int(folder.parent.name),
    )
    if versions:
        return versions[-1]
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    raise MissingServerError("postgresql is not installed: apt-get install postgresql")


def _user() -> str | None:
    """Return who can run it: it refuses to be run by root."""
    if not is_root():
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


class PostgresServer(LocalServer):
    """A PostgreSQL that trusts whoever comes over loopback, and does not wait for the disk."""

    name = "postgres"
    last_words = "QUIT"

    def __init__(self) -> None:
        self.programs = postgres_folder()
        super().__init__(_user())
        made = subprocess.run(
            [
                self.programs / "initdb",
                "--pgdata=data",
                f"--username={USER}",
                "--auth=trust",
                "--no-sync",
                "--encoding=UTF8",
                "--locale=C",
            ],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            **self.identity(),
        )
        if made.returncode:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise ServerError(f"initdb: {made.stderr}")

    def url(self, database: str = "postgres") -> str:
        """Return SQLAlchemy's address of a database."""
        return f"postgresql+psycopg://{USER}@127.0.0.1:{self.port}/{database}"

    def command(self) -> Sequence[str]:
        """Return the command; see `LocalServer.command`."""
        options = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": "",
            "fsync": "off",
            "full_page_writes": "off",
            "max_connections": "200",
        }
        settings = [word for k, v in options.items() for word in ("-c", f"{k}={v}")]
        return [str(self.programs / "postgres"), "-D", "data", *settings]

    def answers(self) -> bool:
        """Tell whether it lets somebody in."""
        try:
            self.connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        """Return a connection that commits by itself."""
        return psycopg.connect(
            host="127.0.0.1",
            port=self.port,
            user=USER,
            dbname=database,
            autocommit=True,
            connect_timeout=5,
        )

    def stop(self) -> None:
        """End it after the questions that it is busy with are broken off."""
        self.signal_and_wait(signal.SIGINT)

    def crash(self) -> None:
        """End it as it is; when it is started again, it recovers what was committed."""
        self.signal_and_wait(signal.SIGQUIT)

    def copy(self) -> None:
        """Keep all of it as it is now, for `fall_back`."""
        shutil.rmtree(self.folder / "copy", ignore_errors=True)
        made = subprocess.run(
            [
                self.programs / "pg_basebackup",
                "--pgdata=copy",
                "--host=127.0.0.1",
                f"--port={self.port}",
                f"--username={USER}",
                "--checkpoint=fast",
                "--no-sync",
            ],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            **self.identity(),
        )
        if made.returncode:
            raise ServerError(f"pg_basebackup: {made.stderr}")

    def fall_back(self, *, promoted: bool = True) -> None:
        """Lose all that was written since `copy`.

        Args:
            promoted: whether the copy is a standby that lags and is promoted now; else it is put
                back as an image, which continues the same timeline.
        """
        self.crash()
        shutil.rmtree(self.folder / "data")
        (self.folder / "copy").rename(self.folder / "data")
        if promoted:
            (self.folder / "data" / "standby.signal").touch()
        self.start()
        if promoted:
            with self.connect() as connection:
                connection.execute("SELECT pg_promote()")

    def create(self, database: str, template: str = "template1") -> str:
        """Make a copy of a database, of an empty one if none is named, and return its address."""
        with self.connect() as connection:
            connection.execute(f'CREATE DATABASE "{database}" TEMPLATE "{template}"')
        return self.url(database)

    def has(self, database: str) -> bool:
        """Tell whether there is such a database."""
        with self.connect() as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (database,))
            return found.fetchone() is not None

    def let_clock_jump(self, database: str) -> None:
        """Make the clock of a database one that `jump` moves, for connections made from now on.

        A function of the same name comes before PostgreSQL's own.
        """
        with self.connect(database) as connection:
            connection.execute("CREATE TABLE clock_ahead AS SELECT interval '0 s' AS by")
            connection.execute(
                "CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS "
                "'SELECT pg_catalog.clock_timestamp() + by FROM public.clock_ahead'"
            )
            connection.execute(f'ALTER DATABASE "{database}" SET search_path = public, pg_catalog')

    def jump(self, database: str, seconds: float) -> None:
        """Set the clock of such a database ahead."""
        with self.connect(database) as connection:
            connection.execute("UPDATE clock_ahead SET by = by + %s * interval '1 s'", (seconds,))

    def drop(self, database: str) -> None:
        """Remove a database, whoever is still connected."""
        with self.connect() as connection:
            connection.execute(f'DROP DATABASE "{database}" WITH (FORCE)')
