"""The command `crossover`: its figures, its picture, what it refuses, and that it asks nobody."""

import subprocess
import sys

import pytest
from matplotlib.image import imread


def test_json_and_plot(answer_of, folder):
    answer = answer_of("crossover", "skat-4", "--plot", "crossover.png", "--cores", "2")
    assert (answer["program"], answer["encoding"], answer["cores"]) == ("skat-4", "lists-win", 2)
    assert answer["exact"] == answer["probability"] == pytest.approx(5 / 12)
    assert answer["playouts_measured"]
    assert [one["error"] for one in answer["estimates"]] == [10.0**-k for k in range(2, 9)]
    lean, plain = (answer["syntheses"][name] for name in ("t_count", "two_qubit_gates"))
    assert lean["program_t_count"] < plain["program_t_count"]
    # Three log₂(4/1e-4) T gates for each of four rotations.
    assert plain["program_t_count"] == plain["t_gates"] + 184
    assert answer["objective"] == "t_count"
    first = answer["estimates"][0]["logical"]
    assert first["t_per_call"] > lean["t_gates"] + 4 * lean["toffolis"]
    assert set(answer["crossings"]) == set(answer["models"])
    assert imread(folder / "crossover.png").shape[1] > 1000


def test_a_given_rate_decides_the_crossing(answer_of):
    def crossing(rate):
        given = ("--playouts-per-second", rate, "--error", "0.01")
        return answer_of("crossover", "skat-4", *given)["crossings"]["majorana-1e-6"]

    slow, fast = crossing("1000"), crossing("100000")
    assert slow["error"] > fast["error"]
    assert crossing("1e15") is None


OFFLINE = """
import socket, sys

def refuse(*_):
    raise AssertionError("a connection")

socket.socket.connect = socket.socket.connect_ex = refuse
socket.getaddrinfo = refuse
from service.cli import main
try:
    main(["crossover", "skat-4", "--error", "0.01", "--json"])
finally:
    from qdk import telemetry
    assert not telemetry.TELEMETRY_ENABLED
"""


@pytest.mark.full
def test_the_estimator_opens_no_connection():
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert '"machines"' in done.stdout
