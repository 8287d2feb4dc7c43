"""Page of a match: the view of a seat, or of a spectator."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any
from urllib.parse import parse_qsl

from attrs import field, frozen
from fastapi import Depends, HTTPException, Request

from compiler.errors import GameError, InputError
from games.panels import Board, Cell, Circuit, Grid, Panel
from play.hosted.kept_match import KeptMatch
from play.hosted.matches import LONGEST_MOVE, PERSON
from play.measurement_panels import look_panels, origin_panels
from play.playable import Playable, playables
from play.rules import GateRule
from play.view import Draft, View
from service.api.errors import told
from service.pages.circuit import COLUMNS, circuit_figure
from service.pages.rendering import render
from service.play.schemas import MAX_SEATS, MAX_SEED

KIND = "application/x-www-form-urlencoded"
MAX_FIELDS = 200
LONGEST_FIELD = 200
LONGEST_RECORD = 200_000
LONGEST = {"move": LONGEST_MOVE, "record": LONGEST_RECORD, "next": 2000}
"""Characters of fields in which more is written than a name."""
RULE = "rule-"
PEOPLE = 2
"""Seats of people, at least, if some are invited."""


async def form_of(request: Request) -> Mapping[str, str]:
    """Return the fields of a form by name.

    Raises:
        HTTPException: if it is none, or has too many fields, too long ones, or one twice.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != KIND:
        raise HTTPException(415, f"send a form as {KIND}")
    try:
        pairs = parse_qsl(
            (await request.body()).decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MAX_FIELDS,
        )
    except ValueError as error:
        raise HTTPException(422, "this is no form of these pages") from error
    fields = dict(pairs)
    if len(fields) < len(pairs) or any(
        len(value) > LONGEST.get(name, LONGEST_FIELD) for name, value in fields.items()
    ):
        raise HTTPException(422, "a field of the form is there twice, or too long")
    return fields


Form = Annotated[Mapping[str, str], Depends(form_of)]


def move_of(form: Mapping[str, str]) -> tuple[str, int]:
    """Return the move that a form says, and how many came before it.

    Raises:
        InputError: if it says none.
    """
    move = form.get("move") or f"{form.get('piece', '')} {form.get('action', '')}"
    if not move.strip():
        raise InputError("choose a move")
    return move.strip(), _number(form.get("number", ""), "number")


def seats_of(form: Mapping[str, str]) -> list[str]:
    """Return who sits where.

    A form may choose another game, or another number of players, than those whose seats it shows:
    then the usual ones sit where it shows none.
    """
    kind = playables[form.get("game", "")]
    seats: list[str] = []
    while (name := form.get(f"seat-{len(seats)}")) and len(seats) < MAX_SEATS:
        seats.append(name)
    if "players" in form:
        players = players_of(kind, form["players"])
        shown = seats[:players] if _shows_its_game(form) else []
        seats = [*shown, *usual_seats(kind, players)[len(shown) :]]
    if "invite" in form and seats.count(PERSON) < PEOPLE:
        seats[:PEOPLE] = [PERSON] * len(seats[:PEOPLE])
    return seats


def usual_seats(kind: Playable[Any], players: int) -> list[str]:
    """Return the default seats: a person against the computer."""
    return [PERSON, *[kind.usual_bot] * (players - 1)]


def players_of(kind: Playable[Any], text: str) -> int:
    """Return the number of players that a text says, the nearest one that the game has."""
    fewest, most, usual = kind.seats
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else usual
    return min(max(number, fewest), most)


def rules_of(form: Mapping[str, str]) -> dict[str, str]:
    """Return the options of the rules by name; none, which are the usual ones, of another game."""
    if not _shows_its_game(form):
        return {}
    return {name.removeprefix(RULE): value for name, value in form.items() if name.startswith(RULE)}


def _shows_its_game(form: Mapping[str, str]) -> bool:
    game = form.get("game")
    return form.get("shown", game) == game


