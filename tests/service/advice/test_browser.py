"""Advice in a browser: a hand is ticked, on a desktop and on a phone, with a script and without."""

from playwright.sync_api import Browser, expect

from tests.servers.commands import RunningCommand
from tests.service.play.serving import DESKTOP, check_fits, opened

HAND = ["CJ", "DJ", "SA", "SK", "S9", "S8", "HA", "HQ", "C10", "CK"]


def test_it_is_found_from_where_matches_start(chromium: Browser, site: RunningCommand) -> None:
    complaints: list[str] = []
    context = opened(chromium, site.address, complaints, viewport=DESKTOP)
    page = context.new_page()
    page.goto("/play")
    page.get_by_role("link", name="Skat: which card to play?").click()
    for name in HAND:
        page.locator(f"[name=hand][value={name}]").check()
    expect(page.locator("#chosen")).to_have_text("10 cards chosen.")
    check_fits(page)
    page.goto("/advise")
    page.get_by_label("Example").select_option("skat-9")
    page.get_by_role("button", name="Show advice").click()
    expect(page.locator(".said .asked")).to_have_text("Play HQ.")
    assert complaints == []
    context.close()
