"""The site is built, and readable to all."""

import re
from pathlib import Path

import pytest
import yaml
from mkdocs.commands.build import build
from mkdocs.config import load_config
from playwright.sync_api import Browser

import stichwerk
from tools.axe import SERIOUS, WINDOWS, findings
from tools.site import reference, staging
from tools.site.__main__ import loading
from tools.site.hooks import on_page_content, on_post_page
from tools.site.reference import command_line
from tools.site.staging import place_of, relinked

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything that the site is built from."""
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("site") / "pages"
    patch.setattr(staging, "PAGES", folder)
    staging.stage()
    patch.undo()
    return folder


def named(part: object) -> list[str]:
    if isinstance(part, str):
        return [part]
    if isinstance(part, dict):
        return [name for one in part.values() for name in named(one)]
    return [name for one in part for name in named(one)]


def test_all_pages_are_in_the_navigation(staged):
    listed = named(yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"])
    pages = [page.relative_to(staged).as_posix() for page in staged.rglob("*.md")]
    assert sorted(listed) == sorted(pages)


def test_the_start_page_names_all_pages_of_docs():
    text = (ROOT / "docs/index.md").read_text()
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert {page for page in pages if f"({page})" not in text} == set()


def test_links_out_of_docs_lead_to_copies(staged):
    assert place_of("costs.md", "../backends/prices.toml") == "repository/backends/prices.toml"
    assert place_of("repository/README.md", "docs/advise.md") == "advise.md"
    assert place_of("lesson/README.md", "../advise.md") == "advise.md"
    assert (staged / "repository/backends/prices.toml").is_file()
    assert "(repository/backends/prices.toml)" in (staged / "costs.md").read_text()
    assert "(`tests/servers/provider_simulators/`)" in (staged / "providers.md").read_text()


def test_code_is_left_alone():
    text = "```\n[a](../README.md)\n```\n"
    assert relinked(text, "advise.md") == (text, [])


def test_the_command_line_is_told_whole():
    text = command_line()
    assert "## stichwerk advise\n" in text
    assert "## stichwerk gates check" in text
    assert re.search(r"^\| `--deals INT` \| [^|]+ \| `500` \|$", text, re.MULTILINE)


def test_the_public_names_are_listed():
    text = reference.modules()
    assert all(f"## stichwerk.{name}\n" in text for name in stichwerk.__all__)
    assert "compile(program" in text


@pytest.mark.parametrize(
    ("name", "text", "loads"),
    [
        ("a.html", '<a href="https://example.org">e</a><img src="no.png">', False),
        ("a.html", '<script defer src="https://example.org/s.js"></script>', True),
        ("a.html", '<img alt="" src="//example.org/a.png">', True),
        ("s.css", "p { background: url(data:image/png) }", False),
        ("s.css", "p { background: url(https://example.org/b.png) }", True),
    ],
)
def test_what_is_loaded_from_elsewhere_is_found(tmp_path, name, text, loads):
    (tmp_path / name).write_text(text)
    assert loading(tmp_path) == [name] * loads


def test_what_scrolls_is_reached_by_keys():
    html = on_page_content("<pre>x</pre><table><th></th><th>a</th></table>")
    assert html.count('tabindex="0"') == 2
    assert "<td></td><th>a</th>" in html
    assert 'role="navigation"' in on_post_page('<div class="navbar fixed">')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built."""
    folder = tmp_path_factory.mktemp("site")
    patch = pytest.MonkeyPatch()
    patch.setattr(staging, "PAGES", folder / "pages")
    staging.stage()
    patch.undo()
    config = load_config(
        str(ROOT / "mkdocs.yml"), docs_dir=str(folder / "pages"), site_dir=str(folder / "html")
    )
    build(config)
    (folder / "html/404.html").unlink()
    return folder / "html"


@pytest.mark.full
@pytest.mark.parametrize("window", WINDOWS)
def test_all_pages(site: Path, chromium: Browser, axe: str, window: str) -> None:
    pages = [page.as_uri() for page in sorted(site.rglob("*.html"))]
    assert len(pages) > 30
    found = [
        f"{page}: {finding}"
        for page in pages
        for finding in findings(chromium, axe, page, window)
        if finding.startswith(SERIOUS)
    ]
    assert found == []
