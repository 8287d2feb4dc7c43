"""Games on the command line: shown, compiled and run."""

from fractions import Fraction

import pytest

from games import encoded, named_game
from games.toml import game_from_toml

FAST = ("--method", "fast", "--budget", "5", "--processes", "1")


def test_games_lists_the_toy(answer_of):
    (row,) = [row for row in answer_of("games")["games"] if row["game"] == "skat-4"]
    assert row["observables"] == {"win": "5/12", "points": "14"}
    assert (row["qubits"]["paper"], row["qubits"]["lists"]) == (17, 16)


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


def test_games_lists_every_spec_and_what_cannot_be_enumerated(answer_of):
    rows = {row["game"]: row for row in answer_of("games")["games"]}
    assert rows.keys() >= {"skat-4", "skat-9[:HQ|H10|H7|paper]"}
    nine = rows["skat-9[:HQ|H10|H7|paper]"]
    assert (nine["size"], nine["observables"]) == ({"deals": 12}, {"win": "3/4", "points": "63"})
    (whole,) = [row for name, row in rows.items() if name.startswith("skat-32[:C|S|H|D|grand|")]
    assert whole["size"] == {"deals": 2753294408504640}
    assert whole["observables"] is None
    assert 400 < whole["qubits"]["lists"] < 500
    assert nine["qubits"]["lean"] is None
    assert all(width for name, width in nine["qubits"].items() if name != "lean")
    assert rows["skat-4"]["qubits"]["lean"] == 8


@pytest.mark.parametrize(
    ("spec", "paths", "p_win", "best"),
    [("skat-9", 72, "3/4", 11), ("skat-9:H10", 48, "1/2", 6), ("skat-9:H7", 60, "5/8", 9)],
)
def test_games_shows_the_nine_cards_of_the_papers(answer_of, spec, paths, p_win, best):
    answer = answer_of("games", spec)
    assert answer["game"] == spec
    assert (answer["paths"], answer["paths_won"]) == (96, paths)
    assert answer["observables"]["win"] == p_win
    assert (answer["deals"], answer["deals_won_by_best_play"]) == (12, best)
    widths = {one: encoded(named_game(spec), one).circuit.num_qubits for one in answer["encodings"]}
    assert answer["encodings"] == widths
    assert "lean" in widths
    assert answer["verified"] == "exact"
    assert "gives the rules' distribution" in answer["verified_detail"]
    assert sum(Fraction(p) for p in answer["distribution"].values()) == 1


def test_games_shows_a_game_that_cannot_be_enumerated(answer_of):
    answer = answer_of("games", "skat-32:known")
    assert answer["deals"] == 42678636
    assert answer["verified"] == "unverified"
    assert "too many to enumerate" in answer["verified_detail"]
    assert (answer["paths"], answer["observables"], answer["distribution"]) == (None, None, None)


@pytest.mark.full
def test_nine_cards_in_skat_rules_run(answer_of):
    answer = answer_of("run", "skat-9", "--backend", "sparse", "--shots", "400", *FAST)
    assert (answer["encoding"], answer["verified"]) == ("lists", "exact")
    assert answer["operator_depths"] is None
    assert sum(answer["counts"].values()) == sum(answer["outcomes"].values()) == 400
    assert answer["outcomes"].keys() <= answer_of("games", "skat-9")["distribution"].keys()
    assert {len(bits) for bits in answer["counts"]} == {42}
    raw = answer["scores"]
    assert (raw["legal_fraction"], raw["normalized_fidelity"]) == (1, None)
    win = raw["observables"]["win"]
    assert win["exact"] == 0.75
    assert win["low"] < 0.75 < win["high"]
    assert raw["hellinger_fidelity"] > 0.95


def test_counts_stay_as_measured_and_outcomes_are_decoded(answer_of):
    answer = answer_of("run", "toy.toml", "-b", "sparse", "--encoding", "lists", *FAST)
    assert set(answer["outcomes"]) == {"AA-", "A-A", "-AA", "BB-", "B-B", "-BB"}
    assert sum(answer["outcomes"].values()) == 1000
    assert answer["scores"]["legal_fraction"] == 1
    assert answer["scores"]["observables"]["win"]["exact"] == pytest.approx(0.5)


@pytest.mark.full
def test_whole_games_of_skat_run(stichwerk, answer_of):
    """Sampled game by game; what needs the exact distribution is null."""
    answer = answer_of("run", "skat-32:known", "--backend", "sparse", "--shots", "20", *FAST)
    assert answer["verified"] == "sampled"
    assert "384 games legal move by move" in answer["verified_detail"]
    assert answer["verified_detail"].startswith("operators: ")
    assert 9_000 < answer["two_qubit_gates"] < 16_000
    scores = answer["scores"]
    assert scores["legal_fraction"] == 1
    win, points = scores["observables"]["win"], scores["observables"]["points"]
    assert win["low"] <= win["measured"] <= win["high"]
    assert points["low"] <= points["measured"] <= points["high"] <= 120
    assert win["exact"] is None
    for name in ("hellinger_fidelity", "normalized_fidelity", "tvd"):
        assert scores[name] is None
    assert stichwerk("report").code == 0


@pytest.mark.parametrize("width", [70, 120, 260])
def test_tables_of_a_game_fit_the_terminal(stichwerk, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    out = stichwerk("games", "weiqi:fig10").out
    title, table = out[out.index("Exact distribution") :].split("\n", 1)
    lines = table.splitlines()
    tables = [line for line in out.splitlines() if line[:1] in "┏┌┃│┡└"]
    assert max(map(len, tables)) <= width
    headings = [heading.strip() for heading in lines[1].strip("┃").split("┃")]
    game = named_game("weiqi:fig10")
    every = ["outcome", "probability", *(one.title for one in game.observables)]
    assert headings == every[: len(headings)]
    left = len(every) - len(headings)
    assert ("; a wider terminal shows " in title) == (left > 0)
    assert f" {left} more column" in title or not left
    assert next(line for line in lines if "1/2" in line).count("│") == len(headings) + 1
