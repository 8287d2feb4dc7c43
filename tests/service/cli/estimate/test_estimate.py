"""The command `estimate`: what it answers, what it says beforehand, what it refuses."""

import json

import pytest
from matplotlib.image import imread

pytestmark = pytest.mark.usefixtures("brief_searches")

TOY = ("estimate", "skat-4", "--encoding", "lean")


@pytest.mark.full
def test_an_expected_score_is_estimated(folder, answer_of):
    answer = answer_of(
        *TOY, "--observable", "points", "--error", "2", "--backend", "sparse", "--plot", "p.png"
    )
    assert (answer["title"], answer["least"], answer["width"]) == ("E(points)", 0, 31)
    assert answer["exact"] == pytest.approx(14)
    assert answer["low"] <= 14 <= answer["high"] <= answer["low"] + 4
    assert answer["verified"] == ["exact"]
    assert answer["classical_calls"] == 103  # 1.96² · 106.33/2²
    assert imread(folder / "p.png").shape[2] == 4


def test_an_interval_that_stays_too_wide_is_a_no(stichwerk):
    done = stichwerk(
        *TOY, "--estimator", "counting", "--error", "0.3", "--shots", "1", "--json",
        "--backend", "sparse",
    )  # fmt: skip
    assert done.code == 1
    assert json.loads(done.out)["reached"] is False
