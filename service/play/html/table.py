"""The page of a match: what a seat, or somebody who watches, sees of it."""

from collections.abc import Sequence

from compiler.errors import GameError
from games.playing.boards import Board
from games.playing.draft import Draft
from games.playing.formats import formats_of
from games.playing.measurements.panels import look_panels, origin_panels
from games.playing.panels import Grid
from games.playing.playable import playables
from games.playing.view import View
from service.api.errors import told
from service.play.html.board import board_box
from service.play.html.draft import draft_form
from service.play.html.layout import page
from service.play.html.moves import is_hand, moves_form
from service.play.html.panels import drawn
from service.play.kept_match import KeptMatch
from service.play.matches import LONGEST_MOVE
from service.play.shown import Shown
from service.report.markup import Html, element


def table_page(
    kept: KeptMatch, seat: int | None, asked: Shown | None = None, error: str = ""
) -> str:
    """Return the page.

    Args:
        kept: the match.
        seat: who looks; None for somebody who watches.
        asked: what of it, where that can be chosen.
        error: what was wrong with the last move.
    """
    match = kept.match
    view = match.view(seat)
    panels = view.panels(chances=kept.chances)
    asked = asked or Shown()
    draft, refused = drafted(view, asked.words)
    number = None if seat is None else len(kept.moves_of(seat))
    form = []
    if number is not None and draft is not None:
        form = [draft_form(draft, number, asked.typed, LONGEST_MOVE)]
    elif number is not None and view.legal_moves:
        form = [moves_form(view, panels, number)]
    title = playables[match.game].title
    status = _status_box(kept, view, error or refused, asks=bool(form))
    shown = [panel for panel in panels if not (form and is_hand(panel, view))]
    shown += look_panels(match, chances=kept.chances)
    grids = [
        board_box(panel, _shown_game(panel, asked, draft), draft, number)
        if isinstance(panel, Board)
        else drawn(panel, match)
        for panel in shown
        if isinstance(panel, Grid)
    ]
    shown += origin_panels(match.log)
    others = [drawn(panel, match) for panel in shown if not isinstance(panel, Grid)]
    # The form comes right after the first grid, which it is mostly about, or beside a board.
    columns = ([*grids[:1], *form, *grids[1:]], others)
    if draft is not None:
        columns = (grids, [*form, *others])
    others += _downloads(kept)
    parts = [element("h1", title), status, *(element("div", *one) for one in columns)]
    return page(
        f"{'● ' if form else ''}{title}",
        *parts,
        refreshed=not form and not match.over,
        class_="table",
        data_version=str(kept.version),
        data_watch=f"/play/{kept.id}/version",
    )


def drafted(view: View, words: Sequence[str]) -> tuple[Draft | None, str]:
    """Return a move as far as it can be put together, and why it cannot be as it was asked for."""
    refused = ""
    while words:
        try:
            return view.draft(words), refused
        except GameError as error:
            refused, words = refused or told(str(error)), words[:-1]
    return view.draft(()), refused


def _shown_game(board: Board, asked: Shown, draft: Draft | None) -> int | None:
    """Return the place of the game that is shown alone."""
    if draft is not None and draft.layer is not None and asked.game is None:
        places = (place for place, one in enumerate(board.layers) if one.number == draft.layer)
        return next(places, None)
    return asked.game if asked.game is not None and asked.game < len(board.layers) else None


def _downloads(kept: KeptMatch) -> list[Html]:
    links = [
        element("a", f"Download as {suffix}", href=f"/play/{kept.id}/record/match{suffix}",
                title=one.title, download="")
        for suffix, one in formats_of(kept.match.game).items()
    ]  # fmt: skip
    return [element("p", *links, class_="soft")] if links else []


def _status_box(kept: KeptMatch, view: View, error: str, *, asks: bool) -> Html:
    """Return who looks, what is waited for, and what was wrong.

    Args:
        kept: the match.
        view: of whoever looks.
        error: what was wrong with the last move; empty if nothing.
        asks: whether the seat is asked for a move.
    """
    who = "You watch"
    if view.seat is not None:
        played = [] if asks else kept.moves_of(view.seat)[-1:]
        who = f"You are player {view.seat}"
        who += "".join(f" and have played '{move}'" for move in played)
    wrong = [element("p", error, class_="error", role="alert")] if error else []
    return element(
        "section",
        element("p", who + _bots(kept), class_="soft"),
        element("p", _status(kept, view), class_="asked", tabindex="-1"),
        *wrong,
        class_="panel status",
        **({"data_asked": ""} if asks else {}),
    )


def _status(kept: KeptMatch, view: View) -> Html:
    match = kept.match
    if match.over:
        return Html(f"The match is over: {_players(match.winners)} won.")
    if view.seat is not None and view.seat in match.to_move:
        return element("span", f"Your turn: {view.question()}")
    if kept.waiting:
        return element("span", f"Measuring: {told(kept.waiting)}")
    if kept.thinking:
        return Html("Bots are thinking.")
    return Html(f"Waiting for {_players(match.to_move)}.")


def _bots(kept: KeptMatch) -> str:
    seats: dict[str, list[str]] = {}
    for seat, bot in kept.bots.items():
        seats.setdefault(bot, []).append(str(seat))
    told = "; ".join(f"{bot} is player {', '.join(places)}" for bot, places in seats.items())
    return f". Bots: {told}." if told else "."


def _players(seats: Sequence[int]) -> str:
    return " and ".join(f"player {seat}" for seat in seats)
