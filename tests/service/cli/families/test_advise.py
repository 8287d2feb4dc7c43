"""The command `advise`: what it answers, and what it refuses."""

import json

import pytest


@pytest.fixture(autouse=True)
def records(monkeypatch, tmp_path):
    monkeypatch.setenv("STICHWERK_DATABASE", str(tmp_path / "records.sqlite"))


def test_nine_cards_as_json(stichwerk):
    done = stichwerk("advise", "skat-9", "--json")
    assert done.code == 0
    answer = json.loads(done.out)
    assert answer["recommended"] == answer["superposition_recommends"] == "HQ"
    assert answer["agree"]
    found = {
        one["card"]: (one["superposed"]["fraction"], one["open_cards"]["deals_won"])
        for one in answer["cards"]
    }
    assert found == {"H10": ("1/2", 6), "HQ": ("3/4", 11), "H7": ("5/8", 9)}
    assert {one["superposed"]["method"] for one in answer["cards"]} == {"exact"}
    assert {one["quantum"] for one in answer["cards"]} == {None}


def test_a_backend_measures_every_card(stichwerk, tmp_path):
    path = tmp_path / "two-cards.toml"
    path.write_text(
        "game = 'skat'\nrules = 'skat'\ntrump = 'C'\nplayers = 2\nhand = 2\n"
        "deck = ['CA', 'C10', 'CK', 'CQ', 'H7']\nknown = { 0 = ['C10', 'CQ'] }\n"
    )
    done = stichwerk("advise", str(path), "--backend", "sparse", "--shots", "500", "--json")
    assert done.code == 0
    cards = json.loads(done.out)["cards"]
    assert {one["card"] for one in cards} == {"C10", "CQ"}
    assert len({one["superposed"]["p_win"] for one in cards}) == 2
    for one in cards:
        quantum = one["quantum"]
        assert quantum["method"] == "quantum"
        # Five standard deviations, of which 1.96 make an interval.
        wide = 2.6 * (quantum["high"] - quantum["low"]) / 2
        assert abs(quantum["p_win"] - one["superposed"]["p_win"]) < wide


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_picture_is_written(stichwerk, tmp_path, suffix):
    path = tmp_path / f"advice{suffix}"
    done = stichwerk("advise", "skat-9", "--plot", str(path))
    assert done.code == 0
    assert "Play HQ." in done.out
    assert "11/12 exact" in done.out
    start = b"\x89PNG" if suffix == ".png" else b"<?xml"
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("endless-fun",), "no game of tricks"),
        (("skat-32",), "known.0: 0 of 10 cards are known"),
        (("skat-9", "--playouts", "0"), "playouts"),
        (("skat-9", "--deals", "100000"), "deals"),
        (("skat-9", "--plot", "advice.txt"), "must end in .png or .svg"),
        (("gone.toml",), "gone.toml"),
    ],
)
def test_bad_input_is_refused_in_one_line(stichwerk, arguments, said):
    done = stichwerk("advise", *arguments)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.splitlines()) == 1
