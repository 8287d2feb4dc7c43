"""A real server for pages, and browsers that look at them."""

from contextlib import AbstractContextManager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.servers.commands import SERVING, RunningCommand, running_command

TIMEOUT_MS = 120_000
expect.set_options(timeout=TIMEOUT_MS)
DESKTOP = {"width": 1280, "height": 900}
RECORDS = "r.sqlite"
PHONE = {"width": 390, "height": 844}
SOONER = """const real = setTimeout;
window.setTimeout = (what, ms, ...given) => real(what, Math.min(ms, 100), ...given);"""
"""Lets pages look for what is new every tenth of a second."""


def running(
    folder: Path, port: int = 0, **variables: str
) -> AbstractContextManager[RunningCommand]:
    """Run a server with one reader in a folder, on any free port if none is given."""
    words = ("serve", "--port", str(port), "--database", RECORDS)
    variables = {"STICHWERK_READERS": "1"} | variables
    return running_command(folder, *words, ready=SERVING, **variables)


def opened(chromium: Browser, address: str, complaints: list[str], **options) -> BrowserContext:
    """Return a browser's window; what its pages complain of is added to `complaints`."""
    context = chromium.new_context(base_url=address, **options)
    context.set_default_timeout(120_000)
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
