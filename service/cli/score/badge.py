"""A badge: a score as a small static picture, for a README or a page."""

from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

LETTER = 6.6
"""Width of a letter in 11 pixels of Verdana, about; `textLength` makes the text fit exactly."""

PADDING = 6
COLOURS = ((0.75, "#1a7f37"), (0.5, "#4d7c0f"), (0.25, "#8a6100"), (0.0, "#b3261e"))
"""Of scores from so much on; white text on each has a contrast of 4.5 or more."""


def badge_svg(found: Mapping[str, Any]) -> str:
    """Return the badge of a score, an SVG that needs nothing else.

    Args:
        found: the document of a score.
    """
    name = f"stichwerk {found['suite']} · {found['backend']}"
    half = (found["high"] - found["low"]) / 2
    value = f"{found['score']:.3f} ± {half:.3f}" if found["complete"] else "not complete"
    colour = next(fill for least, fill in COLOURS if found["score"] >= least)
    fill = colour if found["complete"] else "#57606a"
    left, right = (round(len(text) * LETTER) + 2 * PADDING for text in (name, value))
    title = escape(f"{name}: {value}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{escape(title, {chr(34): "&quot;"})}"><title>{title}</title>'
        f'<clipPath id="r"><rect width="{left + right}" height="20" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#3b424c"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{fill}"/></g>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">'
        f"{_text(name, PADDING, left)}{_text(value, left + PADDING, right)}</g></svg>\n"
    )


def _text(text: str, x: int, width: int) -> str:
    length = width - 2 * PADDING
    return f'<text x="{x}" y="14" textLength="{length}">{escape(text)}</text>'
