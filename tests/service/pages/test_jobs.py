"""The page of jobs in a browser, against a real server, with workers' work done beside it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from attrs import define, field
from playwright.sync_api import Browser, BrowserContext, Page, expect
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from tests.servers.commands import RunningCommand
from tests.service.api.conftest import LIMITS
from tests.service.conftest import GHZ_3 as GHZ
from tests.service.conftest import TOY
from tests.service.play.serving import DESKTOP, PHONE, check_fits, opened, running
from workers.accounts.tokens import create_token
from workers.queue.worker import Worker
from workers.records.database import open_database

HTML = "<img src=x onerror=alert(1)>"
SCOPES = ("submit", "read", "cancel")


@define(eq=False)
class Desk:
    """A server, its database, and browsers that look at it."""

    server: RunningCommand
    engine: Engine
    chromium: Browser
    complaints: list[str] = field(factory=list)
    contexts: list[BrowserContext] = field(factory=list)

    def token(self, *scopes: str) -> str:
        """Return a new token, which sees no jobs but its own."""
        with Session(self.engine) as session:
            return create_token(session, str(uuid4()), scopes or SCOPES)

    def window(self, token: str, **options: Any) -> Page:
        """Return the page after its reader has given a token."""
        options = {"viewport": DESKTOP} | options
        context = opened(self.chromium, self.server.address, self.complaints, **options)
        self.contexts.append(context)
        page = context.new_page()
        page.goto("/sign-in")
        page.get_by_label("Token").fill(token)
        page.get_by_role("button", name="Sign in").click()
        return page

    def submit(self, page: Page, token: str, **given: Any) -> int:
        """Submit a job from elsewhere than the page."""
        asked = {"backend": "sparse", "shots": 100, "method": "fast"} | given
        if "game" not in asked:
            asked["file"] = {"name": "ghz.qasm", "content": GHZ}
        answer = page.request.post(
            "/jobs", data=asked, headers={"Authorization": f"Bearer {token}"}
        )
        assert answer.status == 202, answer.text()
        return int(answer.json()["jobs"][0]["id"])

    def finish(self, job_id: int) -> None:
        """Do what workers do."""
        Worker(self.engine, LIMITS).advance(job_id)


def desk_at(server: RunningCommand, server_folder: Path, chromium: Browser) -> Iterator[Desk]:
    engine = open_database(f"sqlite:///{server_folder / 'r.sqlite'}")
    desk = Desk(server, engine, chromium)
    yield desk
    for context in desk.contexts:
        context.close()
    engine.dispose()


@pytest.fixture
def desk(server: RunningCommand, server_folder: Path, chromium: Browser) -> Iterator[Desk]:
    yield from desk_at(server, server_folder, chromium)


def row(page: Page, job: int) -> Any:
    return page.locator(f"#jobs tr[data-job='{job}']")


def test_a_job_from_elsewhere_appears_and_is_done_without_a_reload(desk: Desk) -> None:
    token = desk.token()
    page = desk.window(token)
    expect(page.locator("#empty")).to_contain_text("This token has no jobs yet")
    page.evaluate("window.stayed = true")
    job = desk.submit(page, token, game=TOY, tag=HTML)
    expect(row(page, job)).to_contain_text("queued")
    page.get_by_role("link", name=f"Job {job}").click()
    expect(page.locator("#job-state")).to_have_text("queued")
    desk.finish(job)
    expect(row(page, job)).to_contain_text("done")
    expect(page.locator("#news")).to_have_text(f"Job {job}: done.")
    steps = page.locator("#details .stays .badge")
    expect(steps).to_have_text(
        ["queued", "compiling", "verifying", "submitting", "running", "scoring", "done"]
    )
    told = page.request.get(
        f"/jobs/{job}/result", headers={"Authorization": f"Bearer {token}"}
    ).json()
    shown = page.get_by_role("group", name="outcomes").locator("tbody tr")
    expect(shown).to_have_count(len(told["outcomes"]))
    cells = {one.locator("th").inner_text(): int(one.locator("td").first.inner_text())
             for one in shown.all()}  # fmt: skip
    assert cells == told["outcomes"]
    expect(page.get_by_role("group", name="Observables")).to_contain_text("[")
    # What somebody has written is text.
    expect(row(page, job)).to_contain_text(HTML)
    assert page.locator("img").count() == 0
    assert page.evaluate("window.stayed")
    assert page.evaluate("[localStorage.length, document.cookie]") == [0, ""]
    assert desk.complaints == []


def test_a_row_opens_its_job_and_chosen_columns_stay(desk: Desk) -> None:
    token = desk.token()
    page = desk.window(token)
    job = desk.submit(page, token, tag="mine")
    at = page.request.get(f"/jobs/{job}", headers={"Authorization": f"Bearer {token}"}).json()
    expect(row(page, job)).to_contain_text(at["created_at"][:16].replace("T", " "))
    row(page, job).locator(".badge.fair").hover()
    page.mouse.down()
    with page.expect_response(lambda news: "/jobs/list" in news.url and news.status == 200):
        desk.submit(page, token)
    page.mouse.up()
    expect(page.locator("#job-title")).to_contain_text(f"Job {job}")
    page.get_by_text("Columns", exact=True).click()
    page.get_by_label("Tag", exact=True).nth(1).uncheck()
    expect(row(page, job).get_by_text("mine")).to_be_hidden()
    page.reload()
    expect(row(page, job).get_by_text("queued")).to_be_visible()
    expect(row(page, job).get_by_text("mine")).to_be_hidden()
    assert desk.complaints == []


def test_trends_plot_the_runs_of_the_token(desk: Desk) -> None:
    token = desk.token()
    page = desk.window(token)
    desk.finish(desk.submit(page, token, game=TOY))
    page.get_by_role("link", name="Trends").click()
    expect(page.get_by_role("heading", name="Fidelity over time")).to_be_visible()
    expect(page.locator("#fidelity-all[data-drawn]")).to_be_visible()
    headers = {"Authorization": f"Bearer {desk.token()}", "Accept": "text/html"}
    assert "fidelity-all" not in page.request.get("/trends", headers=headers).text()
    assert desk.complaints == []


def test_cancel_retry_and_rescore_by_keys(desk: Desk) -> None:
    token = desk.token()
    page = desk.window(token)
    job = desk.submit(page, token)
    page.get_by_role("link", name=f"Job {job}").press("Enter")
    for name, state in (("Cancel", "cancelled"), ("Retry", "queued")):
        page.get_by_role("button", name=name, exact=True).press("Enter")
        expect(page.locator("#job-state")).to_have_text(state)
        expect(row(page, job)).to_contain_text(state)
    desk.finish(job)
    page.get_by_role("button", name="Rescore").press("Enter")
    expect(page.locator("#job-state")).to_have_text("scoring")
    desk.finish(job)
    expect(page.locator("#job-state")).to_have_text("done fidelity 1.000")
    page.get_by_role("button", name="Close").press("Enter")
    expect(page.locator("#details")).to_be_hidden()
    assert desk.complaints == []


def test_filters_and_pages_stand_in_the_address(desk: Desk) -> None:
    token = desk.token()
    page = desk.window(token)
    filters = page.locator("#filters")
    one = desk.submit(page, token, tag="pläne & Karten")
    other = desk.submit(page, token, game=TOY)
    expect(page.locator("#jobs tbody tr")).to_have_count(2)
    for label, value, left in (
        ("Tag", "pläne & Karten", one), ("Text", "PLÄNE & Kart".lower(), one),
        ("Text", f"#{other}", other), ("Program", "ghz.qasm", one),
    ):  # fmt: skip
        filters.get_by_label(label, exact=True).fill(value)
        page.get_by_role("button", name="Filter", exact=True).click()
        expect(page.locator("#jobs tbody tr")).to_have_count(1)
        expect(row(page, left)).to_be_visible()
        page.reload()
        expect(row(page, left)).to_be_visible()
        expect(filters.get_by_label(label, exact=True)).to_have_value(value)
        page.get_by_role("button", name="Clear").click()
        expect(page.locator("#jobs tbody tr")).to_have_count(2)
    page.get_by_role("combobox", name="State").select_option("failed")
    page.get_by_role("button", name="Filter", exact=True).click()
    expect(page.locator("#empty")).to_contain_text("No job matches")
    page.go_back()
    expect(page.locator("#jobs tbody tr")).to_have_count(2)
    page.goto(f"/jobs#before={other}")
    expect(page.locator("#jobs tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Newest").click()
    expect(page.locator("#jobs tbody tr")).to_have_count(2)
    assert desk.complaints == []


def test_who_may_only_read_sees_no_buttons(desk: Desk) -> None:
    token = desk.token("submit", "read")
    page = desk.window(token, viewport=PHONE, color_scheme="dark")
    job = desk.submit(page, token)
    page.get_by_role("link", name=f"Job {job}").click()
    expect(page.locator("#job-title")).to_have_text(f"Job {job}: ghz.qasm on sparse")
    assert page.locator("#details .buttons").count() == 0
    expect(page.locator("#list")).to_be_hidden()
    check_fits(page)
    page.get_by_text("Budgets").first.click()
    expect(page.get_by_role("region", name="Budgets in USD")).to_contain_text("no limit")


def test_a_job_has_an_address_and_who_signs_out_sees_none(desk: Desk) -> None:
    token = desk.token()
    page = desk.window(token)
    job = desk.submit(page, token)
    page.goto(f"/jobs/{job}")
    expect(page.locator("#job-title")).to_contain_text(f"Job {job}")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Jobs")).to_have_count(2)
    page.goto(f"/jobs/{job}")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#job-title")).to_contain_text(f"Job {job}")
    assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [
        0, 0, "",
    ]  # fmt: skip


@pytest.mark.full
def test_a_server_that_starts_again_is_found_again(tmp_path: Path, chromium: Browser) -> None:
    with running(tmp_path) as first:
        port = int(re.findall(r"\d+$", first.address)[0])
        desks = desk_at(first, tmp_path, chromium)
        desk = next(desks)
        token = desk.token()
        page = desk.window(token)
        job = desk.submit(page, token)
        expect(row(page, job)).to_contain_text("queued")
    expect(page.locator("#connection")).to_contain_text("Connection lost")
    desk.finish(job)
    expect(row(page, job)).to_contain_text("queued")
    with running(tmp_path, port):
        expect(page.locator("#connection")).to_have_text("Live (reconnected)")
        expect(row(page, job)).to_contain_text("done")
    desks.close()
