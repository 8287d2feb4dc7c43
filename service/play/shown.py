"""What a page shows of a board: which of its games, and what move is being put together."""

from collections.abc import Mapping

from attrs import frozen

MOST_DIGITS = 6
ALL_GAMES = "all"


@frozen
class Shown:
    """What a link to a match asks for.

    Args:
        game: which of the superposed games is shown, from 0 on; None for all together.
        words: of a move that is put together; see `games.playing.view.View.draft`.
        typed: a move that was written, and not taken.
    """

    game: int | None = None
    words: tuple[str, ...] = ()
    typed: str = ""


def shown_of(query: Mapping[str, str], made: int | None) -> Shown:
    """Return what a link asks for.

    Args:
        query: of the link, as `service.play.html.draft` makes it.
        made: moves of the seat so far: what was put together before the last is forgotten.
    """
    asked = query.get("game", query.get("at", ""))
    game = int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= MOST_DIGITS else None
    if made is None or query.get("number") != str(made):
        return Shown(game)
    words = query.get("draft", "").split()
    if "sort" in query:
        words = [query["sort"]]
    elif "add" in query:
        words.append(query["add"])
    elif query.get("undo") == "one":
        words = words[:-1] if len(words) > 1 else words
    elif query.get("undo") == "all":
        words = words[:1]
    return Shown(game, tuple(words))
