"""Matches over HTTP: moves, what is refused, limits, restarts, and two who move at once."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import Engine, select, text, update
from sqlalchemy.orm import Session

from games.board.view import BoardView
from games.playing.playable import match_from_record
from service.play import matches as matches_module
from service.play.doors import STARTS_A_MINUTE
from tests.service.play.conftest import Server, make_server
from workers.records.tables import MatchRow, now
from workers.settings import Settings


def row(engine: Engine) -> MatchRow:
    with Session(engine) as session:
        return session.scalars(select(MatchRow)).one()


def test_a_match_is_played_and_kept(server: Server, any_engine: Engine) -> None:
    links = server.start(seed=3)
    assert links.seats[2] is None
    # The bot has chosen, which nobody sees.
    assert [links.see(seat)["view"]["to_move"] for seat in (None, 0, 1)] == [[0, 1]] * 3
    after = links.play(0)
    assert (after["moves_made"], after["view"]["to_move"]) == (1, [1])
    assert after["bots"] == {"2": "greedy"}
    links.play(1)
    for _ in range(8):
        for seat in links.see()["view"]["to_move"]:
            links.play(seat)
    kept = row(any_engine)
    match = match_from_record({"game": kept.game, "setup": kept.setup, "log": kept.log})
    for seat in (None, 0, 1):
        assert links.see(seat)["view"] == json.loads(json.dumps(match.view(seat).as_json()))
    assert len(match.story) > 4


def test_a_restart_changes_nothing(server: Server, any_engine: Engine) -> None:
    links = server.start(seed=3)
    links.play(0)
    links.play(1)
    seen = [links.see(seat) for seat in (None, 0, 1)]
    again = make_server(any_engine)
    links.client = again.client
    assert [links.see(seat) for seat in (None, 0, 1)] == seen
    for seat in links.see()["view"]["to_move"]:
        links.play(seat)
    assert links.see()["version"] > seen[0]["version"]


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("105", "write a card from 1 to 104"),
        ("x", "write a card"),
        ("row 1", "write a card"),
        ("1 X", "is no operation"),
        ("\x00", "printable"),
        ("9" * 4097, "at most 4096 characters"),
        ("", "at least 1 character"),
    ],
)
def test_bad_moves_say_why(server: Server, move: str, words: str) -> None:
    links = server.start(seed=3)
    answer = links.send(0, move, 0)
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert links.see(0)["moves_made"] == 0


@pytest.mark.parametrize(
    "body", [{}, {"move": "1"}, {"move": "1", "number": -1}, {"move": "1", "number": "0"},
             {"move": "1", "number": 0, "seat": 1}, {"move": 1, "number": 0}]
)  # fmt: skip
def test_bad_bodies_are_refused(server: Server, body: dict) -> None:
    links = server.start(seed=3)
    assert server.client.post(f"{links.seats[0]}/moves", json=body).status_code == 422


def test_another_seats_card_cannot_be_played(server: Server) -> None:
    links = server.start(seed=3)
    theirs = str(links.see(1)["view"]["hand"][0])
    answer = links.send(0, theirs, 0)
    assert answer.status_code == 422
    assert theirs in answer.json()["detail"]
    assert theirs not in str(links.see(0)["view"]["hand"])


def test_wrong_secrets_and_matches_look_the_same(server: Server) -> None:
    links, other = server.start(), server.start()
    mine = links.seats[0].rsplit("/", 1)[1]
    theirs = other.seats[0].rsplit("/", 1)[1]
    nowhere = f"/play/{'0' * 32}"
    wrong = [
        *(f"{links.watch}/{one}" for one in (theirs, mine[:-1], f"{mine}A", mine.swapcase())),
        *(f"{match}/{mine}" for match in (other.watch, nowhere, "/play/x", "/play/%00")),
        f"{links.watch}/%00",
        f"{links.watch}/é",
    ]
    answers = {server.client.get(f"{link}/view").text for link in wrong}
    answers |= {
        server.client.post(f"{link}/moves", json={"move": "1", "number": 0}).text for link in wrong
    }
    assert answers == {'{"detail":"there is no such match or seat; ask for the link again"}'}
    assert {server.client.get(f"{link}/view").status_code for link in wrong} == {404}
    assert server.client.get(f"{nowhere}/version").status_code == 404


def test_secrets_are_kept_nowhere(server: Server, any_engine: Engine) -> None:
    links = server.start()
    secrets = [link.rsplit("/", 1)[1] for link in links.seats if link]
    assert all(len(secret) == 43 for secret in secrets)
    with any_engine.connect() as connection:
        kept = str(connection.execute(text("SELECT * FROM matches")).all())
    assert not any(secret in kept for secret in secrets)


def test_a_move_that_is_sent_twice_is_played_once(server: Server) -> None:
    links = server.start(seed=3)
    move, other = links.see(0)["view"]["legal_moves"][:2]
    first = links.send(0, move, 0)
    again = links.send(0, move.lower(), 0)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    changed = links.send(0, other, 0)
    assert changed.status_code == 409
    assert f"already played '{move}'" in changed.json()["detail"]
    for number in (1, 2):
        early = links.send(0, other, number)
        assert (early.status_code, "not your turn" in early.json()["detail"]) == (409, True)
    assert links.see(0)["moves_made"] == 1


def test_a_move_may_be_written_in_many_ways(server: Server) -> None:
    links = server.start("person", "person", game="five-in-a-row")
    for sent in ("e5", "X E5", " x   e5 "):
        answer = links.send(0, sent, 0)
        assert (answer.status_code, answer.json()["moves_made"]) == (200, 1), sent
    for other in ("e6", "S+ E5 E6", "nothing"):
        changed = links.send(0, other, 0)
        assert changed.status_code == 409
        assert "already played 'X E5'" in changed.json()["detail"]


def test_a_point_for_every_game_can_be_written(server: Server) -> None:
    """In a form, too."""
    links = server.start("person", "person", game="five-in-a-row", options={"size": "19"})
    for number, row in enumerate((11, 13, 15, 17, 19, 12)):
        links.play(number % 2, f"S+ A{row} S{row}")
    long = "G " + " ".join(["K15"] * 64)
    assert links.play(0, long)["view"]["moves"][-1]["move"] == long
    posted = server.client.post(
        links.seats[1], data={"move": long.replace("15", "16"), "number": "3"}
    )
    assert posted.status_code == 200, posted.text
    assert links.see()["view"]["moves"][-1]["move"].startswith("G K16 K16")


def test_the_same_move_from_many_at_once_is_played_once(server: Server) -> None:
    links = server.start(seed=3)
    move = links.see(0)["view"]["legal_moves"][0]
    gate = Barrier(6)

    def send(_: int) -> int:
        gate.wait()
        return links.send(0, move, 0).status_code

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(send, range(6))) == [200] * 6
    assert links.see(0)["moves_made"] == 1


def test_two_who_move_at_once_both_move(server: Server) -> None:
    links = server.start("person", "person", "person", "person", seed=3)
    for turn in range(3):
        movers = links.see()["view"]["to_move"]
        gate = Barrier(len(movers))
        moves = {seat: links.see(seat) for seat in movers}

        def send(seat: int, gate: Barrier = gate, moves: dict = moves) -> int:
            gate.wait()
            seen = moves[seat]
            return links.send(seat, seen["view"]["legal_moves"][0], seen["moves_made"]).status_code

        with ThreadPoolExecutor(len(movers)) as pool:
            assert list(pool.map(send, movers)) == [200] * len(movers), turn
        for seat, seen in moves.items():
            assert links.see(seat)["moves_made"] == seen["moves_made"] + 1


def test_who_is_overtaken_looks_again(server: Server, any_engine: Engine) -> None:
    """Another process plays between reading the match and writing it."""
    links = server.start(seed=3)
    other = make_server(any_engine)
    store = server.matches.store
    theirs = links.see(1)["view"]["legal_moves"][0]
    real = type(store).replace
    versions = []

    def overtaken(self, kept, match, *, by_person):
        versions.append(kept.version)
        if len(versions) == 1:
            body = {"move": theirs, "number": 0}
            assert other.client.post(f"{links.seats[1]}/moves", json=body).status_code == 200
        return real(self, kept, match, by_person=by_person)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(store), "replace", overtaken)
        after = links.play(0)
    assert versions[-1] > versions[0]
    assert [links.see(seat)["moves_made"] for seat in (0, 1)] == [1, 1]
    assert after["view"]["turn"] == 1


def test_bots_stop_after_their_time_and_go_on_later(server: Server, monkeypatch) -> None:
    whole = server.start(*["person", *["greedy"] * 4], seed=5)
    expected = whole.play(0)
    monkeypatch.setattr(matches_module, "BOT_SECONDS", -1.0)
    links = server.start(*["person", *["greedy"] * 4], seed=5)
    # Starting it let the first bot move; to ask for the version lets none.
    for version in (1, 2, 3):
        told = server.client.get(f"{links.watch}/version").json()
        assert told == {"version": version, "thinking": True}
        assert links.see(0)["thinking"] is (version < 3)
    after = links.play(0)
    while after["thinking"]:
        after = links.see(0)
    assert after["view"] == expected["view"]


def test_a_server_whose_bots_are_busy_answers_all_the_same(server: Server, monkeypatch) -> None:
    monkeypatch.setattr(matches_module, "TURN_SECONDS", 0.01)
    with server.matches._thinks:
        links = server.start(seed=5)
        assert links.see(0)["thinking"]
        assert links.see(0)["view"]["to_move"] == [0, 1, 2]
    assert not links.see(0)["thinking"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"game": "chess"}, "unknown playable game 'chess'"),
        ({"seats": ["person"]}, "2 to 10"),
        ({"seats": ["person"] * 11}, "2 to 10"),
        ({"seats": ["greedy", "greedy"]}, "one at least must be a person"),
        ({"seats": ["person", "deep-blue"]}, "'deep-blue' is unknown"),
        ({"options": {"fillers": "perhaps"}}, "must be 'yes' or 'no'"),
        ({"options": {"colour": "red"}}, "unknown option"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**31}, "seed"),
        ({"decks": []}, "decks"),
    ],
)
def test_matches_that_cannot_be_are_refused(server: Server, given: dict, words: str) -> None:
    wanted = {"game": "six-nimmt", "seats": ["person", "greedy"]} | given
    answer = server.client.post("/play/matches", json=wanted)
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


def test_strangers_cannot_superpose_without_end(server: Server) -> None:
    links = server.start("person", "person", game="five-in-a-row", options={"scheme": "cqc"})
    for number, row in enumerate((*range(1, 14, 2), *range(1, 10, 2))):
        points = f"A{row} C{row}" if number < 7 else f"E{row} G{row}"
        links.play(number % 2, f"S+ {points}")
    assert links.see()["view"]["games"] == 4096
    answer = links.send(0, "S+ J1 K1", 6)
    assert answer.status_code == 422
    assert "makes 8192 games, and 4096 are allowed" in answer.json()["detail"]


def test_a_view_is_written_once_for_a_version(server: Server, monkeypatch) -> None:
    links = server.start("person", "person", game="weiqi")
    written = []
    as_json = BoardView.as_json

    def counted(view: BoardView, *, chances: bool = True) -> dict:
        written.append(view.seat)
        return as_json(view, chances=chances)

    monkeypatch.setattr(BoardView, "as_json", counted)
    first = [links.see(seat) for seat in (0, 1, None, 0, 1, None)]
    assert (written, first[:3]) == ([0, 1, None], first[3:])
    after = links.play(0, "e5")
    assert after["view"]["moves"] == [{"colour": "black", "move": "X E5", "captured": []}]
    assert links.see(0) == after
    assert written == [0, 1, None, 0]


def test_options_rule_the_match(server: Server, any_engine: Engine) -> None:
    server.start(options={"fillers": "no"})
    assert row(any_engine).setup["options"] == {"fillers": "no"}


def test_an_address_starts_so_many_matches_a_minute(server: Server) -> None:
    server.app.state.service.rates._clock = lambda: 1000.0
    wanted = {"game": "six-nimmt", "seats": ["person", "greedy"]}
    answers = [server.client.post("/play/matches", json=wanted) for _ in range(11)]
    assert [one.status_code for one in answers] == [201] * STARTS_A_MINUTE + [429]
    assert int(answers[-1].headers["retry-after"]) >= 1


def ids(engine: Engine) -> set[str]:
    with Session(engine) as session:
        return set(session.scalars(select(MatchRow.id)))


def aged(engine: Engine, watch: str, age: timedelta) -> None:
    with Session(engine) as session:
        session.execute(
            update(MatchRow)
            .where(MatchRow.id == watch.removeprefix("/play/"))
            .values(moved_at=now() - age)
        )
        session.commit()


def test_what_is_left_alone_makes_room_and_nothing_else(any_engine: Engine) -> None:
    server = make_server(any_engine, Settings(most_matches=3))
    played, fresh, untouched = (server.start() for _ in range(3))
    played.play(0)
    wanted = {"game": "six-nimmt", "seats": ["person", "greedy"]}
    full = server.client.post("/play/matches", json=wanted)
    assert (full.status_code, full.headers["retry-after"]) == (503, "10")
    aged(any_engine, played.watch, timedelta(hours=5))
    aged(any_engine, untouched.watch, timedelta(hours=2))
    fourth = server.start()
    kept = {one.watch.removeprefix("/play/") for one in (played, fresh, fourth)}
    assert ids(any_engine) == kept
    assert server.client.get(f"{untouched.seats[0]}/view").status_code == 404
    aged(any_engine, played.watch, timedelta(days=31))
    server.start()
    assert played.watch.removeprefix("/play/") not in ids(any_engine)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://testserver"}, 200),
        ({"Origin": "http://TESTSERVER"}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://testserver.evil.example"}, 403),
        ({"Origin": "http://testserver:81"}, 403),
        ({"Origin": "http://["}, 403),
    ],
)
def test_pages_of_other_sites_cannot_move(server: Server, headers: dict, status: int) -> None:
    links = server.start(seed=3)
    body = {"move": links.see(0)["view"]["legal_moves"][0], "number": 0}
    link = f"{links.seats[0]}/moves"
    assert server.client.post(link, json=body, headers=headers).status_code == status
    assert links.see(0)["moves_made"] == (1 if status == 200 else 0)
