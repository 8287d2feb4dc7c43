"""Build the site into `build/site/html`: `.venv/bin/python -m tools.site`, as `make site` does.

A broken link, a page that the navigation misses, or anything that a browser would load from
elsewhere ends it with exit code 1.
"""

import os
import shutil
import subprocess
import sys

from tools.site.checking import faults
from tools.site.staging import PAGES, ROOT, SITE, stage


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
    found = faults(SITE)
    for fault in found:
        print(fault, file=sys.stderr)
    pages = sum(1 for _ in SITE.rglob("*.html"))
    print(f"{SITE.relative_to(ROOT)}: {pages} pages, {len(found)} faults", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
