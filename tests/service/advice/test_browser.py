"""Advice in a browser, found from the page that starts matches."""

from playwright.sync_api import Browser, expect

from tests.servers.commands import RunningCommand
from tests.service.play.serving import DESKTOP, opened


def test_it_is_found_from_where_matches_start(chromium: Browser, site: RunningCommand) -> None:
    complaints: list[str] = []
    context = opened(chromium, site.address, complaints, viewport=DESKTOP)
    page = context.new_page()
    page.goto("/play")
    page.get_by_role("link", name="Skat: which card to play?").click()
    page.get_by_label("Example").select_option("skat-9")
    page.get_by_role("button", name="Show advice").click()
    expect(page.locator(".said .asked")).to_have_text("Play HQ.")
    assert complaints == []
    context.close()
