"""Advice as pages, without a browser: what is asked, what is told, and what is refused."""

import re
from collections.abc import Iterator
from threading import Event, Thread

import pytest

from games.sources import Source, read_game
from games.trick_taking.advice.page.fields import EXAMPLES
from service.advice import advising as limits
from service.advice.advising import Advising, Question
from tests.servers.process import wait_until
from tests.service.play.conftest import Server, make_server
from workers.records.database import open_database
from workers.untrusted_programs.tenant_turns import BusyError

HAND = ["CJ", "DJ", "SA", "SK", "S9", "S8", "HA", "HQ", "C10", "CK"]
TEN = {"hand": HAND, "contract": "S", "hand_game": "yes"}
END = {
    "hand": ["SA", "H9"],
    "contract": "S",
    "declarer": "after",
    "table": "Herz As",
    "won": "CJ SJ HJ DJ D7 D8 S10 SK SQ C9 H7 H8",
    "lost": "C10 CK CQ H10 HK HQ DA D10 DK CA C7 C8",
}
"""Two tricks are left, and who leads has shown an ace."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that takes no more time for an advice than it must."""
    patch = pytest.MonkeyPatch()
    patch.setattr(limits, "SECONDS", 0.0)
    patch.setattr(limits, "PLAYOUTS", 1_000)
    engine = open_database(str(tmp_path_factory.mktemp("advice") / "r.sqlite"))
    yield make_server(engine)
    engine.dispose()
    patch.undo()


def asked(server: Server, path: str = "/advise", **fields: object):
    return server.client.get(path, params=fields)


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page.partition("<body>")[2]))


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_advised_about(server: Server, name: str) -> None:
    answer = asked(server, example=name)
    assert answer.status_code == 200
    assert "stichwerk advise my-hand.toml" in words(answer.text)


def test_a_hand_of_ten(server: Server) -> None:
    answer = asked(server, **TEN)
    said = words(answer.text)
    assert answer.status_code == 200
    assert "you are the declarer, and you lead" in said
    assert "The player after you 10 unknown cards" in said
    assert "Game value: spades hand, bid 18" in said
    assert "stichwerk advise my-hand.toml --contract &#39;S hand&#39;" in said
    # One deal recommends no card, so that none stands beside the advice.
    assert "Not enough samples yet: no card is recommended." in said
    assert "The command line can look for longer." in said
    assert answer.text.count('class="card-picture') == 10 + 10 + 22


def test_a_declarer_who_took_the_skat_up_names_both_cards(server: Server) -> None:
    picked_up = {name: value for name, value in TEN.items() if name != "hand_game"}
    for skat in ("", "C7"):
        answer = asked(server, **picked_up, skat=skat)
        assert answer.status_code == 422
        assert "name the two cards that you discarded" in words(answer.text)
    said = words(asked(server, **picked_up, skat="C7 DK").text)
    assert "Game value: spades, bid 18" in said
    assert "20 unknown cards" not in said


def test_the_file_that_is_shown_is_the_position(server: Server) -> None:
    page = asked(server, **END).text
    [file] = re.findall(r'<pre tabindex="0"><code>(game = .*?)</code>', page, re.DOTALL)
    game = read_game(Source("my-hand.toml", file.replace("&#34;", '"').encode()))
    assert game.hand == 2
    assert [str(game.deck[card]) for card in game.table] == ["HA"]


def test_a_defender_is_told_of_its_side(server: Server) -> None:
    said = words(asked(server, **END).text)
    assert "the declarer plays after you, and you play second" in said
    assert "On the table" in said
    assert "Play H9." in said
    assert "the only legal card" in said
    assert "say the declarer's matadors".replace("'", "&#39;") in said


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"hand": ["CJ"]}, "hand: 1 card was chosen; it must be 10"),
        (TEN | {"hand": [*HAND[:9], "XX"]}, "hand: unknown card"),
        (TEN | {"table": "CJ"}, "CJ"),
        (TEN | {"table": "H7 H8 H9"}, "table: 3 cards"),
        (TEN | {"contract": "X"}, "must be one of C, S, H, D, grand, null"),
        (TEN | {"contract": ["S", "C"]}, "contract: say it once"),
        (TEN | {"bid": "19"}, "bid 19: must be the value of a game"),
        (TEN | {"matadors": "12"}, "matadors = 12"),
        (TEN | {"skat": "C7 C8"}, "skat: only a declarer who has picked it up"),
        (TEN | {"trump": "S"}, "there is no field"),
        (TEN | {"example": "skat-9"}, "not both"),
        ({"example": "skat-10"}, "must be one of skat-9"),
        ({"table": "7" * 201}, "too much"),
    ],
)
def test_what_cannot_be_is_refused_on_a_page(server: Server, fields: dict, told: str) -> None:
    answer = asked(server, **fields)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert told in words(answer.text).replace("&#39;", "'")
    assert asked(server, "/advise/circuit", **fields).status_code == 422


def test_an_answer_is_computed_once_and_few_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    going, calls = Event(), []

    def work(question: Question) -> object:
        calls.append(question)
        assert going.wait(60)
        return question.example

    monkeypatch.setattr(limits, "_computed", work)
    advising = Advising()
    found: list[object] = []

    def ask(name: str) -> None:
        found.append(advising.advice(Question(name)))

    threads = [Thread(target=ask, args=(str(n // 2),)) for n in range(limits.MAX_WAITING)]
    for thread in threads:
        thread.start()
    assert wait_until(lambda: advising._waiting == limits.MAX_WAITING, 60)
    with pytest.raises(BusyError, match="others wait"):
        advising.advice(Question("another"))
    going.set()
    for thread in threads:
        thread.join(60)
    assert sorted(map(str, found)) == sorted(str(n // 2) for n in range(limits.MAX_WAITING))
    before = len(calls)
    advising.advice(Question("0"))
    assert len(calls) == before
