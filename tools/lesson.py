"""Make the notebooks of `docs/lesson/` from its pages: `.venv/bin/python -m tools.lesson`.

A notebook is the page's text with its examples as cells of code, without their output.
"""

import json
import re
from collections.abc import Iterator
from doctest import DocTestParser
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "docs" / "lesson"
FENCE = re.compile(r"^```(pycon|sh)\n(.*?)^```\n?", re.DOTALL | re.MULTILINE)


def pages() -> list[Path]:
    """Return the pages of the steps, in their order."""
    return sorted(FOLDER.glob("[0-9]*.md"))


def parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a page: kind, `markdown`, `pycon` or `sh`, and text."""
    end = 0
    for match in FENCE.finditer(text):
        yield "markdown", text[end : match.start()]
        yield match[1], match[2]
        end = match.end()
    yield "markdown", text[end:]


def code_of(kind: str, text: str) -> list[str]:
    """Return the contents of cells, each of which shows the value of its last line only."""
    if kind == "sh":
        return ["\n".join(f"!{line}" for line in text.splitlines())]
    cells, prints = [""], False
    for example in DocTestParser().get_examples(text):
        if prints:
            cells.append("")
        cells[-1] += example.source
        prints = bool(example.want)
    return [cell.rstrip("\n") for cell in cells]


def notebook(text: str) -> str:
    """Return a page as a notebook, nbformat 4.5."""
    cells: list[dict[str, Any]] = []
    for kind, content in parts(text):
        if not content.strip():
            continue
        for source in [content.strip()] if kind == "markdown" else code_of(kind, content):
            lines = source.splitlines(keepends=True)
            cell = {"id": f"cell-{len(cells)}", "metadata": {}, "source": lines}
            if kind == "markdown":
                cells.append({"cell_type": "markdown"} | cell)
            else:
                more: dict[str, Any] = {"execution_count": None, "outputs": []}
                cells.append({"cell_type": "code"} | cell | more)
    document = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the notebooks."""
    for page in pages():
        path = page.with_suffix(".ipynb")
        path.write_text(notebook(page.read_text(encoding="utf-8")), encoding="utf-8")
        print(path.relative_to(FOLDER.parents[1]))


if __name__ == "__main__":
    main()
