"""Rounds of Quantum 6 Nimmt! on the command line, like any other game."""

from fractions import Fraction

from games import named_game


def test_a_round_is_shown_with_its_exact_distribution(answer_of):
    answer = answer_of("games", "six-nimmt:2:5")
    game = named_game("six-nimmt:2:5")
    assert (answer["game"], answer["encoding"], answer["qubits"]) == ("six-nimmt:2:5", "rows", 4)
    assert answer["measurements"] == len(game.takings)
    assert {label: Fraction(p) for label, p in answer["distribution"].items()} == {
        game.describe(path): p for path, p in game.exact_distribution().items()
    }
    for seat in range(2):
        expected = str(game.expected_points()[seat])
        assert answer["observables"][f"player_{seat}_points"] == expected
        assert answer["expected_points"][f"player {seat}"] == expected


def test_a_round_is_listed_with_what_may_follow_its_name(answer_of):
    rows = {row["game"]: row for row in answer_of("games")["games"]}
    row = rows["six-nimmt[:players][:seed]"]
    assert row["qubits"] == {"rows": 4}
    assert row["observables"]["player_0_points"] == str(
        named_game("six-nimmt").expected_points()[0]
    )
    assert row["size"]["measurements"] == len(named_game("six-nimmt").takings)
    assert rows["skat-4"]["size"] == {"deals": 6}
