"""Sign-in at a proxy, configured as docs/sign-in.md says; a stand-in plays oauth2-proxy."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, expect
from sqlalchemy.orm import Session

from tests.servers.nginx import NginxServer
from tests.service.play.serving import RECORDS, opened, running
from workers.accounts.tokens import create_token
from workers.records.database import open_database

SESSION = "session=alice"


class SignIn(BaseHTTPRequestHandler):
    """The addresses of oauth2-proxy: who has a session, and the start of one."""

    def do_GET(self) -> None:
        """Answer nginx, or sign a browser in."""
        address = urlsplit(self.path)
        signed_in = SESSION in self.headers.get("Cookie", "")
        starts = address.path == "/oauth2/start"
        self.send_response(302 if starts else 202 if signed_in else 401)
        if starts:
            self.send_header("Set-Cookie", f"{SESSION}; Path=/; HttpOnly")
            self.send_header("Location", parse_qs(address.query)["rd"][0])
        elif signed_in:
            self.send_header("X-Auth-Request-Email", "alice@lab.example")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        """Write nothing."""


def test_a_user_without_a_token_sees_jobs(tmp_path: Path, chromium: Browser) -> None:
    engine = open_database(str(tmp_path / RECORDS))
    with Session(engine) as session:
        token = create_token(session, "alice", ["read"])
    engine.dispose()
    complaints: list[str] = []
    with running(tmp_path) as served, ThreadingHTTPServer(("127.0.0.1", 0), SignIn) as sign_in:
        Thread(target=sign_in.serve_forever, daemon=True).start()
        replacements = {"127.0.0.1:4180": f"127.0.0.1:{sign_in.server_port}", "stw_…": token}
        with NginxServer(served.port, "sign-in.md", replacements) as nginx:
            address = f"http://127.0.0.1:{nginx.port}"
            context = opened(chromium, address, complaints)
            page = context.new_page()
            page.goto("/jobs")
            expect(page.locator("#holder")).to_have_text("alice: read")
            assert token not in str(context.cookies())
            assert context.request.get("/jobs").json()["jobs"] == []
            context.close()
        sign_in.shutdown()
    assert complaints == []
