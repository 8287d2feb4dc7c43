"""The command `fidelity`: its table, its JSON, its picture, and what it refuses."""

import json
import sqlite3
from contextlib import closing
from math import sqrt

import pytest
from PIL import Image

from compiler.lowering.qiskit_level_3 import level_3
from compiler.lowering.state_peephole import window_search
from service.cli.fidelity.command import print_fidelity
from service.cli.fidelity.plots import draw_fidelity
from service.cli.output.plots import write_figure
from service.results.device_runs import FidelityResult

TINY = (
    "fidelity", "--device", "torino", "--pipeline", "qiskit", "--objective", "two_qubit_gates",
    "--literal-shots", "0", "--processes", "1",
)  # fmt: skip


def quick(draft, setting):
    return level_3(draft.circuit, setting.target, setting.seed)


KINDS = ("raw", "post_selected", "mitigated", "mitigated_post_selected")


@pytest.fixture(scope="module")
def said_before():
    """What the module's one long call said; empty until then."""
    return {}


@pytest.fixture
def answer(stichwerk, folder, only_pipelines, monkeypatch, said_before):
    """The answer of a call with two circuits of 200 shots each, and the jobs that it recorded."""
    if not said_before:
        only_pipelines(qiskit=quick)
        monkeypatch.setattr(window_search, "TRIALS_PER_CANDIDATE", 1)
        monkeypatch.setattr(window_search, "TRIALS_PER_GATE", 0)
        said = stichwerk(*TINY, "--shots", "200", "--seed", "3", "--json")
        assert said.code == 0
        with closing(sqlite3.connect(folder / "stichwerk.sqlite")) as records:
            jobs = records.execute("SELECT backend, shots, state FROM jobs ORDER BY id").fetchall()
        said_before |= json.loads(said.out) | {"jobs": jobs}
    return said_before


def test_every_figure_comes_with_what_it_was_made_with(answer):
    assert answer["program"] == "skat-4"
    assert answer["seed"] == 3
    assert answer["owner_bits"] == 4
    assert answer["observables"] == {"win": pytest.approx(5 / 12), "points": 14}
    assert {"qiskit", "qiskit-aer", "qiskit-ibm-runtime"} <= answer["versions"].keys()
    assert [one["device"] for one in answer["devices"]] == ["torino"]
    assert answer["devices"][0]["snapshot"] == "fake_torino"
    assert answer["devices"][0]["backend_version"]
    assert answer["devices"][0]["calibrated_at"].startswith("20")
    assert answer["left_out"] == []
    circuits = [(run["backend"], run["encoding"]) for run in answer["runs"]]
    assert circuits == [("aer:torino", "paper"), ("aer:torino", "lean")]
    for run in answer["runs"]:
        assert (run["method"], run["pipeline"], run["verified"]) == ("best", "qiskit", "exact")
        assert run["shots"] == 200
        assert set(run["scores"]) == set(KINDS)
        raw, mitigated = run["scores"]["raw"], run["scores"]["mitigated"]
        assert raw["shots"] == 200 > mitigated["shots"]
        assert mitigated["hellinger_fidelity"] > raw["hellinger_fidelity"] > 0.5
    assert answer["jobs"] == [(backend, 200, "done") for backend, _ in circuits]


def test_encodings_share_a_zero_on_the_owners(answer):
    """Noise on the 16 owner outcomes has (2·√(1/4) + 6·√(1/12))² / 16 plain fidelity."""
    noise = (2 * sqrt(1 / 4) + 6 * sqrt(1 / 12)) ** 2 / 16
    for run in answer["runs"]:
        for kind in KINDS:
            one = run["scores"][kind]
            expected = (one["hellinger_fidelity"] - noise) / (1 - noise)
            assert one["owner_normalized_fidelity"] == pytest.approx(expected)
            if run["encoding"] == "paper":
                assert one["normalized_fidelity"] == pytest.approx(expected)
            else:
                assert one["normalized_fidelity"] > expected
    paper, lean = answer["uniform_noise"]
    assert (paper["encoding"], lean["encoding"]) == ("paper", "lean")
    assert paper["scores"]["raw"]["owner_normalized_fidelity"] == pytest.approx(0)
    assert paper["scores"]["raw"]["legal_fraction"] == 0.5
    assert lean["scores"]["raw"]["normalized_fidelity"] == pytest.approx(0)
    assert lean["scores"]["raw"]["owner_normalized_fidelity"] < -0.6
    assert lean["scores"]["raw"]["legal_fraction"] == 24 / 256


def test_table_and_picture(answer, capsys, tmp_path):
    result = FidelityResult.model_validate({k: v for k, v in answer.items() if k != "jobs"})
    print_fidelity(result)
    said = capsys.readouterr().out
    assert said.count("as measured") == 4
    assert said.count("uniform noise ") >= 2
    for text in ("lean, fewest gates", "P(win) 0.4167"):
        assert text in said
    assert result.flattered == ["lean"]
    write_figure(draw_fidelity(result), tmp_path / "fidelity.png")
    with Image.open(tmp_path / "fidelity.png") as picture:
        assert picture.width > 1000
