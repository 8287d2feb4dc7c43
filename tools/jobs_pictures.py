"""Take the pictures of the page of jobs that `docs/jobs/` holds.

Run `stichwerk up` in an empty folder, then `stichwerk token create pictures --scope submit --scope
read --scope cancel` there, then `.venv/bin/python -m tools.jobs_pictures --server
http://127.0.0.1:8000 --token stw_…`. Needs Debian's package `chromium`.
"""

import argparse
import os
import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import APIRequestContext, Browser, sync_playwright

FOLDER = Path(__file__).parents[1] / "docs" / "jobs"
PICTURES: dict[str, Any] = {
    "desktop": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark",
              "has_touch": True, "is_mobile": True},
}  # fmt: skip
"""What each picture is taken with."""
PROGRAMS = ("skat-4", "skat-6")
BACKENDS = ("sparse", "aer:torino")


def submitted(server: APIRequestContext) -> list[int]:
    """Submit jobs, and return their numbers."""
    asked = [
        {"program": program, "backend": backend, "tag": "night", "shots": 2000, "method": "fast"}
        for program in PROGRAMS
        for backend in BACKENDS
    ]
    answers = [server.post("/jobs", data=one).json() for one in asked]
    return [int(job["id"]) for answer in answers for job in answer["jobs"]]


def take(browser: Browser, server: str, token: str, name: str, job: int) -> Path:
    """Take one picture, on the phone of the list, else with a job beside it."""
    context = browser.new_context(base_url=server, **PICTURES[name])
    page = context.new_page()
    page.goto("/jobs" if name == "phone" else f"/jobs#job={job}")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Show jobs").click()
    page.locator(f"#jobs tr[data-job='{job}'] .state.done").wait_for(timeout=300_000)
    if name == "desktop":
        page.locator("#job-state .done").wait_for()
    page.evaluate("document.activeElement.blur()")
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    context.close()
    return path


def main() -> None:
    """Take all pictures and print their sizes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--server", required=True, help="address of `stichwerk serve`")
    parser.add_argument("--token", required=True, help="with the scopes submit, read and cancel")
    given = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        headers = {"Authorization": f"Bearer {given.token}"}
        requests = playwright.request.new_context(base_url=given.server, extra_http_headers=headers)
        jobs = submitted(requests)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox"] if os.geteuid() == 0 else [],
        )
        for name in PICTURES:
            path = take(browser, given.server, given.token, name, jobs[1])
            print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()
