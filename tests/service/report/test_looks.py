"""How the page looks: its width, its colours, on paper, and to a screen reader."""

import pytest
from playwright.sync_api import Browser, Page

from tests.servers.browser import Visit
from tests.service.report.on_screen import DESKTOP, PHONE, draw_all
from tools.axe import SERIOUS, WINDOWS, on_page


def check_width(page: Page, width: int) -> None:
    assert page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [width, width]
    wide = page.locator("main .scroll, main .plot, main .panel").evaluate_all(
        "boxes => boxes.filter((b) => b.getBoundingClientRect().right > innerWidth).length"
    )
    assert wide == 0
    cut = page.locator("main .scroll").evaluate_all(
        "boxes => boxes.filter((b) => b.scrollWidth > b.clientWidth).map((b) => b.ariaLabel)"
    )
    assert cut == []


def test_no_table_is_cut_off_on_a_desktop(page: Page) -> None:
    check_width(page, DESKTOP["width"])


def test_no_table_is_cut_off_on_a_phone(chromium, address: str) -> None:
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    with Visit(chromium, address, **phone) as opened:
        draw_all(opened.page)
        check_width(opened.page, PHONE["width"])


@pytest.mark.full
@pytest.mark.parametrize("window", WINDOWS)
def test_everything_of_it(chromium: Browser, address: str, axe: str, window: str) -> None:
    with Visit(
        chromium, address, reduced_motion="reduce", bypass_csp=True, **WINDOWS[window]
    ) as it:
        draw_all(it.page)
        assert [one for one in on_page(it.page, axe) if one.startswith(SERIOUS)] == []
