"""Signing in: the cookie, which addresses it leads to, and requests of other sites."""

from urllib.parse import urlencode

import pytest

from service.api.errors import COOKIE
from tests.service.api.conftest import Api
from workers.accounts.tokens import Scope

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def sign_in(api: Api, token: str, address: str = "/jobs", **headers: str):
    content = urlencode({"token": token, "next": address})
    return api.client.post(
        "/sign-in", content=content, headers=FORM | headers, follow_redirects=False
    )


def test_the_cookie_is_for_this_site_and_no_script(api: Api) -> None:
    token = api.token_for(Scope.READ)
    signed = sign_in(api, token)
    assert (signed.status_code, signed.headers["location"]) == (303, "/jobs")
    kept = signed.headers["set-cookie"]
    assert kept.startswith(f"{COOKIE}={token}; ")
    assert {"httponly", "samesite=strict"} <= {part.strip().lower() for part in kept.split(";")}
    assert api.client.get("/jobs").json()["jobs"] == []
    refused = api.client.post("/jobs/1/cancel", headers={"Sec-Fetch-Site": "same-site"})
    assert refused.status_code == 403
    by_proxy = {"Authorization": f"Bearer {token}", "Sec-Fetch-Site": "cross-site"}
    assert api.client.post("/jobs/1/cancel", headers=by_proxy).status_code == 403
    out = api.client.post("/sign-out", follow_redirects=False)
    assert (out.status_code, COOKIE in api.client.cookies) == (303, False)


@pytest.mark.parametrize("address", ["//evil.org", "https://evil.org", "/\\evil.org", "evil", ""])
def test_it_leads_to_addresses_of_this_server_only(api: Api, address: str) -> None:
    assert sign_in(api, api.token_for(Scope.READ), address).headers["location"] == "/"


def test_it_leads_back_to_long_addresses(api: Api) -> None:
    address = f"/trends?program={'%C3%A4' * 200}"
    assert sign_in(api, api.token_for(Scope.READ), address).headers["location"] == address


def test_other_sites_and_unknown_tokens_sign_nobody_in(api: Api) -> None:
    token = api.token_for(Scope.READ)
    assert sign_in(api, token, Origin="https://evil.org").status_code == 403
    assert sign_in(api, "stw_unknown").status_code == 401
    assert COOKIE not in api.client.cookies


def test_the_page_of_jobs_lists_them_without_scripts(api: Api) -> None:
    page = {"Accept": "text/html"}
    everything = api.token_for(Scope.READ, Scope.ALL)
    own = api.token_for(Scope.READ)
    (job,) = api.jobs(tag="<b>")
    listed = api.ask("GET", "/jobs", everything, headers=page).text
    assert f' href="/jobs/{job}/panel"' in listed
    assert ("&lt;b&gt;" in listed, "<b>" in listed) == (True, False)
    empty = api.ask("GET", "/jobs", own, headers=page).text
    assert ("/panel" in empty, "scope &#39;all&#39;" in empty) == (False, True)


@pytest.mark.parametrize("path", ["/trends", "/report"])
def test_pages_of_records_are_served_whatever_is_accepted(api: Api, path: str) -> None:
    token = api.token_for(Scope.READ, Scope.ALL)
    shown = api.ask("GET", path, token)
    assert (shown.status_code, shown.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert api.client.get(path).json().keys() == {"detail"}


def test_an_unknown_address_is_a_page_for_a_browser(api: Api) -> None:
    shown = api.client.get("/nothing", headers={"Accept": "text/html"})
    assert (shown.status_code, shown.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert '<a href="/">' in shown.text
    assert api.client.get("/nothing").json().keys() == {"detail"}


def test_a_cookie_of_a_proxy_is_no_token_that_was_refused(api: Api) -> None:
    page = {"Accept": "text/html"}
    foreign = api.client.get("/jobs", headers=page | {"Cookie": "session=alice"})
    assert (foreign.status_code, 'role="alert"' in foreign.text) == (401, False)
    revoked = api.client.get("/jobs", headers=page | {"Cookie": f"{COOKIE}=stw_unknown"})
    assert (revoked.status_code, 'role="alert"' in revoked.text) == (401, True)


def test_the_report_needs_the_scope_of_all_records(api: Api) -> None:
    page = {"Accept": "text/html"}
    own, everything = api.token_for(Scope.READ), api.token_for(Scope.READ, Scope.ALL)
    assert api.ask("GET", "/report", own, headers=page).status_code == 403
    report = api.ask("GET", "/report", everything, headers=page)
    assert (report.status_code, "<h1>Stichwerk report" in report.text) == (200, True)
