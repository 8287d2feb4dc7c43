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


BOARD = {"game": "five-in-a-row", "seats": ["person", "person"], "options": {"size": "9"}}
BOARD_MOVES = ("S+ E5 F5", "X E6", "S+ E4 F6", "E E4-D3 F6-G7", "S- D5 C5")
BOARD_CLICKS = ("sort-E", "point-E5", "point-E7", "point-F5")
BOARDS: dict[str, Any] = {
    "board": {"viewport": {"width": 1200, "height": 900}, "color_scheme": "light"},
    "board-phone": PICTURES["phone"],
}
"""What pictures of a board are taken with; they show an answer that is being put together."""


def begun(server: APIRequestContext) -> str:
    """Play the beginning of a match on a board, and return the link of whoever moves."""
    told = server.post("/play/matches", data=BOARD).json()
    links = [str(one["link"]) for one in told["seats"]]
    for number, move in enumerate(BOARD_MOVES):
        body = {"move": move, "number": number // 2}
        server.post(f"{links[number % 2]}/moves", data=body)
    return links[len(BOARD_MOVES) % 2]


def take_board(browser: Browser, server: str, link: str, name: str) -> Path:
    """Take one picture of a board, with a move half put together."""
    context = browser.new_context(base_url=server, **BOARDS[name])
    page = context.new_page()
    page.goto(link)
    for place, clicked in enumerate(BOARD_CLICKS):
        page.locator(f"#{clicked}").click()
        if place:
            page.locator(".point.chosen").nth(place - 1).wait_for()
        else:
            page.locator(f"#{clicked}[aria-pressed=true]").wait_for()
    page.locator("#point-C5").focus()
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path, full_page=True)
    context.close()
    return path


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
        board = begun(requests)
        for name in BOARDS:
            path = take_board(browser, server, board, name)
            print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()
