"""The page in a browser."""

from playwright.sync_api import Locator, Page, expect

expect.set_options(timeout=60_000)

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


def draw_all(page: Page) -> None:
    for box in page.locator("main .plot").all():
        box.scroll_into_view_if_needed()
        expect(box).to_have_attribute("data-drawn", "")


def table(page: Page, caption: str) -> Locator:
    return page.locator("table", has=page.locator("caption", has_text=caption)).first
