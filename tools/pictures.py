"""Take the pictures of pages that `docs/` holds, with Debian's package `chromium`.

- `.venv/bin/python -m tools.pictures report --report report.html`, after `stichwerk report -o
  report.html`;
- `… play --server http://127.0.0.1:8000`, or `advise`, beside `stichwerk serve`;
- `… jobs --server http://127.0.0.1:8000 --token stw_…`, beside `stichwerk up` in an empty folder,
  in which `stichwerk token create pictures --scope submit --scope read --scope cancel` was run.
"""

import argparse
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import APIRequestContext, Browser, Page, sync_playwright

DOCS = Path(__file__).parents[1] / "docs"
PHONE: Mapping[str, Any] = {"color_scheme": "dark", "has_touch": True, "is_mobile": True}
WINDOWS: Mapping[str, Mapping[str, Any]] = {
    "report/desktop": {"viewport": {"width": 1280, "height": 1700}, "color_scheme": "light"},
    "report/phone": {"viewport": {"width": 390, "height": 1500}, "color_scheme": "dark",
                     "has_touch": True},
    "jobs/desktop": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "jobs/phone": {"viewport": {"width": 390, "height": 844}, **PHONE},
    "advise/page": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "play/desktop": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "play/phone": {"viewport": {"width": 390, "height": 1150}, **PHONE},
    "play/board": {"viewport": {"width": 1200, "height": 900}, "color_scheme": "light"},
    "play/board-phone": {"viewport": {"width": 390, "height": 1150}, **PHONE},
}  # fmt: skip
"""Windows by the names of their pictures."""

PROGRAMS, BACKENDS = ("skat-4", "skat-6"), ("sparse", "aer:boston")
MATCH = {"game": "six-nimmt", "seats": ["person", "person", "greedy"], "seed": 7}
TURNS = 6
OPERATIONS = ("H", "CNOT", "H", "hSwap", "Z", "H")
"""Moves of both players, turn by turn."""

