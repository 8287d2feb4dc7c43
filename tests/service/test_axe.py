"""Nothing serious keeps people from using the service's pages: each is looked at as it is used."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from sqlalchemy.orm import Session

from tests.servers.commands import RunningCommand
from tests.service.api.conftest import GHZ, LIMITS
from tests.service.play.serving import TIMEOUT_MS, running
from tools.axe import SERIOUS, WINDOWS, on_page
from workers.accounts.tokens import create_token
from workers.queue.worker import Worker
from workers.records.database import open_database

HAND = ["CJ", "DJ", "SA", "SK", "S9", "S8", "HA", "HQ", "C10", "CK"]
MATCHES = (
    {"game": "six-nimmt", "seats": ["person", "greedy"], "seed": 7},
    {"game": "five-in-a-row", "seats": ["person", "quantum"], "options": {"size": "9"}},
    {"game": "endless-fun", "seats": ["person", "random"], "seed": 1},
    {"game": "skat", "seats": ["person", "random", "random"], "seed": 4},
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[RunningCommand]:
    """One for all tests of this file."""
    with running(folder) as found:
        yield found


@pytest.fixture(scope="module")
def token(server: RunningCommand, folder: Path) -> str:
    engine = open_database(f"sqlite:///{folder / 'r.sqlite'}")
    with Session(engine) as session:
        return create_token(session, "looks", ("submit", "read", "cancel"))


@pytest.fixture(scope="module")
def seats(chromium: Browser, server: RunningCommand) -> list[str]:
    """A person's seat in each match; only ten matches a minute may be started."""
    context = chromium.new_context(base_url=server.address)
    links = []
    for match in MATCHES:
        told = context.request.post("/play/matches", data=match)
        assert told.ok, told.text()
        links.append(next(one["link"] for one in told.json()["seats"] if one["link"]))
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


def serious(page: Page, axe: str) -> list[str]:
    """Return the serious findings, and that anything but boxes of its own scrolls sideways."""
    page.wait_for_load_state()  # what a page says can be read before its style sheets have come
    found = [f"{page.url}: {one}" for one in on_page(page, axe) if one.startswith(SERIOUS)]
    inner, wide = page.evaluate("[innerWidth, document.documentElement.scrollWidth]")
    return [*found, *([f"{page.url}: {wide} wide"] if wide > inner else [])]


@pytest.mark.full
def test_play(window: BrowserContext, axe: str, seats: list[str]) -> None:
    page = window.new_page()
    page.goto("/play")
    found = serious(page, axe)
    for seat in (*seats, f"{seats[-1]}?advice=yes"):
        page.goto(seat)
        page.get_by_text("Rules", exact=True).click()
        found += serious(page, axe)
    assert found == []


@pytest.mark.full
def test_advise(window: BrowserContext, axe: str) -> None:
    page = window.new_page()
    page.goto("/advise")
    found = serious(page, axe)
    for name in HAND:
        page.locator(f"[name=hand][value={name}]").check()
    page.get_by_label("Contract").select_option("S")
    page.locator("[name=hand_game]").select_option("yes")
    page.get_by_role("button", name="Advise me").click()
    expect(page.locator(".said .asked")).to_be_visible()
    found += serious(page, axe)
    page.get_by_role("link", name="Look at the circuit").click()
    page.wait_for_load_state()
    expect(page.get_by_role("img", name="Circuit of")).to_be_visible()
    assert [*found, *serious(page, axe)] == []


@pytest.mark.full
def test_jobs(window: BrowserContext, axe: str, token: str, folder: Path) -> None:
    page = window.new_page()
    page.goto("/")
    found = serious(page, axe)
    page.goto("/jobs")
    found += serious(page, axe)
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    asked = {"backend": "sparse", "shots": 100, "method": "fast", "tag": "nightly"}
    file = {"name": "ghz.qasm", "content": GHZ}
    ids = []
    for _ in range(2):
        told = page.request.post(
            "/jobs", data=asked | {"file": file}, headers={"Authorization": f"Bearer {token}"}
        )
        assert told.status == 202, told.text()
        ids.append(told.json()["jobs"][0]["id"])
    engine = open_database(f"sqlite:///{folder / 'r.sqlite'}")
    Worker(engine, LIMITS).advance(ids[0])
    engine.dispose()
    done = page.locator(f"#jobs tr[data-job='{ids[0]}']")
    expect(done).to_contain_text("done")
    found += serious(page, axe)
    page.get_by_role("link", name=f"Job {ids[0]}", exact=True).click()
    expect(page.locator("#job-state")).to_have_text("done")
    found += serious(page, axe)
    page.get_by_role("link", name="Trends").click()
    expect(page.get_by_role("heading", name="Fidelity over time")).to_be_visible()
    assert [*found, *serious(page, axe)] == []
