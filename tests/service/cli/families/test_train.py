"""The command `train`: what it answers, and what it refuses."""

import json

import pytest

TOY = ("train", "skat-4", "--steps", "60")


def test_nine_cards_as_json(stichwerk):
    done = stichwerk("train", "skat-9", "--json")
    assert done.code == 0
    answer = json.loads(done.out)
    assert answer["p_win_equal_weights"] == "5/8"
    assert answer["p_win_best_response"] == "5/6"
    assert answer["p_win"] == pytest.approx(5 / 6, abs=1e-3)
    lead = answer["weights"][0]
    assert lead["hand"] == ["H10", "HQ", "H7"]
    assert lead["seen"] == []
    assert lead["probability"] == pytest.approx(1)
    assert lead["cards"]["HQ"] > 0.999
    assert lead["p_win"]["HQ"] == pytest.approx(5 / 6, abs=1e-3)
    assert answer["training"][0]["step"] == 0
    assert answer["training"][-1]["step"] == answer["steps"] == 300


def test_equilibrium_of_the_toy(stichwerk):
    done = stichwerk(*TOY, "--objective", "equilibrium", "--seat", "1", "--json")
    assert done.code == 0
    answer = json.loads(done.out)
    assert answer["p_win"] == pytest.approx(1 / 3, abs=1e-4)
    assert max(answer["gains"]) < 1e-4
    assert all(sum(one["cards"].values()) == pytest.approx(1) for one in answer["weights"])


def test_for_people(stichwerk):
    done = stichwerk(*TOY)
    assert done.code == 0
    for words in ("skat-4: Best response of A to equal weights", "5/12 = 0.416667", "Weights of A"):
        assert words in done.out
    assert "step 60 of 60" in done.err


@pytest.mark.parametrize("objective", ["best-response", "equilibrium"])
@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_a_picture_is_written(stichwerk, tmp_path, objective, suffix, start):
    path = tmp_path / f"training.{suffix}"
    assert stichwerk(*TOY, "--objective", objective, "--plot", str(path)).code == 0
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("skat-4", "--seat", "2"), "seat 2: skat-4 has seats 0 to 1"),
        (("skat-4", "--objective", "best"), "take one of best-response, equilibrium"),
        (("skat-4", "--steps", "20001"), "20000"),
        (("endless-fun",), "no game of tricks"),
        (("nothing",), "nothing"),
        ((), "GAME"),
    ],
)
def test_bad_input_is_one_clear_line(stichwerk, arguments, says):
    done = stichwerk("train", *arguments)
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    assert says in done.err


def test_a_game_that_is_too_large_is_told_beforehand(stichwerk):
    done = stichwerk("train", "skat-32")
    assert done.code == 1
    assert done.out == ""
    assert "too many to train on (at most 100,000 together)" in done.err
