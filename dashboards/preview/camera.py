"""Takes a picture of a page of panels when all of them have been drawn."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen
from PIL import Image
from playwright.sync_api import Browser, Error, Page, sync_playwright

from compiler.errors import InputError
from dashboards.preview.page import PreviewError

LIMIT_MILLISECONDS = 120_000
LOOK_MILLISECONDS = 700
STEADY_LOOKS = 2
MOST_LOOKS = 60
LEAST_HEIGHT = 400


@frozen
class Look:
    """What was seen while a picture was taken.

    Args:
        errors: of panels and of the page itself, a line each.
        empty: titles of panels whose queries answered nothing.
    """

    errors: tuple[str, ...]
    empty: tuple[str, ...]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the machine's own Chromium, without a window."""
    binary = shutil.which("chromium") or shutil.which("google-chrome")
    if binary is None:
        raise InputError("there is no chromium on the path; install it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def photograph(browser: Browser, url: str, width: int, picture: Path) -> Look:
    """Open a dashboard's page and write its picture.

    Args:
        browser: from `chromium`.
        url: of the page.
        width: of the picture, in pixels.
        picture: the PNG file to write.

    Raises:
        PreviewError: the page did not come to an end.
    """
    context = browser.new_context(viewport={"width": width, "height": 1000}, timezone_id="UTC")
    try:
        page = context.new_page()
        thrown: list[str] = []
        page.on("pageerror", lambda error: thrown.append(str(error).splitlines()[0]))
        page.goto(url)
        try:
            _fit(page, width)
        except Error as error:
            reason = thrown[0] if thrown else str(error).splitlines()[0]
            raise PreviewError(f"the page did not finish: {reason}") from error
        page.locator("#dashboard").screenshot(path=picture)
        # 256 colours make a third of the bytes. Chosen by coverage, those of few pixels, as in
        # texts, stay; k-means then brings those of many, as in backgrounds, to their own.
        few = Image.open(picture).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, 3)
        few.save(picture, optimize=True)
        seen = page.evaluate("window.preview.status()")
        return Look(errors=(*seen["errors"], *thrown), empty=tuple(seen["empty"]))
    finally:
        context.close()


def _fit(page: Page, width: int) -> None:
    """Wait until all data is there and the page's height stays, as high as the window then is."""
    done = "window.preview && window.preview.status().done"
    height, steady = 0, 0
    for _ in range(MOST_LOOKS):
        if steady == STEADY_LOOKS:
            return
        page.wait_for_function(done, timeout=LIMIT_MILLISECONDS)
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(LOOK_MILLISECONDS)
        found = max(LEAST_HEIGHT, page.evaluate("window.preview.fit()"))
        steady = steady + 1 if found == height else 0
        if found != height:
            height = found
            page.set_viewport_size({"width": width, "height": height})
    raise PreviewError(f"the page's height does not settle: {height} pixels at last")
