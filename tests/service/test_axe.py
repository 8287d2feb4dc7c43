"""Axe finds nothing on the pages of the service, which are checked while they are used."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from sqlalchemy.orm import Session

from play.playable import playables
from tests.servers.commands import RunningCommand
from tests.service.api.conftest import LIMITS
from tests.service.conftest import GHZ_3 as GHZ
from tests.service.play.serving import RECORDS, TIMEOUT_MS
from tests.service.report.on_screen import draw_all
from tools.axe import WINDOWS, on_page
from workers.accounts.tokens import create_token
from workers.queue.worker import Worker
from workers.records.database import open_database

COMPILE_MS = 600_000
HAND = ["CJ", "DJ", "SA", "SK", "S9", "S8", "HA", "HQ", "C10", "CK"]
MATCHES = (
    {"game": "six-nimmt", "seats": ["person", "greedy"], "seed": 7},
    {"game": "five-in-a-row", "seats": ["person", "quantum"], "options": {"size": "9"}},
    {"game": "endless-fun", "seats": ["person", "random"], "seed": 1},
    {"game": "chsh", "seats": ["person", "person"]},
    {"game": "skat", "seats": ["person", "random", "random"], "seed": 4},
)


@pytest.fixture(scope="module")
def signed_in(chromium: Browser, server: RunningCommand, server_folder: Path) -> tuple[str, int]:
    """Return a token, and the number of its done job; another of its jobs is queued."""
    engine = open_database(f"sqlite:///{server_folder / RECORDS}")
    with Session(engine) as session:
        token = create_token(session, "axe", ("submit", "read", "cancel", "all"))
    context = chromium.new_context(
        base_url=server.address, extra_http_headers={"Authorization": f"Bearer {token}"}
    )
    job = {
        "file": {"name": "ghz.qasm", "content": GHZ},
        "backend": "sparse",
        "shots": 100,
        "method": "fast",
        "tag": "nightly",
    }
    ids = []
    for _ in range(2):
        answer = context.request.post("/jobs", data=job)
        assert answer.status == 202, answer.text()
        ids.append(answer.json()["jobs"][0]["id"])
    context.close()
    Worker(engine, LIMITS).advance(ids[0])
    engine.dispose()
    return token, ids[0]


@pytest.fixture(scope="module")
def seats(chromium: Browser, server: RunningCommand) -> list[str]:
    """A person's seat in each match; only ten matches a minute may be started.

    The last one shows advice. Its first computation compiles the searches to machine code.
    """
    context = chromium.new_context(base_url=server.address)
    links = []
    for match in MATCHES:
        answer = context.request.post("/play/matches", data=match)
        assert answer.ok, answer.text()
        links.append(next(seat["link"] for seat in answer.json()["seats"] if seat["link"]))
    links.append(f"{links[-1]}?advice=yes")
    assert context.request.get(links[-1], timeout=COMPILE_MS).ok
    context.close()
    return links


@pytest.fixture(params=WINDOWS)
def window(
    request: pytest.FixtureRequest, chromium: Browser, server: RunningCommand
) -> Iterator[BrowserContext]:
    options = {"bypass_csp": True, "reduced_motion": "reduce", **WINDOWS[request.param]}
    context = chromium.new_context(base_url=server.address, **options)
    context.set_default_timeout(TIMEOUT_MS)  # advice takes CPU time, which other tests take as well
    yield context
    context.close()


def findings(page: Page, axe: str) -> list[str]:
    """Return the findings of axe, and whether the page scrolls sideways."""
    page.wait_for_load_state()  # what a page says can be read before its style sheets have come
    found = [f"{page.url}: {one}" for one in on_page(page, axe)]
    inner, wide = page.evaluate("[innerWidth, document.documentElement.scrollWidth]")
    return [*found, *([f"{page.url}: {wide} wide"] if wide > inner else [])]


@pytest.mark.full
def test_open_pages(window: BrowserContext, axe: str) -> None:
    page = window.new_page()
    found: list[str] = []
    starts = [f"/play?game={name}" for name in playables]
    for address in ("/", "/docs", "/sign-in", "/play/none/none", *starts):
        page.goto(address)
        page.evaluate("for (const it of document.querySelectorAll('details')) it.open = true")
        found += findings(page, axe)
    assert found == []


@pytest.mark.full
def test_matches(window: BrowserContext, axe: str, seats: list[str]) -> None:
    page = window.new_page()
    found: list[str] = []
    for seat in seats:
        page.goto(seat)
        page.get_by_text("Rules", exact=True).click()
        found += findings(page, axe)
    assert found == []


@pytest.mark.full
def test_advise(window: BrowserContext, axe: str) -> None:
    page = window.new_page()
    page.goto("/advise")
    found = findings(page, axe)
    for name in HAND:
        page.locator(f"[name=hand][value={name}]").check()
    page.get_by_label("Contract").select_option("S")
    page.locator("[name=hand_game]").select_option("yes")
    page.get_by_role("button", name="Advise me").click()
    expect(page.locator(".said .asked")).to_be_visible()
    found += findings(page, axe)
    page.get_by_role("link", name="Look at the circuit").click()
    page.wait_for_load_state()
    expect(page.get_by_role("img", name="Circuit of")).to_be_visible()
    assert [*found, *findings(page, axe)] == []


@pytest.mark.full
def test_jobs(window: BrowserContext, axe: str, signed_in: tuple[str, int]) -> None:
    token, job = signed_in
    page = window.new_page()
    page.goto("/jobs")
    found = findings(page, axe)
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(f"#jobs tr[data-job='{job}']")).to_contain_text("done")
    found += findings(page, axe)
    page.get_by_role("link", name=f"Job {job}", exact=True).click()
    expect(page.locator("#job-state")).to_contain_text("done")
    found += findings(page, axe)
    page.get_by_role("link", name="Trends").click()
    expect(page.get_by_role("heading", name="Fidelity over time")).to_be_visible()
    draw_all(page)
    found += findings(page, axe)
    page.get_by_role("link", name="Report").click()
    expect(page.get_by_role("heading", name="Stichwerk report")).to_be_visible()
    draw_all(page)
    found += findings(page, axe)
    page.goto("/")
    assert [*found, *findings(page, axe)] == []
