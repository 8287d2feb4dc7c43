"""Matches as SGF: read back, read by another program, and refused where they are wrong."""

import pytest
from sgfmill.sgf import Sgf_game

from compiler.errors import GameError
from games.board.examples import FIG_10, FIVE
from games.sources import Source, read_game
from play.board.match import match_from_sgf
from play.playable import playables
from tests.play.matches import played, started

CLASSICAL = b"""(;FF[4]GM[1]SZ[9]KM[6.5]PB[Bob]PW[Alice]C[a \\] comment; (not a move)]
;B[ee]C[middle];W[gc]
(;B[cg]LB[cg:1];W[](;B[tt])(;B[aa]))
(;B[cc];W[dd]))"""


def written(match):
    return playables[match.game].formats[".sgf"].write(match)


@pytest.mark.parametrize(
    ("game", "setup", "moves"),
    [
        ("five-in-a-row", {"size": 9}, FIVE["appendix-b"]),
        ("weiqi", {"size": 9, "options": {"targets": "some", "captures": "x"}}, FIG_10),
        ("weiqi", {"size": 19, "most_games": 8}, ["A1", "S19", "S- K10 J9", "pass", "G A2 A3"]),
        ("five-in-a-row", {"size": 25}, ["Z25", "A1"]),
    ],
)
def test_a_match_is_read_back(game, setup, moves):
    match = played(started(game, **setup), moves)
    again = match_from_sgf(written(match), "match.sgf", seed=1)
    assert again.record() == match.record()
    assert again.view(0).as_json() == match.view(0).as_json()


def test_another_program_reads_what_is_classical():
    moves = ["A1", "J9", "S+ E5 F5", "C2", "pass"]
    record = Sgf_game.from_bytes(written(played(started("weiqi", size=9), moves)))
    found = [node.get_move() for node in record.get_main_sequence()]
    # Rows are counted from the bottom, as ours are.
    assert found == [(None, None), ("b", (0, 0)), ("w", (8, 8)), (None, None), ("w", (1, 2)),
                     ("b", None)]  # fmt: skip
    assert [node.get_raw("QB") for node in record.get_main_sequence() if node.has_property("QB")
            ] == [b"S+ E5 F5"]  # fmt: skip


def test_the_main_line_of_a_record_of_go_is_read():
    match = match_from_sgf(CLASSICAL, "game.sgf")
    assert [entry.move for entry in match.log] == ["X E5", "X G7", "X C3", "pass", "pass"]
    assert (match.game, match.over, match.winners) == ("weiqi", True, (1,))
    game = read_game(Source("game.sgf", CLASSICAL))
    assert (game.name, len(game.moves), game.size) == ("game.sgf", 5, 9)


def test_how_a_game_ended_is_told():
    moves = ["A1", "A9", "B1", "B9", "C1", "C9", "D1", "D9", "E1"]
    assert b"RE[B+]" in written(played(started("five-in-a-row", size=9), moves))
    assert b"RE[W+]" in written(played(started("weiqi", size=9), ["pass", "pass"]))
    assert b"RE" not in written(played(started("weiqi", size=9), ["A1"]))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "line 1, column 1: no SGF: a record begins with"),
        (b"(;GM[1]SZ[9]\n;B[aa", "line 2, column 3: no SGF: unexpected end of SGF data"),
        (b"(;SZ[9];B[aa];W[zz])", r"node 2, W\[zz\]: no point of a board of 9 lines; its points"),
        (b"(;SZ[9];W[aa])", "node 1: it is the turn of black, not white"),
        (b"(;SZ[9];B[];W[];B[aa])", "node 3: the game is over"),
        (b"(;SZ[9]HA[2]AB[cc][gg];W[aa])", "node 0: AB sets stones, as for a handicap"),
        (b"(;SZ[9];B[aa][bb])", "node 1: B is there 2 times"),
        (b"(;SZ[9:7])", r"node 0: SZ\[9:7\]: only square boards"),
        (b"(;QO[targets])", r"node 0: QO\[targets\]: write name:value"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(content, why):
    with pytest.raises(GameError, match=f"^bad.sgf: {why}") as caught:
        match_from_sgf(content, "bad.sgf")
    assert "\n" not in str(caught.value)