def record_of(form: Mapping[str, str]) -> tuple[str, bytes] | None:
    """Return the kind and content of a match to go on with; None if a new one is to be started."""
    if not _shows_its_game(form) or not form.get("record", "").strip():
        return None
    return form.get("format", ""), form["record"].encode("utf-8", "surrogatepass")


def seed_of(form: Mapping[str, str]) -> int | None:
    """Return the seed; None for an unknown one.

    Raises:
        InputError: if it is no number.
    """
    text = form.get("seed", "").strip()
    return _number(text, "seed") if text else None


def _number(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= MAX_SEED):
        raise InputError(f"{name} = {text[:20]!r}: must be a whole number from 0 to {MAX_SEED}")
    return int(text)


MAX_BUTTONS = 60
MAX_PICTURES = 64
CIRCUIT_COLUMNS = 5 * COLUMNS


MAX_DIGITS = 6
"""Digits of the number of a game."""


@frozen
class Shown:
    """Parameters of a link to a match.

    Args:
        game: which of the superposed games is shown, from 0 on; None for all together.
        words: of a move that is put together; see `play.view.View.draft`.
        typed: a move that was written, and not taken.
        advice: whether advice is asked for.
    """

    game: int | None = None
    words: tuple[str, ...] = ()
    typed: str = ""
    advice: bool = False


def shown_of(query: Mapping[str, str], moves: int | None) -> Shown:
    """Return the request of a link.

    Args:
        query: of the link, as the template `play/board.html` makes it.
        moves: moves of the seat so far: unplayed parts before the last move are dropped.
    """
    number = query.get("game", query.get("at", ""))
    game = (
        int(number) if number.isascii() and number.isdigit() and len(number) <= MAX_DIGITS else None
    )
    if moves is None or query.get("number") != str(moves):
        return Shown(game, advice="advice" in query)
    draft = query.get("draft", "").split()
    if "sort" in query:
        draft = [query["sort"]]
    elif "add" in query:
        draft.append(query["add"])
    elif query.get("undo") == "one":
        draft = draft[:-1] if len(draft) > 1 else draft
    elif query.get("undo") == "all":
        draft = draft[:1]
    return Shown(game, tuple(draft))


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


def choices(moves: Sequence[str], cells: Collection[str]) -> Choices | None:
    """Return the two parts of moves; None if some have one part only, or none is a cell's."""
    parts = [move.partition(" ") for move in moves]
    pieces = list(dict.fromkeys(piece for piece, _, _ in parts))
    actions = list(dict.fromkeys(action for _, _, action in parts))
    if not set(pieces) & set(cells):
        return None
    if len(pieces) * len(actions) == len(set(moves)):
        return Choices(pieces, actions)
    if not all(actions) or len(actions) > MAX_BUTTONS:
        return None
    fitting = {first: [p for p, _, action in parts if action == first] for first in actions}
    return Choices(pieces, actions, fitting)


@lru_cache(MAX_PICTURES)
def rule_picture(gate: GateRule) -> str:
    """Return the picture of a gate in the rules."""
    return circuit_figure(gate.picture, bundled=False, outcomes=())


def again(stored: KeptMatch) -> dict[str, str]:
    """Return the fields of the form that starts a match like this one."""
    setup = stored.match.setup()
    kind = playables[stored.match.game]
    rules = {name: str(setup.get(name, setup["options"].get(name, ""))) for name in kind.options}
    return {
        "game": stored.match.game,
        **{f"seat-{place}": seat.bot or PERSON for place, seat in enumerate(stored.seats)},
        **{f"{RULE}{name}": value for name, value in rules.items() if value},
        **({"chances": "yes"} if stored.chances else {}),
        "backend": stored.backend,
    }


