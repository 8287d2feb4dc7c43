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


def test_a_saved_training_goes_on(stichwerk, tmp_path):
    saved, answered = tmp_path / "one.toml", tmp_path / "two.toml"
    assert stichwerk(*TOY, "--seat", "1", "--save", str(saved)).code == 0
    done = stichwerk("train", str(saved), "--seat", "1", "--steps", "5", "--json")
    answer = json.loads(done.out)
    assert answer["p_win_start"] == pytest.approx(1 / 3, abs=1e-3)
    assert answer["training"][0]["p_win"] == pytest.approx(answer["p_win_start"], abs=1e-6)
    assert float(answer["p_win_best_response"]) == pytest.approx(1 / 3, abs=1e-9)
    # The other seat answers it, and keeps the first one's weights in its own file.
    done = stichwerk("train", str(saved), "--seat", "0", "--steps", "5", "--save", str(answered))
    assert "Best response of A to the others' weights of the file" in done.out
    assert "seat = 1" in answered.read_text()


def test_a_backend_trains_and_the_saved_game_is_compiled(stichwerk, tmp_path, monkeypatch):
    monkeypatch.setenv("STICHWERK_DATABASE", str(tmp_path / "records.sqlite"))
    saved, drawn = tmp_path / "trained.toml", tmp_path / "training.png"
    files = ("--save", str(saved), "--plot", str(drawn))
    trained = stichwerk(
        *("train", "skat-4", "--seat", "1", "--backend", "sparse", "--shots", "1500"),
        *("--steps", "1", *files, "--json"),
    )
    assert trained.code == 0
    answer = json.loads(trained.out)
    exact, sampled = answer["backends"]
    assert (exact["backend"], exact["jobs"]) == ("exact", None)
    # One look, two shifts of one bit, one look; the angles are B's of twelve hands and leads.
    assert (sampled["angles"], sampled["circuits"], sampled["jobs"]) == (12, 4, [2, 5])
    assert sampled["legal_fraction"] == 1
    assert answer["p_win"] == sampled["p_win"] < 0.4
    for look in sampled["training"]:
        assert look["low"] < look["measured"] < look["high"]
        assert look["measured"] == pytest.approx(look["p_win"], abs=0.06)
    assert drawn.read_bytes().startswith(b"\x89PNG")
    done = stichwerk(
        "compile", str(saved), "--target", "all", "--method", "fast", "--processes", "1", "--json"
    )
    assert done.code == 0
    compiled = json.loads(done.out)
    assert (compiled["encoding"], compiled["verified"]) == ("card-choices", "exact")
    facts = json.loads(stichwerk("games", str(saved), "--json").out)
    assert float(facts["observables"]["win"]) == pytest.approx(answer["p_win"], abs=1e-9)
