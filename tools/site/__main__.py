"""Build the site into `build/site/html`: `.venv/bin/python -m tools.site`, as `make site` does.

A broken link, a page that the navigation misses, or anything that a browser would load from
elsewhere ends it with exit code 1.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tools.site.staging import PAGES, ROOT, SITE, stage

LOADS = re.compile(
    r"""<(?:script|img|iframe|source|link)\b[^>]*\s(?:src|href)=["'](?:https?:)?//"""
    r"""|(?:\burl\(|@import\s*)["']?(?:https?:)?//"""
)
"""Forms of links to other servers."""


def loading(site: Path) -> list[str]:
    """Return the names of pages and styles that load something from elsewhere."""
    files = [path for path in sorted(site.rglob("*")) if path.suffix in (".html", ".css")]
    return [
        path.relative_to(site).as_posix()
        for path in files
        if LOADS.search(path.read_text(encoding="utf-8"))
    ]


def main() -> int:
    """Build the site, and return the exit code."""
    shutil.rmtree(PAGES.parent, ignore_errors=True)
    stage()
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    if subprocess.run(
        command, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "true"}, check=False
    ).returncode:
        return 1
    # It is for servers at the root of an address: its links are absolute.
    (SITE / "404.html").unlink()
    addresses = loading(SITE)
    for name in addresses:
        print(f"{name}: loads something from elsewhere", file=sys.stderr)
    pages = sum(1 for _ in SITE.rglob("*.html"))
    print(f"{SITE.relative_to(ROOT)}: {pages} pages", file=sys.stderr)
    return int(bool(addresses))


if __name__ == "__main__":
    sys.exit(main())
