"""Matches over HTTP: what is refused, kept from strangers, or too much."""

from datetime import timedelta

import pytest
from sqlalchemy import Engine, select, text, update
from sqlalchemy.orm import Session

from service.play.doors import STARTS_A_MINUTE
from tests.service.play.conftest import Server, make_server
from workers.records.tables import MatchRow, now
from workers.settings import Settings


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


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"game": "chess"}, "unknown playable game 'chess'"),
        ({"seats": ["person"]}, "2 to 10"),
        ({"seats": ["greedy", "greedy"]}, "one at least must be a person"),
        ({"seats": ["person", "deep-blue"]}, "'deep-blue' is unknown"),
        ({"seed": -1}, "seed"),
        ({"decks": []}, "decks"),
    ],
)
def test_matches_that_cannot_be_are_refused(server: Server, given: dict, words: str) -> None:
    wanted = {"game": "six-nimmt", "seats": ["person", "greedy"]} | given
    answer = server.client.post("/play/matches", json=wanted)
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


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
