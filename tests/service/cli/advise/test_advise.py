"""The command `advise`: what it answers, and what it refuses."""

import json
from pathlib import Path

import pytest

RECORDS = Path(__file__).parents[3] / "games/trick_taking/skat/iss-games.sgf"


@pytest.fixture(autouse=True)
def records(monkeypatch, tmp_path):
    monkeypatch.setenv("STICHWERK_DATABASE", str(tmp_path / "records.sqlite"))


def test_nine_cards_as_json(stichwerk, tmp_path):
    path = tmp_path / "advice.png"
    done = stichwerk("advise", "skat-9", "--plot", str(path), "--json")
    assert done.code == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    answer = json.loads(done.out)
    assert answer["recommended"] == answer["superposition_recommends"] == "HQ"
    assert answer["agree"]
    found = {
        one["card"]: (one["superposed"]["fraction"], one["open_cards"]["deals_won"])
        for one in answer["cards"]
    }
    assert found == {"H10": ("1/2", 6), "HQ": ("3/4", 11), "H7": ("5/8", 9)}
    assert {one["superposed"]["method"] for one in answer["cards"]} == {"exact"}
    assert {one["quantum"] for one in answer["cards"]} == {None}


def test_a_card_of_a_record_is_compared_with_the_advice(stichwerk):
    """The last but one trick of game 3, whose declarer has 69 points by then: any card wins."""
    done = stichwerk("advise", str(RECORDS), "--game", "3", "--move", "25", "--json")
    assert done.code == 0
    answer = json.loads(done.out)
    assert (answer["move"], answer["played"], answer["seat"]) == (25, "D7", 0)
    assert answer["deals_complete"]
    won = {one["card"]: one["open_cards"]["deals_won"] for one in answer["cards"]}
    assert won == dict.fromkeys(("D7", "CJ"), answer["deals"])
    assert answer["played_recommended"] == (answer["recommended"] == "D7")
    # Grand with three and schneider, as it was in the end: 24 · 5.
    assert {one["open_cards"]["game_value"]["value"] for one in answer["cards"]} == {120}
    assert (answer["contract"], answer["bid"]) == ("grand", 22)
    assert answer["taken_into_account"][0] == "grand, with 3, bid 22: 61 points needed."
