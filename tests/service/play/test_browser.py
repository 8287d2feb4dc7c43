"""A round of two people and a bot, each person with a browser, against a real server."""

from functools import partial

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.servers.commands import RunningCommand
from tests.servers.process import wait_until
from tests.service.play.serving import DESKTOP, PHONE, check_fits, opened

PATIENT_SECONDS = 60.0
ACTIONS = ("Play with H", "Play with CNOT", "Play", "Play with hSwap")


def started(page: Page) -> list[str]:
    """Start a match of two people and a bot, and return the paths of the people's links."""
    page.goto("/play?game=six-nimmt&players=3")
    page.get_by_text("Seats", exact=True).click()
    page.get_by_label("Player 2").select_option("greedy")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Seed").fill("11")
    page.get_by_role("button", name="Invite people").click()
    seats = page.locator(".links a")
    expect(seats).to_have_count(2)
    return [seat.get_attribute("href") for seat in seats.all()]


def moved(page: Page, number: int, action: str) -> None:
    """Make a seat's move by keys alone, then wait until the page shows it.

    Args:
        page: of the seat.
        number: of its moves before.
        action: what a card does, if it may.
    """
    question = page.locator(f"form.moves [name=number][value='{number}']")
    expect(question).to_have_count(1)
    cards = page.locator(".pieces input")
    button = page.locator("form.moves button").first
    if cards.count():
        # A key is lost if the page is shown anew between its going down and up.
        assert wait_until(partial(_pressed, cards.first), PATIENT_SECONDS)
        wanted = page.get_by_role("button", name=action, exact=True)
        button = wanted if wanted.count() else button
    button.focus()
    page.keyboard.press("Enter")
    expect(question).to_have_count(0)
    focused = page.locator(":focus")
    expect(focused).to_have_count(1)


def _pressed(card: Locator) -> bool:
    """Press a card's key, and tell whether it is chosen."""
    card.press("Space")
    return card.is_checked()


def test_a_round_of_two_people_and_a_bot(chromium: Browser, site: RunningCommand) -> None:
    complaints: list[str] = []
    one = opened(chromium, site.address, complaints, viewport=DESKTOP)
    other = opened(
        chromium, site.address, complaints, viewport=PHONE, color_scheme="dark", is_mobile=True
    )
    pages = [one.new_page(), other.new_page()]
    links = started(pages[0])
    for page, link in zip(pages, links, strict=True):
        page.goto(link)
    hands = [set(page.locator(".pieces label").all_inner_texts()) for page in pages]
    assert [len(hand) for hand in hands] == [10, 10]
    assert not hands[0] & hands[1]
    # A choice stays while the page shows what somebody else has done, and is nobody else's.
    chosen = pages[1].locator(".pieces input").nth(3)
    chosen.check()
    moved(pages[0], 0, "Play")
    expect(pages[0].locator(".asked")).to_have_text("Waiting for player 1.")
    expect(pages[1].locator("tr", has_text="player 0")).not_to_contain_text("▸")
    expect(pages[1].locator(".pieces input").nth(3)).to_be_checked()
    made = 0
    while (seen := [one.request.get(f"{link}/view").json() for link in links])[0]["view"][
        "round"
    ] < 1:
        [seat, *_] = seen[0]["view"]["to_move"]
        moved(pages[seat], seen[seat]["moves_made"], ACTIONS[made % len(ACTIONS)])
        made += 1
    assert made >= 19
    for page in pages:
        expect(page.locator(".lines")).to_contain_text("round 1 ends")
        expect(page.locator(".pieces input")).to_have_count(10)
        expect(page.locator(":focus")).to_have_count(1)
        expect(page.locator(".bars meter")).to_have_count(4)
        summary = page.locator(".bars summary")
        summary.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".bars meter").first).to_be_hidden()
        check_fits(page)
    assert complaints == []
    news = pages[0].locator(".news[role=status]")
    expect(news).to_have_text(pages[0].locator(".asked").inner_text())
    one.close()
    other.close()
    logged = site.log.read_text()
    assert "POST /play/{match}/{secret} 303" in logged
    assert not any(link.rsplit("/", 1)[1] in logged for link in links)


def seen_at(context: BrowserContext, link: str) -> dict:
    """Return what a seat sees, once it is its turn or the match is over."""
    found: dict = {}

    def settled() -> bool:
        found.update(context.request.get(f"{link}/view").json())
        view = found["view"]
        return view["over"] or (not found["thinking"] and view["seat"] in view["to_move"])

    assert wait_until(settled, 120)
    return found


@pytest.mark.full
def test_endless_fun_with_three_bots_by_keys_and_by_dragging(
    chromium: Browser, site: RunningCommand
) -> None:
    complaints: list[str] = []
    context = opened(chromium, site.address, complaints, viewport=DESKTOP)
    page = context.new_page()
    page.goto("/play?game=endless-fun&players=4")
    page.get_by_text("Seats", exact=True).click()
    for seat, bot in ((1, "greedy"), (2, "random"), (3, "random")):
        page.get_by_label(f"Player {seat}").select_option(bot)
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Seed").fill("4")
    page.get_by_role("button", name="Play against the computer").last.click()
    page.wait_for_url("**/play/*/*")
    link = page.url
    tilted = dragged = 0
    while not (seen := seen_at(context, link))["view"]["over"]:
        number, moves = seen["moves_made"], seen["view"]["legal_moves"]
        question = page.locator(f"form.moves [name=number][value='{number}']")
        expect(question).to_have_count(1)
        piece, _, action = moves[-1].partition(" ")
        pieces = page.locator(f".pieces input[value='{piece}']")
        if not action or not pieces.count():
            if pieces.count():
                pieces.check()
            page.locator("form.moves button").first.focus()
            page.keyboard.press("Enter")
        elif dragged % 2 == 0:
            label = page.locator(".pieces label").filter(
                has=page.locator(f"input[value='{piece}']")
            )
            place = page.locator(f"td[data-action='{action}']").first
            label.drag_to(place if place.count() else page.locator("td[data-action]").first)
            if not place.count():
                page.locator(f"[id='action-{action}']").click()
        else:
            pieces.focus()
            page.keyboard.press("Space")
            fitting = {move.partition(" ")[2] for move in moves if move.startswith(f"{piece} ")}
            pressable = page.locator("form.moves button:not(:disabled)")
            assert {one.get_attribute("value") for one in pressable.all()} == fitting
            page.locator(f"[id='action-{action}']").focus()
            page.keyboard.press("Enter")
        dragged += bool(action)
        expect(question).to_have_count(0)
        tilted += page.locator("td .leans-left, td .leans-right").count()
        check_fits(page)
    expect(page.locator(".asked")).to_contain_text("The match is over")
    expect(page.locator(".lines")).to_contain_text("round 3 ends in")
    assert dragged >= 6
    assert tilted > 0
    assert complaints == []
    context.close()
