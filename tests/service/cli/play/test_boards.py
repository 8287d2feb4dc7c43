"""Board games in a terminal: games one by one, drafts that are taken back, records as files."""

import io
import sys

import pytest

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
    assert "a number is its probability in per cent" in told[6]
    hidden = play(f"{FIRST}next\n", "--no-chances").out
    assert "Game 1 of 2: ●F5" in hidden
    assert "1/2" not in hidden


def test_a_board_is_saved_as_a_game(play, folder, answer_of):
    done = play(FIRST, "--save", "game.toml", game="weiqi")
    assert done.err == "saved as game.toml\n"
    assert answer_of("games", "game.toml")["games"] == 2
    nothing = play("quit\n", "--save", "none.toml")
    assert (nothing.code, "no stone has been put yet" in nothing.err) == (2, True)