def match_page(
    stored: KeptMatch,
    seat: int | None,
    shown: Shown | None = None,
    error: str = "",
    advice: Sequence[Panel] = (),
) -> str:
    """Return the page.

    Args:
        stored: the match.
        seat: number of the seat; None for a spectator.
        shown: part of the match that the link asks for.
        error: fault of the last move.
        advice: value of each move; empty without a request.
    """
    match, shown = stored.match, shown or Shown()
    view = match.view(seat)
    panels = view.panels(chances=stored.chances)
    draft, refused = drafted(view, shown.words)
    form = ""
    if seat is not None and (draft is not None or view.legal_moves):
        form = "moves" if draft is None else "draft"
    cells = _cells(panels)
    parts = choices(view.legal_moves, cells) if form == "moves" else None
    left = [panel for panel in panels if parts is None or not _is_hand(panel, parts)]
    left += look_panels(match, chances=stored.chances)
    left += advice
    others = [panel for panel in left if not isinstance(panel, Grid)] + origin_panels(match.log)
    bots: dict[str, list[int]] = {}
    for place, bot in stored.bots.items():
        bots.setdefault(bot, []).append(place)
    moves = [] if seat is None else stored.moves_of(seat)
    return render(
        "play/match.html",
        kept=stored,
        match=match,
        view=view,
        game=playables[match.game].title,
        rules=playables[match.game].rules,
        picture=rule_picture,
        again=again(stored) if match.over and seat is not None else {},
        form=form,
        number=None if seat is None else len(moves),
        last_move="" if form else next(reversed(moves), ""),
        bots=bots,
        waiting=told(stored.waiting),
        error=error or refused,
        draft=draft,
        choices=parts,
        cells={name: Cell(name) for name in (parts.pieces if parts else ())} | cells,
        grids=[panel for panel in left if isinstance(panel, Grid)],
        others=[(type(panel).__name__, panel) for panel in others],
        circuit=lambda panel: _circuit(panel, stored),
        formats=playables[match.game].formats,
        shown_game=next((_shown_game(panel, shown, draft) for panel in left
                         if isinstance(panel, Board)), None),
        chosen=_places(draft),
        shares_of=_shares,
        typed=shown.typed,
        max_move=LONGEST_MOVE,
        max_buttons=MAX_BUTTONS,
    )  # fmt: skip


def drafted(view: View, tokens: Sequence[str]) -> tuple[Draft | None, str]:
    """Return the longest part of a move that is possible, and why the whole one is not."""
    refused = ""
    while tokens:
        try:
            return view.draft(tokens), refused
        except GameError as error:
            refused, tokens = refused or told(str(error)), tokens[:-1]
    return view.draft(()), refused


def _cells(panels: Sequence[Panel]) -> dict[str, Cell]:
    """Return how pieces look, by the move that they begin."""
    rows = [row for panel in panels if isinstance(panel, Grid) for row in panel.rows]
    return {cell.move: cell for row in rows for cell in row if cell.move}


def _is_hand(panel: Panel, parts: Choices) -> bool:
    """Return whether all of a panel's cells are in the form."""
    cells = [cell for row in panel.rows for cell in row] if isinstance(panel, Grid) else []
    return bool(cells) and all(cell.move in parts.pieces for cell in cells)


def _circuit(panel: Circuit, stored: KeptMatch) -> str:
    # An empty circuit counts as false.
    shown = stored.match.program().circuit if panel.picture is None else panel.picture
    return circuit_figure(
        shown, bundled=False, outcomes=stored.match.known, max_columns=CIRCUIT_COLUMNS
    )


def _shown_game(board: Board, shown: Shown, draft: Draft | None) -> int | None:
    """Return the place of the game that is shown alone."""
    if draft is not None and draft.layer is not None and shown.game is None:
        places = (place for place, layer in enumerate(board.layers) if layer.number == draft.layer)
        return next(places, None)
    return shown.game if shown.game is not None and shown.game < len(board.layers) else None


def _places(draft: Draft | None) -> dict[str, list[int]]:
    """Return at which places of the draft each point was chosen."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(draft.chosen if draft else (), start=1):
        places.setdefault(name, []).append(place)
    return places


def _shares(pieces: Mapping[str, Any]) -> list[float]:
    """Return as much of a disc as each piece is probable; equal parts if that is not shown."""
    return [1 / (len(pieces) + 1) if share is None else share for share in pieces.values()]
