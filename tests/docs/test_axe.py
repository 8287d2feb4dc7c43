"""Nothing serious keeps people from using any page of the site."""

from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from playwright.sync_api import Browser

from tools.axe import SERIOUS, WINDOWS, addresses, findings
from tools.site import staging

ROOT = Path(__file__).parents[2]


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
    pages = list(addresses([str(site)]))
    assert len(pages) > 30
    found = [
        f"{page}: {finding}"
        for page in pages
        for finding in findings(chromium, axe, page, window)
        if finding.startswith(SERIOUS)
    ]
    assert found == []
