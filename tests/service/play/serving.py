"""A real server for pages, and browsers that look at them."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.servers.process import wait_until

TIMEOUT_MS = 120_000
expect.set_options(timeout=TIMEOUT_MS)
DESKTOP = {"width": 1280, "height": 900}
RECORDS = "r.sqlite"
PHONE = {"width": 390, "height": 844}
SOONER = """const real = setTimeout;
window.setTimeout = (what, ms, ...given) => real(what, Math.min(ms, 100), ...given);"""
"""Lets pages look for what is new every tenth of a second."""


@frozen
class Server:
    """A running `stichwerk serve`."""

    address: str
    log: Path
    process: "subprocess.Popen[bytes]"


@contextmanager
def running(folder: Path, port: int = 0, **variables: str) -> Iterator[Server]:
    """Yield a server that works in a folder, on any free port if none is given.

    Args:
        folder: the current folder of the server.
        port: the port that it listens at.
        variables: additions to its environment.
    """
    log = folder / "log"
    with log.open("w") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "service", "serve", "--port", str(port), "--database", RECORDS],
            cwd=folder,
            stderr=stderr,
            env=os.environ | variables,
        )
    try:
        assert wait_until(lambda: "serving on" in log.read_text() or process.poll(), 120)
        found = re.search(r"serving on (http://127\.0\.0\.1:\d+)", log.read_text())
        assert found is not None, log.read_text()
        yield Server(found[1], log, process)
    finally:
        process.terminate()
        process.wait(60)


def opened(chromium: Browser, address: str, complaints: list[str], **options) -> BrowserContext:
    """Return a browser's window; what its pages complain of is added to `complaints`."""
    context = chromium.new_context(base_url=address, **options)
    context.add_init_script(SOONER)
    context.on("console", lambda message: complaints.append(message.text))
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    return context


def check_fits(page: Page) -> None:
    """Find nothing of a page to lie beyond its right edge, once its style sheets have come."""
    page.wait_for_load_state()  # what a page says can be read before that
    assert page.viewport_size is not None
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= page.viewport_size["width"], page.url
