"""Pages without a browser: forms as one without scripts sends them, and what is in the HTML."""

import re
from html.parser import HTMLParser

import pytest

from play.hosted.kept_match import KeptMatch, Recent, Seat, digest
from play.match_log import Moved
from play.playable import playables
from play.tournament import played_by
from service.pages.rendering import SERVED_POLICY
from tests.service.play.conftest import Server

FORM = {"game": "six-nimmt", "seat-0": "person", "seat-1": "greedy", "chances": "yes"}


class Elements(HTMLParser):
    """All elements of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def links(page: str) -> list[str]:
    return [href for a in Elements(page).all("a") if (href := a["href"]) and len(href) > 40]


def begun(server: Server, **fields: str) -> str:
    """Start a match, and return the link of its first person."""
    answer = server.client.post("/play", data=FORM | fields)
    assert answer.status_code in (200, 201), answer.text
    return answer.url.path if answer.history else links(answer.text)[0]


def inputs(page: str) -> dict[str, list[str | None]]:
    found: dict[str, list[str | None]] = {}
    for tag in ("input", "button", "select"):
        for attributes in Elements(page).all(tag):
            found.setdefault(attributes.get("name") or "", []).append(attributes.get("value"))
    return found


def test_a_round_is_played_by_forms(server: Server) -> None:
    link = begun(server, seed="3")
    number = 0
    while (seen := server.client.get(f"{link}/view").json()["view"])["round"] == 0:
        page = server.client.get(link).text
        named = inputs(page)
        assert named["number"] == [str(number)]
        if "piece" in named:
            assert named["piece"] == [str(card) for card in seen["hand"]]
            assert named["action"][:3] == ["", "H", "Z"]
            sent = {"piece": named["piece"][0], "action": named["action"][-1]}
        else:
            assert named["move"] == seen["legal_moves"]
            sent = {"move": named["move"][0]}
        answer = server.client.post(
            link, data={"number": str(number), **sent}, follow_redirects=False
        )
        assert (answer.status_code, answer.headers["location"]) == (303, link)
        number += 1
    assert number >= 10


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"move": "105", "number": "0"}, 422, "write a card from 1 to 104"),
        ({"move": "5", "number": "-1"}, 422, "must be a whole number"),
        ({"move": "5", "number": "7"}, 409, "it is not your turn"),
        ({"move": "<b>", "number": "0"}, 422, "&lt;b&gt;"),
    ],
)
def test_a_bad_form_shows_the_match_and_what_was_wrong(
    server: Server, fields: dict[str, str], status: int, words: str
) -> None:
    link = begun(server)
    answer = server.client.post(link, data=fields)
    assert answer.status_code == status
    assert words in answer.text
    assert "<b>" not in answer.text
    assert inputs(answer.text)["number"] == ["0"]


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"move=1&number=0", "text/plain", 415),
        (b'{"move": "1"}', "application/json", 415),
        (b"move=1&move=2&number=0", "application/x-www-form-urlencoded", 422),
        (b"move=%FF&number=0", "application/x-www-form-urlencoded", 422),
        (b"\xff=1", "application/x-www-form-urlencoded", 422),
        (b"&".join(b"a%d=1" % n for n in range(300)), "application/x-www-form-urlencoded", 422),
    ],
)
def test_what_is_no_form_is_refused(server: Server, content: bytes, kind: str, status: int) -> None:
    link = begun(server)
    answer = server.client.post(link, content=content, headers={"Content-Type": kind})
    assert answer.status_code == status
    assert server.client.get(f"{link}/view").json()["moves_made"] == 0


def test_unknown_links_have_a_page(server: Server) -> None:
    link = begun(server)
    for wrong in (link[:-1], f"{link}A", "/play/x", "/play/x/y", "/play?game=chess"):
        answer = server.client.get(wrong)
        assert answer.status_code == (422 if "chess" in wrong else 404)
        assert answer.headers["content-type"].startswith("text/html")
    assert server.client.post(f"{link}A", data={"move": "1", "number": "0"}).status_code == 404


def test_pages_hold_no_script_and_no_style_of_their_own(server: Server) -> None:
    link = begun(server)
    watch = link.rsplit("/", 1)[0]
    for path in ("/play", link, watch, "/play/x"):
        answer = server.client.get(path)
        page = Elements(answer.text)
        scripts = [script["src"] for script in page.all("script")]
        assert scripts == ["/static/play.js"]
        assert page.all("style") == []
        assert not [a for _, a in page.found if any(k == "style" or k.startswith("on") for k in a)]
        assert SERVED_POLICY in [one.get("content") for one in page.all("meta")]
        assert answer.headers["referrer-policy"] == "same-origin"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        loaded = [one["href"] for one in page.all("link") if one["rel"] == "stylesheet"]
        for file in (*loaded, *scripts):
            assert server.client.get(file).status_code == 200


def test_who_waits_without_scripts_is_shown_the_match_again(server: Server) -> None:
    links_ = server.start("person", "person", seed=3)
    refresh = re.compile("http-equiv=.refresh")
    assert not refresh.search(server.client.get(links_.seats[0]).text)
    links_.play(0)
    page = server.client.get(links_.seats[0]).text
    assert refresh.search(page)
    assert "Waiting for player 1." in page
    [card, *_] = links_.see(0)["view"]["hand"]
    assert f"You are player 0 and have played '{card}'." in page
    assert "have played" not in server.client.get(links_.seats[1]).text


def test_at_the_end_everybody_sees_who_won(server: Server) -> None:
    kind = playables["six-nimmt"]
    end = played_by(
        kind.start({"seats": 2, "seed": 3}), {seat: kind.bots["greedy"]() for seat in (0, 1)}, 3
    )
    secrets = ["x" * 43, "y" * 43]
    seats = [Seat(digest=digest(secret)) for secret in secrets]
    server.matches.store.add(KeptMatch("a" * 32, 0, end, seats, True))
    [winner] = end.winners
    for secret in ("", *(f"/{secret}" for secret in secrets)):
        page = server.client.get(f"/play/{'a' * 32}{secret}").text
        assert f"The match is over: player {winner} won." in page
        forms = [form.get("action") for form in Elements(page).all("form")]
        assert forms == ["/play"] * bool(secret)
        assert 'http-equiv="refresh"' not in page
    made = sum(isinstance(entry, Moved) and entry.seat == 0 for entry in end.log)
    late = server.client.post(
        f"/play/{'a' * 32}/{secrets[0]}", data={"move": "1", "number": str(made)}
    )
    assert (late.status_code, "it is not your turn" in late.text) == (409, True)


def test_a_game_with_drafts_is_looked_at_by_links(server: Server) -> None:
    link = begun(server, game="weiqi", **{"seat-1": "person", "rule-size": "9"})
    for path in (link, f"{link}?number=0&draft=S%2B+E5&add=F5", link.rsplit("/", 1)[0]):
        page = Elements(server.client.get(path).text)
        assert not [a for _, a in page.found if any(k == "style" or k.startswith("on") for k in a)]
    page = server.client.get(f"{link}?number=0&draft=S%2B+E5&add=F5").text
    assert inputs(page)["move"] == ["S+ E5 F5"]
    # What was put together before another move is forgotten.
    assert inputs(server.client.get(f"{link}?number=1&draft=S%2B+E5").text)["move"] == ["X"]
    wrong = server.client.get(f"{link}?number=0&draft=S%2B+E5+E5&game=99999")
    assert wrong.status_code == 200
    assert "E5 cannot be chosen now" in wrong.text
    assert inputs(wrong.text)["move"] == ["S+ E5"]
    hostile = server.client.get(link, params={"number": "0", "sort": "<b>", "game": "-1"})
    assert "&lt;b&gt;" in hostile.text
    assert "<b>" not in hostile.text


def test_a_match_is_downloaded(server: Server) -> None:
    link = begun(server, game="weiqi", **{"seat-1": "person", "rule-size": "9"})
    server.client.post(link, data={"move": "S+ E5 F5", "number": "0"})
    got = server.client.get(f"{link.rsplit('/', 1)[0]}/record/match.sgf")
    assert (got.status_code, got.headers["content-type"]) == (200, "application/x-go-sgf")
    assert got.headers["content-disposition"] == 'attachment; filename="weiqi.sgf"'
    # Of a game in which something is hidden there is no such file.
    other = begun(server)
    assert server.client.get(f"{other.rsplit('/', 1)[0]}/record/match.sgf").status_code == 404


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"record": "(;GM[4])"}, "record.sgf: is a match of five-in-a-row, not of weiqi"),
        ({"record": "(;)", "format": ".txt"}, "is none of weiqi; known: .sgf"),
    ],
)
def test_a_file_that_is_no_match_is_refused_in_one_line(
    server: Server, fields: dict[str, str], words: str
) -> None:
    wanted = {"game": "weiqi", "seat-0": "person", "seat-1": "person", "format": ".sgf"}
    answer = server.client.post("/play", data=wanted | fields)
    assert answer.status_code == 422
    assert words in answer.text


def test_a_match_that_is_over_can_be_played_again(server: Server) -> None:
    seats = {"seat-1": "random", "seat-2": "random"}
    link = begun(server, game="skat", **seats, **{"rule-games": "1", "seed": "1"})
    while not (seen := server.client.get(f"{link}/view").json())["view"]["over"]:
        move = {"move": seen["view"]["legal_moves"][-1], "number": seen["moves_made"]}
        assert server.client.post(f"{link}/moves", json=move).status_code == 200
    page = inputs(server.client.get(link).text)
    fields = {name: str(values[0]) for name, values in page.items() if name}
    assert fields | seats | {"game": "skat", "rule-games": "1", "seat-0": "person"} == fields
    again = server.client.post("/play", data=fields).url.path
    assert again != link
    assert server.client.get(f"{again}/view").json()["view"]["games"] == 1
    watched = server.client.get(link.rsplit("/", 1)[0]).text
    assert "rule-games" not in inputs(watched)


def test_advice_is_shown_when_it_is_asked_for(server: Server) -> None:
    link = begun(server, game="skat", **{"seat-1": "random", "seat-2": "random", "seed": "4"})
    assert "?advice=yes" in server.client.get(link).text
    assert "Contracts, the best first" not in server.client.get(link).text
    assert "Contracts, the best first" in server.client.get(f"{link}?advice=yes").text
    assert "?advice=yes" not in server.client.get(link.rsplit("/", 1)[0]).text


@pytest.mark.parametrize("game", list(playables))
def test_the_rules_of_every_game_have_a_picture_of_every_gate(server: Server, game: str) -> None:
    page = server.client.get(f"/play?game={game}").text
    rules = playables[game].rules
    assert page.count("<figure") == len(rules.gates)
    assert all(gate.name in page for gate in rules.gates)


def test_what_nobody_has_asked_for_longest_is_forgotten() -> None:
    recent: Recent[str, int] = Recent(2)
    assert recent.keep("one", 1) == 1
    recent.keep("two", 2)
    assert recent.get("one") == 1
    recent.keep("three", 3)
    assert [recent.get(key) for key in ("one", "two", "three")] == [1, None, 3]
    recent.keep("one", 10)
    recent.keep("four", 4)
    assert [recent.get(key) for key in ("one", "three", "four")] == [10, None, 4]
