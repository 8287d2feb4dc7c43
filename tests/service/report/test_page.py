import json
import re
from base64 import b64decode
from gzip import decompress
from hashlib import sha256

import pytest
from plotly.offline import get_plotlyjs
from sqlalchemy.orm import Session

from service.report.page import report_html
from tests.service.report.parsed_page import Page

ANCHORS = {
    "overview", "fidelity", "gates", "peers", "observables", "estimates", "volumetric", "compiler",
    "queue", "jobs", "circuits", "about", "standing",
}  # fmt: skip


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


def test_says_how_to_make_records_if_there_are_none(empty: Session) -> None:
    page = Page(report_html(empty))
    assert "There are no finished compilations yet" in page.text
    assert "stichwerk bench" in page.text
    assert page.records == {"plots": {}}
    assert not re.search(r"\b(None|nan|undefined)\b", page.text)


def test_has_every_view(page: Page) -> None:
    assert set(page.attributes("h2", "id")) == ANCHORS
    assert page.attributes("a", "href")[: len(ANCHORS)] == [
        f"#{anchor}" for anchor in page.attributes("h2", "id")
    ]
    assert set(page.attributes("section", "aria-labelledby")) == ANCHORS


def test_asks_nobody_for_anything(page: Page) -> None:
    tags = {tag for tag, _ in page.tags}
    assert tags.isdisjoint({"link", "img", "iframe", "object", "image", "base", "form"})
    for name in ("href", "src", "xlink:href", "action"):
        links = [attrs[name] for _, attrs in page.tags if name in attrs]
        assert all(link and link.startswith("#") for link in links)
    [style] = [tag for tag, _ in page.tags if tag == "style"]
    assert style
    assert not any(re.search(r"\bon\w+", name) for _, attrs in page.tags for name in attrs)


def test_only_our_script_and_plotly_may_run(page: Page) -> None:
    [policy] = page.attributes("meta", "content")[:1]
    allowed = re.findall(r"'sha256-([^']+)'", policy)
    data, library, ours = page.scripts
    unpacked = decompress(b64decode(library))
    assert unpacked.decode() == get_plotlyjs()
    assert [b64decode(one) for one in allowed] == [
        sha256(ours.encode()).digest(), sha256(unpacked).digest(),
    ]  # fmt: skip
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'sha256-[^']+' 'sha256-[^']+';", policy)
    kinds = [attrs.get("type") for tag, attrs in page.tags if tag == "script"]
    assert kinds == ["application/json", "text/plain", None]
    assert json.loads(data)


def test_ids_are_unique_and_links_lead_somewhere(html: str, page: Page) -> None:
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    drawn = set(re.findall(r"url\(#([^\")]+)", html))
    linked = {link.removeprefix("#") for link in page.attributes("a", "href")}
    assert drawn | linked <= set(ids)


def test_same_records_give_the_same_page(session: Session, html: str) -> None:
    assert report_html(session) == html


def test_every_plot_is_described_and_has_a_place(page: Page) -> None:
    boxes = {attrs["id"]: attrs for tag, attrs in page.tags if attrs.get("class") == "plot"}
    assert set(boxes) == set(page.records["plots"])
    assert all(attrs["role"] == "group" and attrs["aria-label"] for attrs in boxes.values())
    tags = [tag for tag, _ in page.tags]
    assert tags.count("table") == tags.count("caption")
