"""Sources of the site: the pages, the files of the repository that they name, the reference.

Pages keep their places in `docs/`, where links to the rest of the repository are relative; in the
site that is the folder `repository/`.
"""

import posixpath
import re
import shutil
from pathlib import Path

from tools.site.reference import command_line, modules

ROOT = Path(__file__).parents[2]
DOCS, PAGES, SITE = ROOT / "docs", ROOT / "build/site/pages", ROOT / "build/site/html"
OUTSIDE = "repository"
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\]\([^)]*\))*\])\(([^)\s]+)\)")
CODE = re.compile(r"`[^`\n]+`")
ELSEWHERE = re.compile(r"[a-z]+:|#")


def stage() -> None:
    """Write everything into `PAGES`."""
    shutil.copytree(DOCS, PAGES)
    shutil.copy(Path(__file__).with_name("site.css"), PAGES)
    reference = PAGES / "reference"
    reference.mkdir()
    (reference / "command-line.md").write_text(command_line())
    (reference / "modules.md").write_text(modules())
    waiting = [page.relative_to(PAGES).as_posix() for page in PAGES.rglob("*.md")]
    done: set[str] = set()
    while waiting:
        page = waiting.pop()
        if page in done:
            continue
        done.add(page)
        path = PAGES / page
        text, named = relinked(path.read_text(encoding="utf-8"), page)
        path.write_text(text, encoding="utf-8")
        waiting += [name for name in named if name.endswith(".md")]


def relinked(text: str, page: str) -> tuple[str, list[str]]:
    """Return a page with the links of the site, and the files copied for it.

    Args:
        text: of the page.
        page: its place below `PAGES`.
    """
    copied: list[str] = []

    def link(match: re.Match[str]) -> str:
        label, target = match[1], match[2]
        if ELSEWHERE.match(target):
            return match[0]
        name, mark, anchor = target.partition("#")
        place = place_of(page, name)
        if place is None or place == page:
            return match[0]
        if not (PAGES / place).exists():
            source = ROOT / place.removeprefix(f"{OUTSIDE}/")
            if source.is_dir():
                return f"{label[1:-1]} (`{source.relative_to(ROOT).as_posix()}/`)"
            (PAGES / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, PAGES / place)
            copied.append(place)
        return f"{label}({posixpath.relpath(place, posixpath.dirname(page) or '.')}{mark}{anchor})"

    def linked(part: str) -> str:
        if part.startswith("`"):
            return part
        code = [each.span() for each in CODE.finditer(part)]

        def unless_code(match: re.Match[str]) -> str:
            inside = any(start < match.start() and match.end() < end for start, end in code)
            return match[0] if inside else link(match)

        return LINK.sub(unless_code, part)

    return "".join(map(linked, _around_links(text))), copied


def place_of(page: str, name: str) -> str | None:
    """Return where in the site a link leads; None if the repository has no such file."""
    folder = posixpath.dirname(page)
    outside = page.startswith(f"{OUTSIDE}/")
    base = folder.removeprefix(OUTSIDE).strip("/") if outside else posixpath.join("docs", folder)
    path = posixpath.normpath(posixpath.join(base, name))
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return f"{OUTSIDE}/{path}" if (ROOT / path).exists() else None


def _around_links(text: str) -> list[str]:
    """Split a text into blocks of code and the parts between them."""
    return re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
