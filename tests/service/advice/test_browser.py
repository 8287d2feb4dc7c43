"""Advice in a browser: a hand is ticked, on a desktop and on a phone, with a script and without."""

import pytest
from playwright.sync_api import Browser, expect

from tests.servers.commands import RunningCommand
from tests.service.play.serving import DESKTOP, PHONE, check_fits, opened

HAND = ["CJ", "DJ", "SA", "SK", "S9", "S8", "HA", "HQ", "C10", "CK"]
PATIENCE_MS = 300_000
WINDOWS = {
    "desktop": {"viewport": DESKTOP},
    "phone": {"viewport": PHONE, "is_mobile": True, "color_scheme": "dark"},
    "without scripts": {"viewport": PHONE, "java_script_enabled": False},
}


@pytest.mark.full
@pytest.mark.parametrize("window", WINDOWS)
def test_a_hand_of_ten(chromium: Browser, site: RunningCommand, window: str) -> None:
    complaints: list[str] = []
    scripts = "java_script_enabled" not in WINDOWS[window]
    context = opened(chromium, site.address, complaints, **WINDOWS[window])
    page = context.new_page()
    # Seconds of advice are of processor time: a busy machine takes longer.
    page.set_default_timeout(PATIENCE_MS)
    page.goto("/advise")
    for name in HAND:
        page.locator(f"[name=hand][value={name}]").check()
    if scripts:
        expect(page.locator("#chosen")).to_have_text("10 cards chosen.")
    page.get_by_label("Contract").select_option("S")
    page.locator("[name=hand_game]").select_option("yes")
    page.get_by_role("button", name="Advise me").click()
    # CJ and HA are about as good: no few seconds tell them apart.
    expect(page.locator(".said .asked")).to_contain_text(
        "Not enough samples yet", timeout=PATIENCE_MS
    )
    expect(page.locator(".choices li")).to_have_count(10)
    expect(page.locator(".deal").get_by_role("img")).to_have_count(10)
    assert page.title().split(":")[0] == "More samples needed"
    if scripts:
        hidden = "element => element.scrollWidth - element.clientWidth"
        page.wait_for_load_state()
        assert page.get_by_role("group", name="Cards, the best first").evaluate(hidden) <= 0
    page.get_by_role("link", name="Look at the circuit").click()
    page.wait_for_load_state()  # the style sheets hide what is for another width
    picture = page.get_by_role("img", name="Circuit of")
    expect(picture).to_be_visible()
    # All of its boxes are seen without scrolling, and their words can be read.
    around = page.get_by_role("group", name="Circuit").bounding_box()
    drawn, word = picture.bounding_box(), picture.locator("text.gate").first.bounding_box()
    assert around and drawn and word
    assert drawn["width"] <= around["width"]
    assert word["height"] >= 8
    if scripts:
        check_fits(page)
    page.get_by_role("link", name="Back to the advice").click()
    page.get_by_role("link", name="Ask about another hand").click()
    expect(page.locator("[name=hand]:checked")).to_have_count(10)
    if scripts:
        check_fits(page)
    assert complaints == []
    context.close()


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