BOARD = {"game": "five-in-a-row", "seats": ["person", "person"], "options": {"size": "9"}}
BOARD_MOVES = ("S+ E5 F5", "X E6", "S+ E4 F6", "E E4-D3 F6-G7", "S- D5 C5")
BOARD_CLICKS = ("sort-E", "point-E5", "point-E7", "point-F5")
"""A move that is put together as far as the picture shows it."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run Debian's Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox"] if os.geteuid() == 0 else [],
        )
        yield browser
        browser.close()


def of_report(page: Page, name: str, report: Path) -> bool:
    """Show the top of a report on a desktop, its first plots on a phone."""
    page.goto(report.absolute().as_uri())
    page.locator(".plot").first.wait_for()
    if name == "report/phone":
        page.locator("#fidelity").scroll_into_view_if_needed()
        page.evaluate("document.getElementById('fidelity').scrollIntoView()")
    for box in page.locator("main .plot").all():
        if box.evaluate("box => box.getBoundingClientRect().top < innerHeight"):
            box.and_(page.locator("[data-drawn]")).wait_for()
    return False


def of_jobs(page: Page, name: str, token: str, job: int) -> bool:
    """Show the list of jobs on a phone, with a job beside it on a desktop."""
    page.goto("/jobs" if name == "jobs/phone" else f"/jobs/{job}")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.locator(f"#jobs tr[data-job='{job}'] .badge.good").wait_for(timeout=300_000)
    if name == "jobs/desktop":
        page.locator("#job-state .good").wait_for()
    page.evaluate("document.activeElement.blur()")
    return False


def of_advice(page: Page, _: str) -> bool:
    """Show all of the advice on the first example."""
    page.goto("/advise")
    page.get_by_role("button", name="Show advice").click()
    page.locator(".said .asked").wait_for(timeout=300_000)
    return True


def of_match(page: Page, name: str, cards: str, board: str) -> bool:
    """Show a match with a card chosen, or a board with a move half put together."""
    if not name.startswith("play/board"):
        page.goto(cards)
        page.locator(".pieces label").nth(1).click()
        return name == "play/phone"
    page.goto(board)
    for place, clicked in enumerate(BOARD_CLICKS):
        page.locator(f"#{clicked}").click()
        if place:
            page.locator(".point.chosen").nth(place - 1).wait_for()
        else:
            page.locator(f"#{clicked}[aria-pressed=true]").wait_for()
    page.locator("#point-C5").focus()
    return True


def submitted(server: APIRequestContext) -> list[int]:
    """Submit jobs, and return their numbers."""
    requests = [
        {"program": program, "backend": backend, "tag": "night", "shots": 2000, "method": "fast"}
        for program in PROGRAMS
        for backend in BACKENDS
    ]
    answers = [server.post("/jobs", data=request).json() for request in requests]
    return [int(job["id"]) for answer in answers for job in answer["jobs"]]


def begun(server: APIRequestContext) -> str:
    """Play the beginning of a match on a board, and return the link of the next player."""
    match = server.post("/play/matches", data=BOARD).json()
    links = [str(seat["link"]) for seat in match["seats"]]
    for number, move in enumerate(BOARD_MOVES):
        body = {"move": move, "number": number // 2}
        server.post(f"{links[number % 2]}/moves", data=body)
    return links[len(BOARD_MOVES) % 2]


def played(server: APIRequestContext) -> str:
    """Play some turns of a match, and return the link of seat 0."""
    match = server.post("/play/matches", data=MATCH).json()
    links = {place["seat"]: place["link"] for place in match["seats"] if place["link"]}
    while True:
        watched = server.get(f"{match['watch']}/view").json()["view"]
        if watched["turn"] == TURNS and watched["to_move"] == list(links):
            return str(links[0])
        seat = watched["to_move"][0]
        seen = server.get(f"{links[seat]}/view").json()
        moves = seen["view"]["legal_moves"]
        operation = OPERATIONS[watched["turn"] % len(OPERATIONS)]
        move = next((text for text in moves if text.endswith(f" {operation}")), moves[-1])
        body = {"move": move, "number": seen["moves_made"]}
        server.post(f"{links[seat]}/moves", data=body)


def take(browser: Browser, server: str, folder: str, show: Callable[[Page, str], bool]) -> None:
    """Take the pictures of a folder and print their sizes.

    Args:
        browser: that shows the pages.
        server: address that links are relative to; empty for files.
        folder: below `docs/`.
        show: brings a page to the view of its picture, and returns whether all of it is taken.
    """
    (DOCS / folder).mkdir(exist_ok=True)
    for name, window in WINDOWS.items():
        if name.startswith(f"{folder}/"):
            context = browser.new_context(base_url=server or None, **window)
            page = context.new_page()
            full_page = show(page, name)
            path = DOCS / f"{name}.png"
            page.screenshot(path=path, full_page=full_page)
            context.close()
            print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


def main() -> None:
    """Take the pictures of one kind of page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pages", choices=("report", "jobs", "advise", "play"))
    parser.add_argument("--report", type=Path, help="the page")
    parser.add_argument("--server", default="", help="address of `stichwerk serve`")
    parser.add_argument("--token", default="", help="with the scopes submit, read and cancel")
    options = parser.parse_args()
    wanted = {"report": ["report"], "jobs": ["server", "token"]}.get(options.pages, ["server"])
    if missing := [f"--{name}" for name in wanted if not getattr(options, name)]:
        parser.error(f"{', '.join(missing)}: missing")
    show: Callable[[Page, str], bool] = partial(of_report, report=options.report)
    with chromium() as browser:
        if options.pages != "report":
            headers = {"Authorization": f"Bearer {options.token}"} if options.token else {}
            context = browser.new_context(base_url=options.server, extra_http_headers=headers)
            server = context.request
            if options.pages == "jobs":
                show = partial(of_jobs, token=options.token, job=submitted(server)[1])
            elif options.pages == "advise":
                show = of_advice
            else:
                show = partial(of_match, cards=played(server), board=begun(server))
        take(browser, options.server, options.pages, show)


if __name__ == "__main__":
    main()
