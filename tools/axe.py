"""Axe on a page, on a desktop and a phone, light and dark: tests of accessibility."""

from typing import Any

from playwright.sync_api import Browser, Page

WINDOWS: dict[str, dict[str, Any]] = {
    f"{device}, {scheme}": {"viewport": size, "color_scheme": scheme}
    for device, size in (
        ("desktop", {"width": 1280, "height": 900}),
        ("phone", {"width": 360, "height": 780}),
    )
    for scheme in ("light", "dark")
}
SERIOUS = ("serious", "critical")


def findings(browser: Browser, axe: str, address: str, window: str) -> list[str]:
    """Return axe's findings at an address; see `on_page`.

    Args:
        browser: that shows the page.
        axe: its source.
        address: of the page.
        window: one of `WINDOWS`.
    """
    # The policy of our pages lets no script in.
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce", **WINDOWS[window])
    try:
        page = context.new_page()
        page.goto(address)
        return on_page(page, axe)
    finally:
        context.close()


def on_page(page: Page, axe: str) -> list[str]:
    """Return axe's findings on a page: severity, rule, and place.

    Args:
        page: in a context that lets scripts in.
        axe: its source.
    """
    page.add_script_tag(content=axe)
    report = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{violation['impact']}: {violation['id']}: {violation['help']}: {node['target'][0]}"
        for violation in report["violations"]
        for node in violation["nodes"]
    ]
