"""The page as a reader has it: in a real browser, without a network."""

from itertools import pairwise

from playwright.sync_api import Page, expect
from sqlalchemy import select
from sqlalchemy.orm import Session

from tests.servers.browser import Visit
from tests.service.report.on_screen import DESKTOP, table
from workers.records.queries.scope import NO_ROUND
from workers.records.tables import Job

READ = """box => box.data.map(({name, x, y, customdata, text, q1, median, q3, visible}) =>
    ({name, x, y, customdata, text, q1, median, q3, visible}))"""


def drawn(page: Page, name: str) -> dict[str, dict]:
    """Return the traces that a plot shows, by name."""
    box = page.locator(f"#{name}")
    expect(box).to_have_attribute("data-drawn", "")
    return {trace["name"]: trace for trace in box.evaluate(READ)}


def column(page: Page, caption: str, heading: str) -> list[str]:
    """Return the cells of the rows that are shown."""
    return table(page, caption).evaluate(
        """(table, heading) => {
            const place = [...table.tHead.rows[0].cells].findIndex(
                (cell) => cell.textContent === heading);
            return [...table.tBodies[0].rows].filter((row) => !row.hidden)
                .map((row) => row.cells[place].textContent);
        }""",
        heading,
    )


def test_nothing_is_asked_for_and_nothing_goes_wrong(visit, address: str) -> None:
    page = visit.page
    assert page.locator("main .plot").count() == page.locator("main .plot[data-drawn]").count() > 12
    assert page.locator("main .plot .main-svg").count() > 12
    assert visit.requests == [address]
    assert visit.complaints == []


def test_headings_sort_by_click_and_by_key(page: Page, session: Session) -> None:
    heading = table(page, "Jobs, the newest first").locator("th button", has_text="raw")
    heading.click()
    caption = "Jobs, the newest first"
    numbers = [float(x) for x in column(page, caption, "raw") if x != "–"]
    assert len(numbers) > 3
    assert all(a <= b for a, b in pairwise(numbers))
    assert column(page, caption, "raw")[-1] == "–"
    heading.press("Enter")
    falling = [float(x) for x in column(page, caption, "raw") if x != "–"]
    assert falling == numbers[::-1]
    assert column(page, caption, "raw")[-1] == "–"
    assert heading.locator("..").get_attribute("aria-sort") == "descending"
    by_number = table(page, caption).locator("th button", has_text="job").first
    by_number.press("Enter")
    assert column(page, caption, "job") == [
        str(job) for job in session.scalars(select(Job.id).where(NO_ROUND).order_by(Job.id))
    ]


def test_a_click_on_a_row_opens_its_job(page: Page, session: Session) -> None:
    job = session.scalars(select(Job).where(Job.backend == "aer:torino")).first()
    page.locator(f"tr[data-job='{job.id}'] td").nth(2).click()
    dialog = page.get_by_role("dialog", name=f"Job {job.id}: three.toml on aer:torino")
    expect(dialog).to_be_visible()
    assert page.url.endswith(f"#job-{job.id}")
    for words in ("seed", "1,240" if job.shots == 1240 else f"{job.shots:,}", "1.25", "proof",
                  "Hellinger", "for 2.00 s", "24 qubits"):  # fmt: skip
        expect(dialog).to_contain_text(words)
    shown = drawn(page, f"job-{job.id}-outcomes")
    measured = {
        label: shots
        for trace in shown.values() if trace["customdata"]
        for label, (shots,) in zip(trace["y"], trace["customdata"], strict=True)
    }  # fmt: skip
    assert sum(measured.values()) == job.shots
    legal = {bits: n for bits, n in job.counts.items() if n > 10}
    assert sorted(measured[label] for label in measured if label != "illegal") == sorted(
        legal.values()
    )
    assert {round(x, 3) for x in shown["exact"]["x"]} == {0.333, 0}
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert page.url.endswith("#jobs")


def test_hostile_names_stay_text(page: Page, session: Session) -> None:
    job = session.scalars(select(Job).where(Job.backend == "aer:<i>")).one()
    page.evaluate(f"location.hash = 'job-{job.id}'")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("<img src=x onerror=alert(2)>")
    assert page.locator("img, main a[href^=javascript], .plot a, dialog a").count() == 0
    texts = page.locator("#gates-time .legendtext").all_text_contents()
    assert any("</script><script src=" in text for text in texts)


def test_what_cannot_be_unpacked_leaves_the_tables(chromium, address: str) -> None:
    without = "delete window.DecompressionStream"
    with Visit(chromium, address, without, viewport=DESKTOP) as opened:
        page = opened.page
        box = page.locator("#queue-waits")
        box.scroll_into_view_if_needed()
        expect(box).to_contain_text("cannot draw the plot")
        assert "aer:torino" in column(page, "Jobs by backend and state", "backend")
        table(page, "Jobs by backend and state").locator("th button").first.click()
        assert opened.complaints == []
