"""The command `volume`: fidelities against the rules, volumes, the picture, what is refused."""

import json
import sqlite3
from contextlib import closing
from math import sqrt

import pytest
from PIL import Image

from compiler.scores.intervals import Interval, unbiased_fidelity
from games import encoded, named_game
from service.cli.fidelity import volume as command

SHORT = ("volume", "--device", "torino", "--shots", "150", "--processes", "1")


@pytest.fixture
def toy_only(monkeypatch):
    monkeypatch.setattr(command, "LADDER", command.LADDER[:1])


def test_volume_of_a_device(stichwerk, folder, toy_only, monkeypatch):
    monkeypatch.setattr("service.cli.output.printing.PAUSE_SECONDS", 0.0)
    done = stichwerk(*SHORT, "--plot", "volume.png", "--json")
    assert done.code == 0
    answer = json.loads(done.out)
    (run,) = answer["runs"]
    assert (run["backend"], run["cards"], run["verified"]) == ("sparse:torino", 4, "exact")
    assert run["from_zero"] is True
    with closing(sqlite3.connect(folder / "stichwerk.sqlite")) as records:
        (counts,) = records.execute("SELECT counts FROM jobs").fetchone()
    program = encoded(named_game("skat-4"), "lean")
    shares = {o: n / 150 for o, n in program.outcomes(
        {int(key): n for key, n in json.loads(counts).items()}
    ).items()}  # fmt: skip
    exact = named_game("skat-4").exact_distribution()
    fidelity = sum(sqrt(shares.get(o, 0) * p) for o, p in exact.items()) ** 2
    noise = sum(sqrt(p / 16) for p in exact.values()) ** 2
    unbiased = unbiased_fidelity(fidelity, 150, exact)
    # About what is known of many shots.
    assert unbiased == pytest.approx(fidelity + (len(exact) - 1) / (4 * 150), abs=0.01)
    assert run["normalized_fidelity"] == pytest.approx((unbiased - noise) / (1 - noise))
    assert run["low"] < run["normalized_fidelity"] < run["high"]
    assert 0.5 < run["normalized_fidelity"] < 1
    assert answer["volumes"] == [{"backend": "sparse:torino", "volume": {"0.1": 4, "0.5": 4}}]
    assert "skat-4 on heavy-hex:torino: 150 shots on sparse:torino" in done.err
    assert "Pauli trajectories: " in done.err
    with Image.open(folder / "volume.png") as picture:
        assert len(picture.convert("RGB").getcolors(1 << 20)) > 10


def test_what_reaches_no_threshold_has_no_volume(stichwerk, toy_only, monkeypatch):
    monkeypatch.setattr(command, "normalized_interval", lambda *_: Interval(0.3, 0.2, 0.4))
    done = stichwerk(*SHORT, "--shots", "10")
    assert done.code == 0
    assert "0.2 │  0.4" in done.out
    assert "(from |0…0⟩)" in done.out
    (line,) = [
        line for line in done.out.splitlines() if "sparse:torino" in line and "skat" not in line
    ]
    assert [cell.strip() for cell in line.strip("│").split("│")] == ["sparse:torino", "4", "0"]
