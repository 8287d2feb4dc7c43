"""Look for what keeps people from using pages, with axe: on a desktop and a phone, light and dark.

Get axe by `npm install axe-core`, then `.venv/bin/python -m tools.axe --axe
node_modules/axe-core/axe.min.js http://127.0.0.1:8000/play report.html build/site/html`. A folder
stands for the pages in it. It needs Debian's package `chromium`. The exit code is 1 if there is a
serious finding.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tools.pictures import chromium

WINDOWS: dict[str, dict[str, Any]] = {
    f"{device}, {scheme}": {"viewport": size, "color_scheme": scheme}
    for device, size in (
        ("desktop", {"width": 1280, "height": 900}),
        ("phone", {"width": 390, "height": 844}),
    )
    for scheme in ("light", "dark")
}
SERIOUS = ("serious", "critical")
NAME = "STICHWERK_AXE"


def addresses(given: list[str]) -> Iterator[str]:
    """Yield the addresses of pages: those that are given, and those of files and folders."""
    for one in given:
        path = Path(one)
        if path.is_dir():
            yield from (page.resolve().as_uri() for page in sorted(path.rglob("*.html")))
        elif path.exists():
            yield path.resolve().as_uri()
        else:
            yield one


def findings(browser: Browser, axe: str, address: str, window: str) -> list[str]:
    """Return what axe finds at an address; see `on_page`.

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
    """Return what axe finds on a page as it is shown: how serious it is, its rule, and where.

    Args:
        page: in a context that lets scripts in.
        axe: its source.
    """
    page.add_script_tag(content=axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['impact']}: {one['id']}: {one['help']}: {node['target'][0]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


def main() -> int:
    """Print all findings, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pages", nargs="+", help="addresses, files and folders")
    parser.add_argument("--axe", default=os.environ.get(NAME), help=f"axe.min.js; or {NAME}")
    given = parser.parse_args()
    if not given.axe or not Path(given.axe).is_file():
        parser.error(f"--axe or {NAME}: say where axe.min.js is (npm install axe-core)")
    axe, serious, looked = Path(given.axe).read_text(encoding="utf-8"), 0, 0
    with chromium() as browser:
        for address in addresses(given.pages):
            for window in WINDOWS:
                looked += 1
                for finding in findings(browser, axe, address, window):
                    serious += finding.startswith(SERIOUS)
                    print(f"{address} ({window}): {finding}")
    print(f"{looked} looks, {serious} serious findings", file=sys.stderr)
    return int(serious > 0)


if __name__ == "__main__":
    sys.exit(main())
