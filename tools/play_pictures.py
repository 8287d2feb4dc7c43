"""Take the pictures of a match that `docs/play/` holds.

Run `stichwerk serve`, then `.venv/bin/python -m tools.play_pictures --server
http://127.0.0.1:8000`. Needs Debian's package `chromium`.
"""

import argparse
import os
import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import APIRequestContext, Browser, sync_playwright

FOLDER = Path(__file__).parents[1] / "docs" / "play"
PICTURES: dict[str, Any] = {
    "desktop": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 390, "height": 1150}, "color_scheme": "dark",
              "has_touch": True, "is_mobile": True},
}  # fmt: skip
"""What each picture is taken with."""
MATCH = {"game": "six-nimmt", "seats": ["person", "person", "greedy"], "seed": 7}
TURNS = 6
OPERATIONS = ("H", "CNOT", "H", "hSwap", "Z", "H")
"""What both people do, turn by turn."""


def played(server: APIRequestContext) -> str:
    """Play some turns of a match, and return the link of seat 0."""
    told = server.post("/play/matches", data=MATCH).json()
    links = {one["seat"]: one["link"] for one in told["seats"] if one["link"]}
    while True:
        watched = server.get(f"{told['watch']}/view").json()["view"]
        if watched["turn"] == TURNS and watched["to_move"] == list(links):
            return str(links[0])
        seat = watched["to_move"][0]
        seen = server.get(f"{links[seat]}/view").json()
        moves = seen["view"]["legal_moves"]
        operation = OPERATIONS[watched["turn"] % len(OPERATIONS)]
        move = next((one for one in moves if one.endswith(f" {operation}")), moves[-1])
        body = {"move": move, "number": seen["moves_made"]}
        server.post(f"{links[seat]}/moves", data=body)


def take(browser: Browser, server: str, link: str, name: str) -> Path:
    """Take one picture, with a card chosen."""
    context = browser.new_context(base_url=server, **PICTURES[name])
    page = context.new_page()
    page.goto(link)
    page.locator(".pieces label").nth(1).click()
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path, full_page=name == "phone")
    context.close()
    return path


def main() -> None:
    """Take all pictures and print their sizes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--server", required=True, help="address of `stichwerk serve`")
    server = parser.parse_args().server
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        requests = playwright.request.new_context(base_url=server)
        link = played(requests)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox"] if os.geteuid() == 0 else [],
        )
        for name in PICTURES:
            path = take(browser, server, link, name)
            print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()
