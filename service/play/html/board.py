"""A board as a page shows it: stones by their probability, and its games one by one."""

from collections.abc import Mapping
from math import cos, pi, sin

from games.playing.boards import Board, Spot
from games.playing.draft import Draft
from service.play.html.layout import void
from service.play.shown import ALL_GAMES
from service.report.markup import Html, element

RADIUS = 8.5
"""Of a stone; a point is 20 wide."""
FORM = "look"
"""The form that all buttons belong to which only change how the match is looked at."""
KEYS = (
    "Keys: arrows move over the board, Enter chooses, N and P go through the games, A shows all of "
    "them, Backspace takes back a choice, Escape all."
)


def board_box(board: Board, game: int | None, draft: Draft | None, number: int | None) -> Html:
    """Return the board.

    Args:
        board: to be shown.
        game: which of its games is shown alone; None for all together.
        draft: the move that is put together; None if there is none.
        number: how many moves the seat has made; None for somebody who watches.
    """
    shown = board if game is None else board.alone(game)
    hidden = {
        "at": "" if game is None else str(game),
        **({} if number is None else {"number": str(number)}),
        **({} if draft is None else {"draft": " ".join(draft.words)}),
    }
    fields = (void("input", type="hidden", name=name, value=value)
              for name, value in hidden.items())  # fmt: skip
    heading = element("span", "", class_="head", role="columnheader")
    letters = (
        element("span", letter, class_="head", role="columnheader") for letter in board.columns[1:]
    )
    rows = [
        element("div", element("span", row[0].text, class_="head", role="rowheader"),
                *(_point(spot, draft) for spot in spots), class_="line", role="row")
        for row, spots in zip(board.rows, shown.spots, strict=True)
    ]  # fmt: skip
    points = element(
        "div",
        element("div", heading, *letters, class_="line", role="row"),
        *rows,
        class_="points",
        role="grid",
        aria_label="Board",
    )
    return element(
        "section",
        element("h2", "Board: as much of a disc as a stone is probable, black or white"),
        element("form", *fields, method="get", id=FORM),
        points,
        element("p", "Point at a point, or go there by keys, to read its probabilities.",
                class_="readout", id="readout"),
        *_steps(board, game),
        element("p", KEYS, class_="soft keys"),
        class_="panel board",
    )  # fmt: skip


def look_button(name: str, value: str, words: object, **more: str) -> Html:
    """Return a button that only changes how the match is looked at."""
    return element("button", words, type="submit", form=FORM, name=name, value=value, **more)


def _steps(board: Board, game: int | None) -> list[Html]:
    """Return what goes through the games."""
    count = len(board.layers)
    if count < 2:
        return []
    before = count - 1 if game is None else (game - 1) % count
    after = 0 if game is None else (game + 1) % count
    told = f"All {count} games together" if game is None else board.told(game)
    buttons = [
        look_button("game", str(before), "‹ Previous", id="step-previous"),
        look_button("game", str(after), "Next ›", id="step-next"),
        look_button("game", ALL_GAMES, "All games", id="step-all",
                    **({"aria_pressed": "true"} if game is None else {})),
    ]  # fmt: skip
    return [
        element("div", *buttons, class_="buttons steps", role="group", aria_label="Game by game"),
        element("p", told, class_="game"),
    ]


def _point(spot: Spot, draft: Draft | None) -> Html:
    kinds, words = ["point"], [spot.words]
    marks: list[Html] = []
    button = {"type": "button", "aria_disabled": "true"}
    if draft is not None and spot.name in draft.legal:
        kinds.append("legal")
        button = {"type": "submit", "form": FORM, "name": "add", "value": spot.name}
        words.append("can be chosen")
    chosen = [] if draft is None else [
        place for place, name in enumerate(draft.chosen, start=1) if name == spot.name
    ]  # fmt: skip
    if chosen:
        kinds.append("chosen")
        places = " and ".join(map(str, chosen))
        words.append(f"choice {places}")
        marks.append(element("small", str(chosen[-1])))
    told = "; ".join(words)
    made = element(
        "button",
        _stones(spot.pieces),
        *marks,
        class_=" ".join(kinds),
        id=f"point-{spot.name}",
        title=told,
        aria_label=told,
        **button,
    )
    return element("span", made, class_="spot", role="gridcell")


def _stones(pieces: Mapping[str, float | None]) -> Html:
    if not pieces:
        return Html("")
    shares = [1 / (len(pieces) + 1) if share is None else share for share in pieces.values()]
    parts = []
    if sum(shares) < 1 or len(shares) > 1:
        parts.append(element("circle", r=str(RADIUS), class_="rim"))
    start = 0.0
    for piece, share in zip(pieces, shares, strict=True):
        parts.append(_sector(piece, start, share))
        start += share
    if None in pieces.values():
        parts.append(element("text", "?"))
    return element("svg", *parts, viewBox="-10 -10 20 20", aria_hidden="true")


def _sector(piece: str, start: float, share: float) -> Html:
    """Return a part of a disc, clockwise from the top."""
    if share >= 1:
        return element("circle", r=str(RADIUS), class_=piece)
    ends = [_on_rim(start), _on_rim(start + share)]
    large = int(share > 0.5)
    path = f"M0 0L{ends[0]}A{RADIUS} {RADIUS} 0 {large} 1 {ends[1]}Z"
    return element("path", d=path, class_=piece)


def _on_rim(turn: float) -> str:
    return f"{RADIUS * sin(2 * pi * turn):.2f} {-RADIUS * cos(2 * pi * turn):.2f}"
