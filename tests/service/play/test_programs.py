"""Matches over HTTP: moves, restarts, and two who move at once."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from play.hosted import matches as matches_module
from play.playable import match_from_record
from tests.service.play.conftest import Server, make_server
from workers.records.tables import MatchRow


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
