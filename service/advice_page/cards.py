"""Cards as pictures: own shapes, so that they look the same wherever fonts lack them."""

from games.advising import Face
from service.report.markup import Html, element

WIDTH, HEIGHT = 50, 72
SHAPES = {
    "heart": "M0 8C-11 0-9-8-4-8-1.5-8 0-6 0-4.5 0-6 1.5-8 4-8 9-8 11 0 0 8Z",
    "spade": "M0-9C-11-1-9 6-4 6-2.2 6-1 5-.6 4-.8 6.5-1.6 8-3 9H3C1.6 8 .8 6.5 .6 4 1 5 2.2 6 4 6 "
    "9 6 11-1 0-9Z",
    "diamond": "M0-9.5 6.8 0 0 9.5-6.8 0Z",
    "club": "M0-9A4.1 4.1 0 0 1 3.2-2.3 4.1 4.1 0 1 1 .7 3.6C.9 6.3 1.6 8 3 9H-3C-1.6 8-.9 6.3-.7 "
    "3.6A4.1 4.1 0 1 1-3.2-2.3 4.1 4.1 0 0 1 0-9Z",
}  # fmt: skip
"""Paths of suits, about 18 high, around the origin."""


def card(face: Face, *, named: bool = True) -> Html:
    """Return a card, face up.

    Args:
        face: of the card.
        named: whether it is told in words; otherwise what stands around it does.
    """
    spoken = {"role": "img", "aria_label": face.words} if named else {"aria_hidden": "true"}
    corner = element("g", element("text", face.rank, x=f"{7 + 2.5 * len(face.rank):g}", y="13"),
                     _suit(face.suit, "translate(9 27) scale(.62)"))  # fmt: skip
    turned = element("g", corner, transform=f"rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})")
    return element(
        "svg",
        *([element("title", face.words)] * named),
        _outline("face"),
        corner,
        turned,
        _suit(face.suit, f"translate({WIDTH / 2:g} {HEIGHT / 2:g}) scale(1.25)"),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        class_=f"card-picture {face.suit}",
        **spoken,
    )


def back() -> Html:
    """Return a card, face down; how many there are is told beside it."""
    inner = element("rect", x="5", y="5", width=f"{WIDTH - 10}", height=f"{HEIGHT - 10}", rx="3",
                    class_="pattern")  # fmt: skip
    return element("svg", _outline("back"), inner, viewBox=f"0 0 {WIDTH} {HEIGHT}",
                   class_="card-picture", aria_hidden="true")  # fmt: skip


def _outline(kind: str) -> Html:
    return element("rect", x="1", y="1", width=f"{WIDTH - 2}", height=f"{HEIGHT - 2}", rx="5",
                   class_=kind)  # fmt: skip


def _suit(suit: str, transform: str) -> Html:
    return element("path", d=SHAPES[suit], transform=transform)
