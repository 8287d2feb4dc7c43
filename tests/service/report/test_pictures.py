from compiler.expectation import expectation_of
from games import encoded, games
from games.toml import game_from_toml
from service.report.job_details import MAX_ROWS, bit_rows, outcome_rows

SKAT = """
game = "skat"
rules = "paper"
players = 2
hand = 2
deck = ["CA", "C10", "CK", "CQ", "CJ"]
"""


def test_rows_are_the_outcomes_and_the_illegal_ones_together() -> None:
    game = games["skat-4"]()
    noise = dict.fromkeys(game.exact_distribution(), 1 / 16) | {None: 1 / 2}
    rows = outcome_rows(encoded(game, "paper").judge, {0: 5, 15: 3, None: 4}, noise)
    assert [row.label for row in rows][:2] == ["AAAA", "BBBB"]
    assert [(row.shots, row.kind) for row in rows][:2] == [(5, "win"), (3, "loss")]
    assert (rows[-1].label, rows[-1].shots, rows[-1].exact) == ("illegal", 4, 0)
    assert sum(row.shots for row in rows) == 12
    assert sum(row.exact for row in rows) == 1
    assert sum(row.noise for row in rows) == 1


def test_what_is_not_expected_of_a_circuit_is_a_row_of_its_own() -> None:
    judge = expectation_of({"00": 3, "11": 1}, "bell").judge("bell.qasm")
    rows = outcome_rows(judge, {0b00: 5, 0b01: 2, 0b10: 1}, dict.fromkeys(range(4), 1 / 4))
    assert [(row.label, row.shots, row.exact, row.noise) for row in rows] == [
        ("00", 5, 0.75, 0.25), ("11", 0, 0.25, 0.25), ("not expected", 3, 0, 0.5),
    ]  # fmt: skip


def test_rows_beyond_the_most_probable_are_summed() -> None:
    game = game_from_toml(SKAT, "skat")
    exact = game.exact_distribution()
    noise = dict.fromkeys(exact, 2.0**-10)
    rows = outcome_rows(encoded(game, "paper").judge, dict.fromkeys(exact, 1), noise)
    assert len(rows) == MAX_ROWS + 2
    rest = len(exact) - MAX_ROWS
    assert (rows[-2].label, rows[-2].shots, rows[-2].kind) == (f"{rest} others", rest, "others")
    assert rows[-2].noise == rest / (1 << 10)
    assert sum(row.exact for row in rows) == 1


def test_bits_measured_most_often_come_first() -> None:
    rows = bit_rows({1: 5, 6: 7, 0: 5}, 3)
    assert [(row.label, row.shots) for row in rows] == [("110", 7), ("000", 5), ("001", 5)]
    many = bit_rows(dict.fromkeys(range(30), 2), 5)
    assert (many[-1].label, many[-1].shots, many[-1].kind) == ("6 others", 12, "others")
