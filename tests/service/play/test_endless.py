"""A whole match of Endless Fun through the API: one person and three bots."""

import re

import pytest

from tests.service.play.conftest import Server

SEATS = ("person", "greedy", "random", "greedy")


@pytest.mark.parametrize("options", [{}, {"rookie": "yes", "measurements": "10"}])
def test_a_match_of_four_to_its_end(server: Server, options: dict[str, str]) -> None:
    match = server.start(*SEATS, game="endless-fun", seed=4, options=options)
    number = 0
    while not (seen := match.see(0))["view"]["over"]:
        if seen["thinking"] or 0 not in seen["view"]["to_move"]:
            continue
        page = server.client.get(match.seats[0])
        assert page.status_code == 200
        assert "Your turn" in page.text
        assert seen["moves_made"] == number
        match.play(0)
        number += 1
    view = seen["view"]
    assert view["round"] == 3
    ends = [line for line in view["story"] if " ends in " in line]
    assert ends[-1].startswith("round 3 ends in")
    assert [len(one["outcomes"]) for one in seen["measured"]] == [8 if not options else 4] * 3
    most = max(map(int, view["points"]))
    assert view["winners"] == [s for s, had in enumerate(view["points"]) if int(had) == most]
    assert "The match is over" in server.client.get(match.watch).text


def test_cards_that_point_are_tilted_and_places_take_only_what_fits(server: Server) -> None:
    match = server.start("person", "person", game="endless-fun", seed=2)
    while len(match.see()["view"]["line"]) < 2:
        match.play(match.see()["view"]["to_move"][0])
    (seat,) = match.see()["view"]["to_move"]
    moves = match.see(seat)["view"]["legal_moves"]
    answer = server.client.get(match.seats[seat])
    assert answer.status_code == 200
    page = answer.text
    fitting = dict(re.findall(r'value="([^"]*)" id="action-[^"]*" data-fitting="([^"]*)"', page))
    found = {f"{piece} {action}" for action, pieces in fitting.items() for piece in pieces.split()}
    assert found == set(moves)
    if any(move.startswith("CNOT") for move in moves):
        assert "leans-left" in page
        assert "leans-right" in page
