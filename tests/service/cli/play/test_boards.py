"""Board games in a terminal: games one by one, drafts that are taken back, records as files."""

import io
import sys

import pytest

from play.board.match import match_from_sgf

BOARDS = ("five-in-a-row", "weiqi")
FIRST = "S+ E5 F5\n"


@pytest.fixture
def play(stichwerk, monkeypatch):
    """Return a function that plays on a small board with lines of input."""

    def run(text, *arguments, game="five-in-a-row"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        rules = ("--bots", "random", *(("--rule", "size=9") if game in BOARDS else ()))
        rules = () if "--load" in arguments else rules
        return stichwerk("play", game, *rules, *arguments)

    return run


def answers(done):
    """Return what was said after each line of input, panels and questions apart."""
    return [part.splitlines()[0] for part in done.out.split("\n> ")[1:] if part.strip()]


def test_games_are_stepped_through(play):
    done = play(f"{FIRST}next\nnext\nnext\nprevious\ngame 1\ngame 3\nall\n")
    assert done.code == 0
    told = answers(done)[1:]
    wanted = [1, 2, 1, 2, 1]
    for line, number in zip(told, wanted, strict=False):
        assert f"Game {number} of 2: amplitude 1/√2, probability 1/2" in line
    assert told[5] == "'3' is no game; they are numbered from 1 to 2"
    assert "with a number in so many per cent" in told[6]
    hidden = play(f"{FIRST}next\n", "--no-chances").out
    assert "Game 1 of 2: ●F5" in hidden
    assert "1/2" not in hidden


def test_a_move_is_put_together_and_taken_back(play, folder):
    done = play("undo\nS+\nA1\nA1\nB1\nplay now\nundo\nC1\nundo all\nundo\nS-\nC3\nC4\nplay\n",
                "--save", "m.sgf")  # fmt: skip
    told = answers(done)
    assert told[0] == "nothing is put together yet, so there is nothing to take back"
    assert told[1].startswith("S+: choose the first point. Possible: A1, B1, ")
    assert told[2].startswith("S+ A1: choose the second point. Possible: B1, ")
    assert told[3] == "A1 cannot be chosen now: choose another point"
    assert told[4] == "S+ A1 B1: 'play' plays it, 'undo' takes back the last choice."
    assert "is no point" in told[5]
    assert told[6].startswith("S+ A1: choose the second point.")
    assert told[7].startswith("S+ A1 C1: 'play'")
    assert told[8] == "The draft is empty."
    assert told[9] == told[0]
    assert done.err == "saved as m.sgf\n"
    match = match_from_sgf((folder / "m.sgf").read_bytes(), "m.sgf")
    assert match.log[0].move == "S- C3 C4"


def test_a_board_is_saved_as_a_game(play, folder, answer_of):
    done = play(FIRST, "--save", "game.toml", game="weiqi")
    assert done.err == "saved as game.toml\n"
    assert answer_of("games", "game.toml")["games"] == 2
    nothing = play("quit\n", "--save", "none.toml")
    assert (nothing.code, "no stone has been put yet" in nothing.err) == (2, True)
