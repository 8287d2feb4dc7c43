"""Boards on a quantum computer: when they are looked at, and what a look keeps and shows."""

import json

import pytest

from compiler.errors import GameError
from games import named_game
from games.board.game import board_toml
from games.playing.match_log import Look, Looked, Seen
from games.playing.measurement_panels import look_panels
from games.playing.oracle import BackendOracle, ExactOracle, NoResultError
from games.playing.panels import Grid, Lines
from games.playing.playable import match_from_record, playables
from games.playing.tournament import played_by
from games.playing.trials import NotRunnableError
from games.toml import game_from_toml
from tests.games.playing.matches import played, started

LOOK = Look(
    "aer:torino",
    7,
    1000,
    "mitigated",
    0.91,
    (
        Seen("black_has_five", "event", 0.25, 0.2, 0.3, 0.25),
        Seen("black_stones", "number", 1.01, 0.99, 1.03, 1.0),
        Seen("black_at_e5", "event", 0.48, 0.45, 0.51, 0.5),
        Seen("black_at_f5", "event", None, None, None, 0.5),
    ),
)


def begun(*moves, scheme="cqc", game="five-in-a-row"):
    return played(started(game, size=9, options={"scheme": scheme}), moves)


def test_a_board_on_a_machine_is_looked_at_after_every_move():
    asked = []

    def watch(match):
        asked.append(len(match.position.turns))
        return LOOK

    oracle = BackendOracle("aer:torino", 1, None, watch)
    bots = {1: playables["five-in-a-row"].bots["random"]()}
    match = begun()
    assert not match.unseen
    match = played_by(match.play(0, "S+ E5 F5"), bots, 1, oracle=oracle)
    assert asked == [1, 2]
    assert [isinstance(entry, Looked) for entry in match.log] == [False, True, False, True]
    assert match.last_look == LOOK
    assert match.play(0, "A1").last_look is None
    # On classical computers, and where nothing runs, nobody looks.
    exact = played_by(begun("S+ E5 F5"), bots, 1, oracle=ExactOracle(1))
    assert exact.last_look is None
    other = played_by(begun("S+ E5 F5", scheme="cwc"), bots, 1, oracle=oracle)
    assert other.last_look is None
    assert asked == [1, 2]


@pytest.mark.parametrize("error", [NotRunnableError, NoResultError])
def test_a_look_that_fails_says_why_and_the_match_goes_on(error):
    def watch(match):
        raise error("no\nmachine")

    match = played_by(begun("S+ E5 F5"), {}, 1, oracle=BackendOracle("mars", 1, None, watch))
    assert match.last_look == Look("mars", reason="no machine")
    assert look_panels(match, chances=True) == [
        Lines("The last look", ["not measured on mars: no machine"])
    ]
    assert match.to_move == (1,)


def test_a_record_keeps_what_was_seen():
    match = begun("S+ E5 F5").looked(LOOK).play(1, "A1").looked(Look("mars", reason="no"))
    again = match_from_record(json.loads(json.dumps(match.record())))
    assert again.log == match.log
    assert again.record() == match.record()


@pytest.mark.parametrize(
    "change",
    [
        {"backend": 1},
        {"backend": "a\nb"},
        {"job": -1},
        {"job": True},
        {"shots": "1000"},
        {"fidelity": float("nan")},
        {"fidelity": float("inf")},
        {"colour": 1},
        {"seen": [["black_stones", "number", 1, 1, 1]]},
        {"seen": [["black_stones", "number", 1, 1, 1, "1"]]},
        {"seen": [7]},
        {"seen": 7},
        {"seen": [["x", "event", 0, 0, 0, 0]] * 2001},
    ],
)
def test_a_look_that_nobody_wrote_is_refused(change):
    record = begun("S+ E5 F5").looked(LOOK).record()
    record["log"][-1]["look"] |= change
    with pytest.raises(GameError, match=r"log\[1\]: look\."):
        match_from_record(record)


def test_what_was_measured_stands_beside_what_is_exact():
    match = begun("S+ E5 F5").looked(LOOK)
    table, board = look_panels(match, chances=True)
    assert isinstance(table, Grid)
    assert table.title == (
        "1,000 shots on aer:torino, job 7, readout errors undone, fidelity 0.910"
    )
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["P(black has five)", "0.250", "0.200 to 0.300", "0.250"],
        ["black stones", "1.010", "0.990 to 1.030", "1.000"],
    ]
    hidden, _ = look_panels(match, chances=False)
    assert hidden.columns == ["", "measured", "95 %"]
    assert all(len(row) == 3 for row in hidden.rows)
    drawn = {cell.text for row in board.rows for cell in row[1:]}
    assert drawn == {"·", "●48"}
    assert board.rows[4][5].text == "●48"


def test_the_moves_so_far_are_a_file():
    options = {"targets": "some", "captures": "x"}
    match = started("weiqi", size=9, options=options)
    with pytest.raises(GameError, match="no stone has been put yet"):
        match.file()
    game = named_game("weiqi:fig10")
    again = game_from_toml(board_toml(game), "again")
    assert (again.moves, again.size, again.options) == (game.moves, game.size, game.options)
    match = match.play(0, "S- C3 G4")
    assert game_from_toml(match.file(), "match").exact_distribution() == (
        match.fixed("match").exact_distribution()
    )
