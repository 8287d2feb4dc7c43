"""Playing in a terminal, or through pipes."""

import io
import json
import re
import sys

import pytest


@pytest.fixture
def play(stichwerk, monkeypatch):
    """Return a function that plays a game, Quantum 6 Nimmt!, with lines of input."""

    def run(text, *arguments, game="six-nimmt"):
        given = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        return stichwerk("play", game, *arguments)

    return run


def hand(text):
    """Return the cards of the last hand that was shown."""
    shown = text.rpartition("Your hand")[2].splitlines()[1]
    return [int(card) for card in re.findall(r"(\d+)\(", shown)]


def test_a_line_is_a_move_and_a_bad_one_is_asked_again(play):
    first = play("", "--seed", "3")
    assert first.code == 0
    card = hand(first.out)[-1]
    done = play(f"53 X\nmoves\n{card} H\n", "--seed", "3")
    assert done.code == 0
    assert "'53 X': 'X' is no operation; write H, Z, CNOT, hSwap or nothing" in done.out
    assert f"Possible: {hand(first.out)[0]}, {hand(first.out)[0]} H, " in done.out
    assert f"round 1, turn 1: player 0 {card} H, player 1 " in done.out
    assert hand(done.out) == hand(first.out)[:-1]
    assert done.out.isprintable() or "\x1b" not in done.out


def test_a_match_goes_on_where_it_was_saved(play, folder):
    cards = hand(play("", "--seed", "3").out)
    lines = "".join(f"{card}\nrow 0\n" for card in cards[::-1])
    whole = play(lines, "--seed", "3", "--save", "whole.json")
    assert whole.err == "saved as whole.json\n"
    half = play(f"{cards[-1]}\nrow 0\n", "--seed", "3", "--save", "half.json")
    assert half.code == 0
    rest = lines.partition("row 0\n")[2]
    other = play(rest, "--load", "half.json", "--save", "other.json")
    assert other.code == 0
    saved = [json.loads((folder / f"{name}.json").read_text()) for name in ("whole", "other")]
    assert saved[0] == saved[1]
    assert saved[0]["bots"] == ["greedy", "greedy"]
    assert len(json.loads((folder / "half.json").read_text())["match"]["log"]) < len(
        saved[0]["match"]["log"]
    )


def test_a_backend_measures_and_the_file_says_how(play, folder):
    lines = "".join(f"{card} H\n{card}\n" for card in range(104, 0, -1)) + "row 0\n"
    done = play(lines * 3, "--players", "2", "--seed", "3", "-b", "sparse", "--save", "m.json")
    assert done.code == 0, done.err
    assert "post-selected.qpy: 100 shots on sparse" in done.err
    assert "Measurement results" in done.out
    saved = json.loads((folder / "m.json").read_text())
    assert saved["backend"] == "sparse"
    origins = [entry["origin"] for entry in saved["match"]["log"] if "outcomes" in entry]
    ran = [origin for origin in origins if "job" in origin]
    assert {origin["how"] for origin in origins} <= {"certain", "post-selected", "prepared afresh"}
    assert [origin["job"] for origin in ran] == sorted({origin["job"] for origin in ran})
    assert all(origin["backend"] == "sparse" for origin in ran)
    again = play("", "--load", "m.json", "--save", "again.json")
    assert "one of" in again.out
    assert json.loads((folder / "again.json").read_text()) == saved
    play(lines * 3, "--players", "2", "--seed", "3", "-b", "sparse", "--save", "other.json")
    other = json.loads((folder / "other.json").read_text())
    assert other["nonce"] != saved["nonce"]
    del saved["nonce"]
    (folder / "m.json").write_text(json.dumps(saved))
    assert "one of" in play("", "--load", "m.json").out


def test_a_match_without_a_program_is_told(play, folder):
    done = play("quit\n", "--save", "round.toml")
    assert done.code == 2
    assert "no row has been taken yet, so there is no program: play on" in done.err
    assert not (folder / "round.toml").exists()


def test_bytes_that_are_no_text_are_told(play):
    done = play(b"\xff\xfe\n\x1b[31m5\n")
    assert done.code == 0
    assert "write a card from 1 to 104" in done.out
    assert "\x1b" not in done.out


def test_a_board_on_a_machine_is_shown_as_it_was_measured(play, folder):
    options = ("--rule", "size=9", "--rule", "scheme=cqc", "-b", "sparse", "--save", "m.json")
    done = play("S+ E5 F5\n", *options, game="five-in-a-row")
    assert done.code == 0, done.err
    assert ": 1,000 shots on sparse" in done.err
    assert "P(black has five)" in done.out
    assert "Measured board, in per cent of the shots" in done.out
    log = json.loads((folder / "m.json").read_text())["match"]["log"]
    assert [*map(set, log)] == [{"seat", "move"}, {"look"}] * 2
    again = play("", "--load", "m.json", game="five-in-a-row")
    assert f"1,000 shots on sparse, job {log[-1]['look']['job']}" in again.out
