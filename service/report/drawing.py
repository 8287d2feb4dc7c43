"""Pictures: matplotlib figures as inline SVG, and the colours they share."""

import re
from collections.abc import Callable
from io import StringIO
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

from service.report.markup import Html, element

INK = "#222222"
GREY = "#6b6b6b"
FAINT = "#dddddd"
ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE = (
    "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
)  # fmt: skip
"""The palette of Okabe and Ito, which colour-blind people can tell apart."""

WIDTH_PT = 330.0
"""Width of every picture in points: about that of a phone, so that letters stay legible there."""

_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.size": 9.0,
    "text.color": INK,
    "axes.edgecolor": GREY,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "hatch.linewidth": 0.8,
}
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def picture(
    draw: Callable[[Figure], None], height_pt: float, description: str, caption: object, name: str
) -> Html:
    """Return a `<figure>` with an inline SVG; the same drawing gives the same bytes.

    Args:
        draw: draws on the figure it is given.
        height_pt: height in points; the width is `WIDTH_PT`.
        description: what is to be seen, for those who cannot.
        caption: the figure's caption.
        name: its id, of which there is one on a page.
    """
    written = StringIO()
    # The salt keeps the ids inside apart from those of the page's other pictures.
    with rc_context(_STYLE | {"svg.hashsalt": name}):
        figure = Figure(figsize=(WIDTH_PT / 72, height_pt / 72))
        figure.patch.set_alpha(0)
        draw(figure)
        figure.savefig(written, format="svg", transparent=True, metadata=_NO_METADATA)
    paths = _inline(written.getvalue())
    view = f"0 0 {WIDTH_PT:g} {height_pt:g}"
    svg = element("svg", paths, viewBox=view, role="img", aria_label=description)
    return element("figure", svg, element("figcaption", caption), id=name)


def _inline(svg: str) -> Html:
    """Strip what only an SVG file needs, and ids that nothing refers to."""
    body = svg[svg.index(">", svg.index("<svg")) + 1 : svg.rindex("</svg>")]
    body = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", body, flags=re.DOTALL)
    used = set(re.findall(r"#([\w-]+)", body))
    return Html(re.sub(r' id="([^"]+)"', lambda m: m[0] if m[1] in used else "", body).strip())
