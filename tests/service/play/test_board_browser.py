"""Board games in a browser: moves by clicks and keys, game by game, taken back, from a file."""

import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from playwright.sync_api import Error as PlaywrightError

from games.board.examples import FIVE
from tests.servers.commands import RunningCommand
from tests.service.play.serving import DESKTOP, PHONE, check_fits, opened

SIZE = 9
CLICKS, PATIENCE_MS = 4, 20_000
"""Times that a kind of move is clicked, and how long each is waited for."""


@pytest.fixture
def complaints() -> list[str]:
    return []


@pytest.fixture
def desktop(
    chromium: Browser, site: RunningCommand, complaints: list[str]
) -> Iterator[BrowserContext]:
    context = opened(chromium, site.address, complaints, viewport=DESKTOP)
    yield context
    context.close()


def started(context: BrowserContext, game: str, **options: str) -> list[str]:
    """Return the links of two people."""
    wanted = {"game": game, "seats": ["person"] * 2, "options": {"size": str(SIZE)} | options}
    told = context.request.post("/play/matches", data=wanted).json()
    return [seat["link"] for seat in told["seats"]]


def send(context: BrowserContext, links: list[str], moves: list[str]) -> None:
    for number, move in enumerate(moves):
        send_one(context, links, number, move)


def send_one(context: BrowserContext, links: list[str], number: int, move: str) -> None:
    body = {"move": move, "number": number // 2}
    assert context.request.post(f"{links[number % 2]}/moves", data=body).ok, move


def legal(page: Page) -> set[str]:
    return set(page.locator(".point.legal").evaluate_all("all => all.map(one => one.value)"))


def clicked(page: Page, move: str) -> None:
    """Put a move together by clicks alone; every point must be among those that are offered."""
    sort, *words = move.split()
    chosen = page.locator(f"[id='sort-{sort}'][aria-pressed='true']")
    for _ in range(CLICKS):
        # The page may be shown anew between a click and what it asks for.
        page.locator(f"[id='sort-{sort}']").click()
        with suppress(PlaywrightError):
            chosen.wait_for(timeout=PATIENCE_MS)
            break
    expect(chosen).to_be_visible()
    points = " ".join(words).replace("-", " ").split()
    for place, name in enumerate(points, start=1):
        assert name in legal(page), (move, name)
        page.locator(f"#point-{name}").click()
        expect(page.locator(f"#point-{name}.chosen small")).to_have_text(str(place))
    expect(page.locator("#move")).to_have_value(move)
    assert legal(page) == set()


def confirmed(page: Page) -> None:
    page.get_by_role("button", name="Play it").click()
    expect(page.locator(".asked")).to_contain_text(re.compile("Waiting for player|is over"))


def test_games_are_looked_at_one_by_one(desktop: BrowserContext, complaints: list[str]) -> None:
    links = started(desktop, "five-in-a-row")
    send(desktop, links, list(FIVE["appendix-b"]))
    watch = links[0].rsplit("/", 1)[0]
    board = desktop.request.get(f"{watch}/view").json()["view"]["board"]
    page = desktop.new_page()
    page.goto(watch)
    told, found = page.locator(".game"), []
    expect(told).to_have_text("All 8 games together")
    for number in range(1, 9):
        page.keyboard.press("n")
        expect(told).to_have_text(f"Game {number} of 8: amplitude 1/√8, probability 1/8")
        stones = page.locator(".point").evaluate_all("all => all.map(one => one.title)")
        found.append(
            tuple(
                sorted(one.split(":")[0] for one in stones if one.endswith(f": {colour}"))
                for colour in ("black", "white")
            )
        )
    exact = [(sorted(one["black"]), sorted(one["white"])) for one in board]
    assert sorted(found) == sorted(exact)
    page.keyboard.press("p")
    expect(told).to_contain_text("Game 7 of 8")
    page.reload()
    expect(told).to_contain_text("Game 7 of 8")
    page.get_by_role("button", name="Next").click()
    expect(told).to_contain_text("Game 8 of 8")
    page.keyboard.press("a")
    expect(told).to_have_text("All 8 games together")
    assert complaints == []


def test_all_of_it_by_keys(desktop: BrowserContext, complaints: list[str]) -> None:
    links = started(desktop, "five-in-a-row")
    send(desktop, links, ["S+ E5 F5"])
    page = desktop.new_page()
    page.goto(links[1])
    page.locator("[id='sort-S-']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[id='sort-S-']")).to_have_attribute("aria-pressed", "true")
    # One stop for the tab key, from which arrows go on.
    assert page.locator(".point[tabindex='0']").count() == 1
    page.locator(".point[tabindex='0']").focus()
    expect(page.locator("#point-A9")).to_be_focused()
    for key in ("ArrowRight",) * 4 + ("ArrowDown",) * 4:
        page.keyboard.press(key)
    expect(page.locator("#point-E5")).to_be_focused()
    expect(page.locator("#readout")).to_have_text("E5: black 50 %, empty 50 %")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("#move")).to_have_value("S- D5")
    expect(page.locator("#point-D5")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#move")).to_have_value("S- D5 D6")
    page.locator("#play").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".asked")).to_contain_text("Waiting for player 0")
    expect(page.get_by_role("gridcell").get_by_label("D6: white 50 %, empty 50 %")).to_have_count(1)
    page.locator("#point-F5").hover()
    expect(page.locator("#readout")).to_have_text("F5: black 50 %, empty 50 %")
    assert complaints == []


def test_a_phone_shows_all_of_it_and_needs_no_scripts(
    chromium: Browser, site: RunningCommand, complaints: list[str]
) -> None:
    context = opened(
        chromium, site.address, complaints, viewport=PHONE, java_script_enabled=False,
        color_scheme="dark", is_mobile=True, has_touch=True,
    )  # fmt: skip
    links = started(context, "weiqi", size="19")
    page = context.new_page()
    page.goto(links[0])
    clicked(page, "S+ E5 F5")
    page.get_by_role("button", name="Undo one choice").click()
    expect(page.locator("#move")).to_have_value("S+ E5")
    page.locator("#point-T19").click()
    confirmed(page)
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".game")).to_contain_text("Game 1 of 2: amplitude 1/√2, probability 1/2")
    expect(page.locator(".point")).to_have_count(361)
    page.wait_for_load_state()  # a page can be read before its style sheet has come
    check_fits(page)
    # A finger hits a point; what does not fit beside it is reached by scrolling the board.
    page.locator("#point-T19").scroll_into_view_if_needed()
    cell = page.locator("#point-T19").bounding_box()
    assert cell is not None
    assert 0 <= cell["x"] < cell["x"] + cell["width"] <= PHONE["width"]
    assert cell["width"] == cell["height"] >= 24
    link = page.get_by_role("link", name="Download as .sgf").bounding_box()
    assert link is not None and link["height"] >= 24
    assert complaints == []
    context.close()
