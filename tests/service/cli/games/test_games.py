"""Games on the command line: shown, compiled and run."""

from fractions import Fraction

import pytest

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


def test_games_shows_a_game_that_cannot_be_enumerated(answer_of):
    answer = answer_of("games", "skat-32:known")
    assert answer["deals"] == 42678636
    assert answer["verified"] == "unverified"
    assert "too many to enumerate" in answer["verified_detail"]
    assert (answer["paths"], answer["observables"], answer["distribution"]) == (None, None, None)


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
