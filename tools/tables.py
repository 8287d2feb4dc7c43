"""Tables in Markdown that programs write into pages, each between two marks."""

import re
from collections.abc import Iterable, Sequence

MARKED = re.compile(r"(<!-- \w+: tools/\w+\.py -->\n).*?(\n<!-- end -->)", re.DOTALL)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table from its headings and rows."""
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(heads), *lines[1:]])


def with_table(page: str, text: str) -> str:
    """Return a page with a table in the place of the marked one."""
    return MARKED.sub(lambda marks: marks[1] + text + marks[2], page, count=1)
