"""What a seat is sent depends on what it may see, and on nothing else."""

from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from play.hosted.kept_match import KeptMatch, Seat, digest
from play.playable import playables
from tests.service.play.conftest import Server
from workers.records.tables import MatchRow

IDS = ("a" * 32, "b" * 32)
SECRETS = [letter * 43 for letter in "xyz"]
OWN = [*range(1, 11)]
"""Seat 0's cards; the others' differ between the two matches."""
THEIRS = [[*range(20, 30)], [*range(40, 50)], [*range(60, 70)]]
ROWS = [30, 50, 80, 100]


def deck(second: list[int], third: list[int]) -> list[int]:
    dealt = [*OWN, *second, *third, *ROWS]
    return dealt + [card for card in range(1, 105) if card not in dealt]


@pytest.fixture
def twins(server: Server) -> tuple[str, str]:
    """The links of two matches that look the same from seat 0, though others hold other cards."""
    decks = (deck(THEIRS[0], THEIRS[1]), deck(THEIRS[2], THEIRS[0]))
    for match_id, cards, seed in zip(IDS, decks, (123456789, 987654321), strict=True):
        match = playables["six-nimmt"].start({"seats": 3, "seed": seed, "decks": [cards]})
        assert match.view(0).hand == tuple(OWN)
        match = match.play(1, str(cards[10])).play(2, str(cards[20]))
        seats = [Seat(digest=digest(secret)) for secret in SECRETS]
        server.matches.store.add(KeptMatch(match_id, 0, match, seats, True))
    return f"/play/{IDS[0]}", f"/play/{IDS[1]}"


def seen_by(server: Server, link: str, secret: str) -> list[str]:
    """Return all that a seat, and somebody who watches, gets before anything is revealed."""
    got = []
    bad: list[Any] = [{"move": "99", "number": 0}, {"move": "row 0", "number": 0},
                      {"move": "11 H", "number": 3}, {"move": "x", "number": 0}, []]  # fmt: skip
    for path in ("", f"/{secret}", "/view", f"/{secret}/view", "/version", "/x"):
        got.append(server.client.get(link + path))
    for body in bad:
        got.append(server.client.post(f"{link}/{secret}/moves", json=body))
    for move in ("99", "row 0", "x"):
        got.append(server.client.post(f"{link}/{secret}", data={"move": move, "number": "0"}))
    got.append(server.client.post(f"{link}/{secret}/moves", json={"move": "5 H", "number": 1}))
    return [f"{one.status_code} {dict(one.headers)} {one.text}" for one in got]


def test_others_cards_and_the_seed_change_nothing(server: Server, twins: tuple[str, str]) -> None:
    one, other = (seen_by(server, link, SECRETS[0]) for link in twins)
    assert [text.replace(IDS[1], IDS[0]) for text in other] == one
    assert one != seen_by(server, twins[0], SECRETS[1])


def test_what_is_revealed_does_change_something(server: Server, twins: tuple[str, str]) -> None:
    """Else the test above would hold of pages that show nothing."""
    for link in twins:
        body = {"move": "5", "number": 0}
        assert server.client.post(f"{link}/{SECRETS[0]}/moves", json=body).status_code == 200
    one, other = (seen_by(server, link, SECRETS[0]) for link in twins)
    assert [text.replace(IDS[1], IDS[0]) for text in other] != one


def test_a_seed_that_nobody_gave_is_too_long_to_be_tried(server: Server, any_engine: Engine):
    server.start()
    with Session(any_engine) as session:
        assert session.scalars(select(MatchRow)).one().setup["seed"] > 2**90


def test_probabilities_are_hidden_if_the_match_says_so(server: Server) -> None:
    shown, hidden = server.start(seed=3), server.start(seed=3, chances=False)
    assert shown.see(0)["view"].pop("chances_of_1") == ["0"] * 4
    assert "chances_of_1" not in hidden.see(0)["view"]
    pages = [server.client.get(one.seats[0]).text for one in (shown, hidden)]
    assert ["Probability of 1" in page for page in pages] == [True, False]
