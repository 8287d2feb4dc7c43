"""Games on the command line: shown, compiled and run."""

import json
from fractions import Fraction
from pathlib import Path

from games.toml import game_from_toml
from play.playable import playables


def test_games_shows_a_game_of_ones_own(folder, answer_of):
    game = game_from_toml((folder / "toy.toml").read_text(), "toy.toml")
    answer = answer_of("games", "toy.toml")
    assert answer["game"] == "toy.toml"
    assert Fraction(answer["observables"]["win"]) == game.average("win")
    assert Fraction(answer["observables"]["points"]) == game.average("points")
    assert [step["title"] for step in answer["steps"]] == [
        "deal", "A plays 1 of 1", "B plays 1 of 1", "trick 1",
    ]  # fmt: skip
    # The stronger card takes both: one owner for both cards in play, and the skat.
    ends = ("AA-", "A-A", "-AA", "BB-", "B-B", "-BB")
    assert answer["distribution"] == dict.fromkeys(ends, "1/6")


def test_games_shows_a_game_that_cannot_be_enumerated(answer_of):
    answer = answer_of("games", "skat-32:known")
    assert answer["deals"] == 42678636
    assert answer["verified"] == "unverified"
    assert "too many to enumerate" in answer["verified_detail"]
    assert (answer["paths"], answer["observables"], answer["distribution"]) == (None, None, None)


PAPER = ("endless", "evaluate", "--start", "0210", "--gates",
         "SWAPr X1 I H3 Z2 I I CNOTl I I I Y1")  # fmt: skip


def test_worked_example_as_json(stichwerk, folder):
    done = stichwerk(*PAPER, "--seed", "3", "-o", "round.png", "--json")
    assert done.code == 0
    assert (folder / "round.png").read_bytes().startswith(b"\x89PNG")
    answer = json.loads(done.out)
    states = {one["state"]: one for one in answer["states"]}
    assert {name: one["amplitude"] for name, one in states.items()} == {
        "2100": "ω/√3", "2111": "ω⁻¹/√3", "2122": "1/√3",
    }  # fmt: skip
    assert {one["probability"] for one in states.values()} == {"1/3"}
    assert sum(Fraction(one["wins"]) for one in states.values()) == 1
    assert Fraction(states["2111"]["wins"]) == Fraction(1, 3)
    assert sum(answer["measured"].values()) == answer["measurements"] == 100
    most = max(answer["measured"].values())
    assert answer["measured"][answer["winning_state"]] == most
    assert answer["expected_points"][:2] == [2.0, 1.0]


GAMES = Path(__file__).parents[3] / "games" / "trick_taking" / "skat" / "iss-games.sgf"


def test_records_that_say_otherwise_are_shown_and_the_answer_is_no(stichwerk, tmp_path):
    drawn = tmp_path / "list.png"
    done = stichwerk("skat", "records", str(GAMES), "--plot", str(drawn))
    assert done.code == 0
    # Seats are named as in every other table.
    assert "Seeger-Fabian: A 730, B 301, C -80" in done.out
    assert "│ 3     A           grand " in done.out
    assert drawn.read_bytes().startswith(b"\x89PNG")
    file = tmp_path / "games.sgf"
    file.write_text(GAMES.read_text().replace("v:-54", "v:-52"))
    done = stichwerk("skat", "records", str(file), "--json")
    assert done.code == 1
    answer = json.loads(done.out)
    assert answer["games"][0]["agrees"] is False
    assert "says otherwise" in stichwerk("skat", "records", str(file)).out


def test_rules_of_games_that_are_played(stichwerk):
    answer = stichwerk("games", "skat")
    rules = playables["skat"].rules
    assert answer.code == 0
    assert all(gate.name in answer.out for gate in rules.gates)
    assert rules.link in answer.out
    assert stichwerk("games", "skat", "--json").code == 2
