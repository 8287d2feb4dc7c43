"""The form with which a seat moves: its moves as buttons, by piece and by what it does."""

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from games.playing.panels import Cell, Grid, Panel
from games.playing.view import View
from service.play.html.layout import void
from service.play.html.panels import face
from service.report.markup import Html, element

MOST_BUTTONS = 60


@frozen
class Choices:
    """Moves of two parts, such as a card and an operation.

    Args:
        pieces: the first parts.
        actions: the second ones; empty for none.
        fitting: for each action the pieces that it goes with; empty if all go with all.
    """

    pieces: Sequence[str]
    actions: Sequence[str]
    fitting: Mapping[str, Sequence[str]] = field(factory=dict)


def choices(moves: Sequence[str]) -> Choices | None:
    """Return the two parts of moves; None if some have one part only, or all the same first."""
    parts = [move.partition(" ") for move in moves]
    pieces = list(dict.fromkeys(piece for piece, _, _ in parts))
    actions = list(dict.fromkeys(action for _, _, action in parts))
    if len(pieces) < 2:
        return None
    if len(pieces) * len(actions) == len(set(moves)):
        return Choices(pieces, actions)
    if not all(actions) or len(actions) > MOST_BUTTONS:
        return None
    fitting = {one: [p for p, _, action in parts if action == one] for one in actions}
    return Choices(pieces, actions, fitting)


def moves_form(view: View, panels: Sequence[Panel], number: int) -> Html:
    """Return the form of a seat that moves.

    Args:
        view: of the seat.
        panels: of the view; cells say how pieces look.
        number: how many moves the seat has made.
    """
    cells = {
        cell.move: cell
        for panel in panels
        if isinstance(panel, Grid)
        for row in panel.rows
        for cell in row
        if cell.move
    }
    found = choices(view.legal_moves)
    if found is not None:
        content = [_pieces(found.pieces, cells), _actions(found, view)]
    elif len(view.legal_moves) <= MOST_BUTTONS:
        buttons = (_button("move", move, move) for move in view.legal_moves)
        content = [element("div", *buttons, class_="buttons")]
    else:
        field = void("input", name="move", required="", autocomplete="off", id="move")
        content = [
            element("label", "Move", field),
            element("button", "Play", type="submit"),
        ]
    hidden = void("input", type="hidden", name="number", value=str(number))
    return element("form", hidden, *content, method="post", class_="moves")


def is_hand(panel: Panel, view: View) -> bool:
    """Tell whether all of a panel's cells are in the form."""
    found = choices(view.legal_moves)
    if found is None or not isinstance(panel, Grid):
        return False
    cells = [cell for row in panel.rows for cell in row]
    return bool(cells) and all(cell.move in found.pieces for cell in cells)


def _pieces(pieces: Sequence[str], cells: Mapping[str, Cell]) -> Html:
    radios = []
    for piece in pieces:
        button = void("input", type="radio", name="piece", value=piece, required="",
                      id=f"piece-{piece}")  # fmt: skip
        radios.append(element("label", button, face(cells.get(piece, Cell(piece)))))
    legend = element("legend", "Choose one")
    return element("fieldset", legend, element("div", *radios, class_="pieces"))


def _actions(found: Choices, view: View) -> Html:
    buttons = (
        _button("action", action, view.action_words(action), found.fitting.get(action, ()))
        for action in found.actions
    )
    return element("div", *buttons, class_="buttons")


def _button(name: str, value: str, words: str, fitting: Sequence[str] = ()) -> Html:
    only = {"data_fitting": " ".join(fitting)} if fitting else {}
    return element(
        "button", words, type="submit", name=name, value=value, id=f"{name}-{value}", **only
    )
