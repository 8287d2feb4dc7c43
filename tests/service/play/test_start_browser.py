"""The page that starts matches: what was chosen is what is played, however it was chosen."""

import re
from collections.abc import Iterator
from itertools import count, pairwise

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from sqlalchemy.orm import Session

from play.playable import playables
from tests.servers.commands import RunningCommand
from tests.service.play.serving import DESKTOP, opened
from workers.records.database import open_database
from workers.records.tables import MatchRow

GAMES = tuple(playables)
ADDRESSES = count(1)


@pytest.fixture(
    params=[True, pytest.param(False, marks=pytest.mark.full)], ids=["scripts", "no scripts"]
)
def context(request, chromium: Browser, site: RunningCommand) -> Iterator[BrowserContext]:
    """A window of a browser with or without scripts, at an address of its own.

    Only so many matches are started from one address.
    """
    complaints: list[str] = []
    context = opened(
        chromium,
        site.address,
        complaints,
        viewport=DESKTOP,
        java_script_enabled=request.param,
        extra_http_headers={"X-Forwarded-For": f"198.51.100.{next(ADDRESSES)}"},
    )
    yield context
    context.close()
    assert complaints == []


COMPUTER, INVITE = "Play against the computer", "Invite people"


def start(page: Page, site: RunningCommand, button: str = COMPUTER) -> dict:
    """Start the match and return its game, who sits where, and its rules."""
    page.get_by_role("button", name=button).last.click()
    page.wait_for_url(re.compile("/play$" if button == INVITE else "/play/[0-9a-f]{32}/"))
    link = page.url
    if button == INVITE:
        first = page.locator(".links a").first
        expect(first).to_be_visible()
        link = str(first.get_attribute("href"))
    match = page.request.get(f"{link}/view").json()
    with Session(open_database(str(site.log.with_name("r.sqlite")))) as session:
        row = session.get_one(MatchRow, match["match"])
    # A board's size is not among the rules there.
    options = {name: str(value) for name, value in (row.setup | row.setup["options"]).items()}
    seats = [seat.get("bot", "person") for seat in row.seats]
    return {"game": match["game"], "seats": seats, "options": options}


@pytest.mark.parametrize(("shown", "game"), list(pairwise((*GAMES, GAMES[0]))))
def test_the_chosen_game_is_started_from_the_page_of_another(context, site, shown, game):
    page = context.new_page()
    page.goto(f"/play?game={shown}")
    page.locator("select[name=game]").select_option(game)
    match = start(page, site)
    fewest, most, _ = playables[game].seats
    players = min(max(playables[shown].seats[2], fewest), most)
    assert match["game"] == game
    assert match["seats"] == ["person", *[playables[game].usual_bot] * (players - 1)]


def test_who_invites_plays_with_a_person_at_least(context, site):
    page = context.new_page()
    page.goto("/play")
    assert start(page, site, INVITE)["seats"] == ["person", "person", "greedy"]


def test_players_seats_and_rules_are_those_that_were_chosen(context, site):
    page = context.new_page()
    page.goto("/play")
    page.locator("summary").first.click()
    page.locator("[name=seat-1]").first.select_option("random")
    page.locator("select[name=players]").select_option("5")
    page.locator("summary").nth(1).click()
    page.locator("[name=rule-payer]").select_option("owners")
    match = start(page, site)
    assert match["seats"] == ["person", "random", "greedy", "greedy", "greedy"]
    assert match["options"]["payer"] == "owners"
    page.goto("/play")
    page.locator("select[name=players]").select_option("2")
    assert len(start(page, site)["seats"]) == 2


@pytest.mark.parametrize("game", ["weiqi", "six-nimmt"])
def test_every_rule_and_bot_of_the_page_can_be_chosen(context, site, game):
    """The last of all choices, each of them, with the seats shown first."""
    kind = playables[game]
    page = context.new_page()
    page.goto("/play")
    page.locator("select[name=game]").select_option(game)
    page.locator("select[name=players]").select_option(
        page.locator("select[name=players]").input_value()
    )
    page.get_by_role("button", name="Show seats").click()
    page.wait_for_url(f"**/play?game={game}&players=*")
    form = page.locator("form.start").first
    for summary in form.locator("summary").all()[:2]:
        summary.click()
    for name, values in kind.options.items():
        form.locator(f"[name=rule-{name}]").select_option(values[-1])
    *_, last = kind.bots
    form.locator("[name=seat-1]").select_option(last)
    match = start(page, site)
    assert (match["game"], match["seats"][1]) == (game, last)
    assert match["options"] | {name: v[-1] for name, v in kind.options.items()} == match["options"]


def test_going_back_starts_what_the_page_shows_then(context, site):
    page = context.new_page()
    page.goto("/play")
    page.locator("select[name=game]").select_option("weiqi")
    assert start(page, site)["game"] == "weiqi"
    page.go_back()
    chosen = page.locator("select[name=game]").input_value()
    assert start(page, site)["game"] == chosen
    page.go_back()
    page.locator("select[name=game]").select_option("five-in-a-row")
    assert start(page, site)["game"] == "five-in-a-row"
