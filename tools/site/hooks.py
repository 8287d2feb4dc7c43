"""Hooks of MkDocs: pages that can be used by keys alone, and on a phone."""

import re
from typing import Any

NAVBAR = '<div class="navbar '


def on_page_content(html: str, **_: Any) -> str:
    """Let scrolling parts be reached by keys: blocks of code, and tables."""
    html = html.replace("<pre>", '<pre tabindex="0">')
    html = html.replace("<table>", '<div class="wide" tabindex="0" role="group" aria-label="Table">'
                        "<table>").replace("</table>", "</table></div>")  # fmt: skip
    # An empty heading of a column is none.
    return re.sub(r"<th([^>]*)></th>", r"<td\1></td>", html)


def on_post_page(output: str, **_: Any) -> str:
    """Label the bar above all pages."""
    return output.replace(NAVBAR, '<div role="navigation" aria-label="Site" class="navbar ',
                          1)  # fmt: skip
