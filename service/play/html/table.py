"""The page of a match: what a seat, or somebody who watches, sees of it."""

from collections.abc import Sequence

from games.playing.look_panel import look_panels
from games.playing.origin_panel import origin_panels
from games.playing.panels import Grid
from games.playing.playable import playables
from service.api.errors import told
from service.play.html.layout import page
from service.play.html.moves import is_hand, moves_form
from service.play.html.panels import drawn
from service.play.kept_match import KeptMatch
from service.report.markup import Html, element


def table_page(kept: KeptMatch, seat: int | None, error: str = "") -> str:
    """Return the page.

    Args:
        kept: the match.
        seat: who looks; None for somebody who watches.
        error: what was wrong with the last move.
    """
    match = kept.match
    view = match.view(seat)
    panels = view.panels(chances=kept.chances)
    form = []
    if seat is not None and view.legal_moves:
        form = [moves_form(view, panels, len(kept.moves_of(seat)))]
    title = playables[match.game].title
    who = "You watch"
    if seat is not None:
        played = [] if form else kept.moves_of(seat)[-1:]
        who = f"You are player {seat}" + "".join(f" and have played '{move}'" for move in played)
    wrong = [element("p", error, class_="error", role="alert")] if error else []
    status = element(
        "section",
        element("p", who + _bots(kept), class_="soft"),
        element("p", _status(kept, seat), class_="asked", tabindex="-1"),
        *wrong,
        class_="panel status",
        **({"data_asked": ""} if form else {}),
    )
    shown = [panel for panel in panels if not (form and is_hand(panel, view))]
    shown += look_panels(match, chances=kept.chances)
    grids = [drawn(panel, match) for panel in shown if isinstance(panel, Grid)]
    shown += origin_panels(match.log)
    others = [drawn(panel, match) for panel in shown if not isinstance(panel, Grid)]
    # The form comes right after the first grid, which it is mostly about.
    columns = ([*grids[:1], *form, *grids[1:]], others)
    parts = [element("h1", title), status, *(element("div", *one) for one in columns)]
    return page(
        f"{'● ' if form else ''}{title}",
        *parts,
        refreshed=not form and not match.over,
        class_="table",
        data_version=str(kept.version),
        data_watch=f"/play/{kept.id}/version",
    )


def _status(kept: KeptMatch, seat: int | None) -> Html:
    match = kept.match
    if match.over:
        return Html(f"The match is over: {_players(match.winners)} won.")
    if seat is not None and seat in match.to_move:
        return element("span", f"Your turn: {match.view(seat).question()}")
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
