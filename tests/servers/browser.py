"""A real browser for tests: headless Chromium, which has no network."""

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

import pytest

from .fixtures import present
from .process import MissingServerError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def chromium_program() -> str:
    """Return the path of Chromium.

    Raises:
        MissingServerError: if it is not installed.
    """
    if found := shutil.which("chromium"):
        return found
    raise MissingServerError("chromium is not installed: apt-get install chromium")


class Chromium:
    """A headless Chromium, from entering a `with` block to its end."""

    def __init__(self) -> None:
        self.program = chromium_program()

    def __enter__(self) -> Self:
        from playwright.sync_api import sync_playwright

        self._playwright = sync_playwright().start()
        # Chromium's sandbox refuses to be started by root.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.browser: Browser = self._playwright.chromium.launch(
            executable_path=self.program, args=arguments
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.browser.close()
        self._playwright.stop()


class Visit:
    """A page that is open in a browser, and all that went wrong there.

    Args:
        browser: that opens it.
        address: of the page.
        script: runs before the page's own.
        options: of the context, such as `viewport` and `color_scheme`.
    """

    def __init__(
        self, browser: "Browser", address: str, script: str = "", **options: object
    ) -> None:
        self.context = browser.new_context(offline=True, **options)
        self.page: Page = self.context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if script:
            self.page.add_init_script(script)
        self.page.goto(address)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()


@pytest.fixture(scope="session")
def chromium() -> "Iterator[Browser]":
    """A Chromium that all tests of this process share."""
    with present(Chromium) as running:
        yield running.browser
