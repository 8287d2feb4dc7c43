"""Faults of a built site: links that lead nowhere, and what is loaded from elsewhere."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """What a page refers to, and what can be referred to in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of an element."""
        given = {key: value or "" for key, value in attrs}
        self.names |= {given[key] for key in ("id", "name") if key in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if given.get(LOADED.get(tag, "")):
            self.loaded.append(given[LOADED[tag]])


def faults(site: Path) -> list[str]:
    """Return what is wrong in a site, a line for each fault."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = [
        f"{path.relative_to(site)}: {fault}"
        for path, page in pages.items()
        for fault in _of_page(path, page, pages)
    ]
    for sheet in sorted(site.rglob("*.css")):
        text = sheet.read_text(encoding="utf-8")
        if "url(http" in text or "url(//" in text or '@import "http' in text:
            found.append(f"{sheet.relative_to(site)}: loads something from elsewhere")
    return found


def _of_page(path: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    for address in page.loaded:
        if address.startswith("//") or urlsplit(address).scheme in ("http", "https"):
            yield f"loads {address}"
        elif not urlsplit(address).scheme and not _file(path, address).is_file():
            yield f"loads {address}, which is not there"
    for address in page.links:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        target = _file(path, address) if parts.path else path
        if not target.is_file():
            yield f"links to {address}, which is not there"
        elif (
            parts.fragment
            and target in pages
            and (unquote(parts.fragment) not in pages[target].names)
        ):
            yield f"links to {address}, which has no such place"


def _file(path: Path, address: str) -> Path:
    return (path.parent / unquote(urlsplit(address).path)).resolve()
