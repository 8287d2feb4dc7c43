"""Take the pictures of a report that `docs/report/` holds.

Run `stichwerk report -o report.html`, then `.venv/bin/python -m tools.report_pictures --report
report.html`. Needs Debian's package `chromium`.
"""

import argparse
import os
import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).parents[1] / "docs" / "report"
PICTURES: dict[str, Any] = {
    "desktop": {"viewport": {"width": 1280, "height": 1700}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 390, "height": 1500}, "color_scheme": "dark",
              "has_touch": True},
}  # fmt: skip
"""What each picture is taken with."""


def take(browser: Browser, report: Path, name: str) -> Path:
    """Take one picture, of the top of the page on a desktop, of its first plots on a phone."""
    context = browser.new_context(**PICTURES[name])
    page = context.new_page()
    page.goto(report.absolute().as_uri())
    page.locator(".plot").first.wait_for()
    if name == "phone":
        page.locator("#fidelity").scroll_into_view_if_needed()
        page.evaluate("document.getElementById('fidelity').scrollIntoView()")
    for box in page.locator("main .plot").all():
        if box.evaluate("box => box.getBoundingClientRect().top < innerHeight"):
            box.and_(page.locator("[data-drawn]")).wait_for()
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    context.close()
    return path


def main() -> None:
    """Take all pictures and print their sizes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--report", type=Path, required=True, help="the page")
    report = parser.parse_args().report
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox"] if os.geteuid() == 0 else [],
        )
        for name in PICTURES:
            path = take(browser, report, name)
            print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()
