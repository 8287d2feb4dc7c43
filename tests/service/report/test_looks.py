"""How the page looks: its width, its colours, on paper, and to a screen reader."""

import pytest
from playwright.sync_api import Browser, Page

from tests.servers.browser import Visit
from tests.service.report.on_screen import DESKTOP, PHONE, draw_all, table
from tools.axe import SERIOUS, WINDOWS, on_page

LUMINANCE = """colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((c) => c / 255)
        .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}"""


COLOURS = """element => {
    const behind = (one) => getComputedStyle(one).backgroundColor;
    let ground = element;
    while (behind(ground) === 'rgba(0, 0, 0, 0)') ground = ground.parentElement;
    return [getComputedStyle(element).color, behind(ground)];
}"""


def check_width(page: Page, width: int) -> None:
    assert page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [width, width]
    wide = page.locator("main .scroll, main .plot, main .panel").evaluate_all(
        "boxes => boxes.filter((b) => b.getBoundingClientRect().right > innerWidth).length"
    )
    assert wide == 0
    box = table(page, "Jobs, the newest first").locator("..")
    assert box.evaluate("box => box.scrollWidth > box.clientWidth && box.tabIndex === 0")


def test_only_boxes_scroll_sideways_on_a_desktop(page: Page) -> None:
    check_width(page, DESKTOP["width"])


def test_only_boxes_scroll_sideways_on_a_phone(chromium, address: str) -> None:
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    with Visit(chromium, address, **phone) as opened:
        draw_all(opened.page)
        check_width(opened.page, PHONE["width"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(chromium, address: str, scheme: str) -> None:
    with Visit(chromium, address, viewport=DESKTOP, color_scheme=scheme) as opened:
        page = opened.page
        chosen = (
            "h1", "h2", "h3", "nav a", ".says", "caption", "thead th", "tbody td", "tbody a",
            ".badge.good", ".badge.bad", ".badge.open", ".tiles dt", ".tiles dd", ".note.bad",
            "summary", ".facts dt", ".facts dd", "button", "select", "output",
        )  # fmt: skip
        for selector in chosen:
            pair = page.locator(selector).first.evaluate(COLOURS)
            light = sorted((page.evaluate(LUMINANCE, colour) for colour in pair), reverse=True)
            contrast = (light[0] + 0.05) / (light[1] + 0.05)
            assert contrast >= 4.5, f"{selector}: {pair}"
        [paper] = page.evaluate(f"[({LUMINANCE})(getComputedStyle(document.body).backgroundColor)]")
        assert (paper < 0.1) == (scheme == "dark")


def test_what_a_screen_reader_is_told(page: Page) -> None:
    for role, least in (("banner", 1), ("main", 1), ("navigation", 1), ("region", 11)):
        assert page.get_by_role(role).count() >= least
    assert page.get_by_role("region", name="Fidelity over time").count() == 1
    described = page.locator("main .plot").evaluate_all(
        "boxes => boxes.every((box) => box.role === 'group' && box.ariaLabel.length > 20)"
    )
    assert described
    unnamed = page.locator("button, select, input").evaluate_all(
        """controls => controls.filter((control) => !control.ariaLabel && !control.labels?.length
            && !control.textContent.trim()).length"""
    )
    assert unnamed == 0


@pytest.mark.full
@pytest.mark.parametrize("window", WINDOWS)
def test_everything_of_it(chromium: Browser, address: str, axe: str, window: str) -> None:
    with Visit(
        chromium, address, reduced_motion="reduce", bypass_csp=True, **WINDOWS[window]
    ) as it:
        draw_all(it.page)
        assert [one for one in on_page(it.page, axe) if one.startswith(SERIOUS)] == []
