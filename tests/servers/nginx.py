"""A real nginx before the API, configured as a page of docs/ says, but without TLS."""

import re
import shutil
import signal
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from .process import LocalServer, MissingServerError

DOCS = Path(__file__).parents[2] / "docs"


class NginxServer(LocalServer):
    """An nginx that listens to loopback only.

    Args:
        upstream: port of the API.
        page: of docs/ with the configuration.
        replacements: of texts of the configuration.
    """

    name = "nginx"
    last_words = "KILL"

    def __init__(
        self,
        upstream: int,
        page: str = "http-api.md",
        replacements: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.program = shutil.which("nginx", path="/usr/sbin:/usr/bin")
        if self.program is None:
            raise MissingServerError("nginx is not installed: apt-get install nginx-light")
        self.page = page
        self.replacements = {"127.0.0.1:8000": f"127.0.0.1:{upstream}", **replacements}
        super().__init__()

    def command(self) -> Sequence[str]:
        """Return the command; see `LocalServer.command`."""
        (documented,) = re.findall(
            r"^```nginx\n(.*?)^```", (DOCS / self.page).read_text(), re.M | re.S
        )
        site = re.sub(r"^ *(listen|server_name|ssl_\w+) .*\n", "", documented, flags=re.M)
        site = site.replace("server {", f"server {{\n    listen 127.0.0.1:{self.port};")
        for before, after in self.replacements.items():
            site = site.replace(before, after)
        temporary = "".join(
            f"{kind}_temp_path {self.folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        configuration = self.folder / "nginx.conf"
        configuration.write_text(
            f"daemon off;\npid {self.folder}/pid;\nerror_log stderr error;\n"
            "worker_rlimit_nofile 4096;\nevents { worker_connections 1024; }\n"
            f"http {{\naccess_log off;\n{temporary}{site}}}\n"
        )
        return [self.program or "", "-c", str(configuration)]

    def answers(self) -> bool:
        """Return whether a connection is taken."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def stop(self) -> None:
        """End the process."""
        self.signal_and_wait(signal.SIGTERM)
