"""The page on which matches are started, and the one with their links."""

from collections.abc import Sequence
from typing import Any

from games.playing.formats import formats_of
from games.playing.playable import Playable, playables
from service.play.forms import LONGEST_RECORD, usual_seats
from service.play.html.layout import page, void
from service.play.matches import PERSON
from service.play.schemas import MOST_SEED, StartedMatch
from service.report.markup import Html, element


def start_page(game: str, players: int, backends: Sequence[str]) -> str:
    """Return the page for a game and a number of players.

    Args:
        game: that is played.
        players: how many.
        backends: on which matches may be measured.
    """
    kind = playables[game]
    fewest, most, _ = kind.seats
    games = [(name, playables[name].title) for name in playables]
    counts = [(str(count), str(count)) for count in range(fewest, most + 1)]
    seed = void("input", name="seed", inputmode="numeric", pattern="[0-9]*", maxlength="10",
                autocomplete="off")  # fmt: skip
    chances = void("input", type="checkbox", name="chances", value="yes", checked="")
    start = element(
        "form",
        # What Enter presses in a field: else it would be the first button, which starts nothing.
        element("button", "Start the match", type="submit", class_="unseen", tabindex="-1",
                aria_hidden="true"),
        void("input", type="hidden", name="shown", value=game),
        _labelled("Game", _select("game", games, game)),
        _labelled("Players", _select("players", counts, str(players))),
        element("button", "Show seats", type="submit", name="show", value="seats"),
        element("p", "A game whose seats are not shown starts with its usual seats and rules.",
                class_="soft"),
        element("fieldset", element("legend", "Seats"), *_seats(kind, players), data_game=game),
        element(
            "details",
            element("summary", "Rules"),
            *(
                _labelled(name.replace("_", " "), _select(f"rule-{name}", [(v, v) for v in values],
                          values[0]))
                for name, values in kind.options.items()
            ),
            data_game=game,
        ),
        *_measured(backends),
        element("label", chances, element("span", "Show probabilities")),
        _labelled(f"Seed, 0 to {MOST_SEED}, or empty", seed),
        element("p", "Who knows the seed can work out everybody's cards: leave it empty to play, "
                "and give one to play a match again.", class_="soft"),
        element("button", "Start the match", type="submit", class_="main"),
        method="post",
        action="/play",
        class_="panel start",
    )  # fmt: skip
    return page(
        "Play: Stichwerk",
        element("h1", "Start a match"),
        start,
        *_going_on(game, kind, players),
        element("p", element("a", "Skat: which card to play?", href="/advise")),
        class_="narrow",
    )


def _going_on(game: str, kind: Playable[Any], players: int) -> list[Html]:
    """Return the form that goes on with a match of a file, nothing if the game has no such."""
    formats = formats_of(game)
    if not formats:
        return []
    which = [(suffix, one.title) for suffix, one in formats.items()]
    content = element(
        "textarea", name="record", rows="4", required="", maxlength=str(LONGEST_RECORD),
        aria_label="Contents of the file", spellcheck="false",
    )  # fmt: skip
    form = element(
        "form",
        element("h2", f"Or continue a match of {kind.title} from a file"),
        void("input", type="hidden", name="game", value=game),
        void("input", type="hidden", name="chances", value="yes"),
        _labelled("Format", _select("format", which, which[0][0])),
        element("p", "Paste what is in the file; where scripts run it can be chosen, too. The file "
                "says which rules hold.", class_="soft"),
        content,
        element("fieldset", element("legend", "Seats"), *_seats(kind, players)),
        element("button", "Go on", type="submit"),
        method="post",
        action="/play",
        class_="panel start record",
        data_game=game,
        data_files=",".join(formats),
    )  # fmt: skip
    return [form]


def links_page(new: StartedMatch, origin: str) -> str:
    """Return the page with the links of a new match.

    Args:
        new: the match.
        origin: what comes before the links' paths.
    """
    rows = []
    for seat in new.seats:
        content = f"bot ({seat.bot})" if seat.link is None else _link(origin, seat.link)
        rows.append(element("li", element("b", f"Player {seat.seat}: "), content))
    return page(
        "Invitations: Stichwerk",
        element("h1", "The match is ready"),
        element(
            "section",
            element("p", "Send each person one of these links. Whoever has a link plays that seat; "
                    "take yours first. They are shown this once, so keep them."),
            element("ul", *rows, class_="links"),
            element("p", "To watch only: ", _link(origin, new.watch)),
            class_="panel",
        ),
        class_="narrow",
    )  # fmt: skip


def _link(origin: str, path: str) -> Html:
    # In a window of its own: this page cannot be shown again.
    return element("a", f"{origin}{path}", href=path, target="_blank", rel="noopener")


def _seats(kind: Playable[Any], players: int) -> list[Html]:
    names = [(PERSON, PERSON), *((name, f"bot: {name}") for name in kind.bots)]
    return [
        _labelled(f"Player {seat}", _select(f"seat-{seat}", names, usual))
        for seat, usual in enumerate(usual_seats(kind, players))
    ]


def _measured(backends: Sequence[str]) -> list[Html]:
    """Return where outcomes may come from, nothing if there is no choice."""
    if not backends:
        return []
    choices = [("", "exact simulator"), *((name, f"{name}, by jobs") for name in backends)]
    return [_labelled("Measured on", _select("backend", choices, ""))]


def _labelled(words: str, field: Html) -> Html:
    return element("label", element("span", words), field)


def _select(name: str, values: Sequence[tuple[str, str]], chosen: str) -> Html:
    options = (
        element("option", words, value=value, **({"selected": ""} if value == chosen else {}))
        for value, words in values
    )
    return element("select", *options, name=name)
