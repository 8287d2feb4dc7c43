"""Records in the public form of Metriq: exported, imported and refused."""

import json
import sqlite3
from copy import deepcopy
from pathlib import Path

import pytest

QFT = {
    "app_version": "0.8.1",
    "timestamp": "2026-09-09T16:34:31.771374",
    "suite_id": "b5bf684e",
    "job_type": "Quantum Fourier Transform",
    "results": {
        "accuracy_score": {"value": 0.573, "uncertainty": 0.007},
        "eplg_10": 0.008,
        "score": {"value": 0.573, "uncertainty": 0.007},
    },
    "suite": {"id": "b5bf684e", "name": "metriq_score_1_0"},
    "platform": {"device": "garnet", "device_metadata": {"simulator": False}, "provider": "aws"},
    "circuit_metadata": {
        "input_two_qubit_gate_counts": [12, 12],
        "transpiled_two_qubit_gate_counts": [12, 14],
    },
    "params": {"benchmark_name": "Quantum Fourier Transform", "num_qubits": 4, "shots": 1000},
}
"""As metriq-gym writes them, with made-up numbers."""


def run(stichwerk, *words):
    done = stichwerk(*words)
    assert done.code == 0, done.err
    return done


def test_a_run_is_exported_and_imported(stichwerk, answer_of):
    run(stichwerk, "run", "toy.toml", "--backend", "sparse", "--method", "fast", "--shots", "50",
        "--processes", "1")  # fmt: skip
    run(stichwerk, "records", "export", "1", "--format", "metriq", "-o", "mine.json")
    (record,) = json.loads(Path("mine.json").read_text())
    assert record["platform"] == {
        "provider": "local", "device": "sparse", "device_metadata": {"simulator": True}
    }  # fmt: skip
    assert record["results"]["score"]["value"] == pytest.approx(1, abs=0.2)
    assert record["outcome"] == "completed"
    assert record["params"]["shots"] == 50
    answer = answer_of("records", "import", "mine.json")
    assert (answer["imported"], len(answer["records"])) == (1, 1)
    assert answer_of("records", "import", "mine.json")["imported"] == 0
    with sqlite3.connect("stichwerk.sqlite") as records:
        records.execute("UPDATE jobs SET backend = 'ibm:boston', provider_address = 'http://here'")
    run(stichwerk, "records", "export", "1", "--format", "metriq", "-o", "played.json")
    (played,) = json.loads(Path("played.json").read_text())
    assert played["platform"]["device_metadata"]["simulator"] is True


def test_records_of_others_are_kept_and_listed(answer_of):
    Path("theirs.json").write_text(json.dumps([QFT, QFT]))
    answer = answer_of("records", "import", "theirs.json")
    assert answer["imported"] == 1
    (row,) = answer_of("records", "import")["records"]
    assert row == {
        "timestamp": "2026-09-09T16:34:31.771374+00:00", "provider": "aws", "device": "garnet",
        "benchmark": "Quantum Fourier Transform", "score": 0.573, "uncertainty": 0.007,
        "two_qubit_gates": 14,
    }  # fmt: skip


def changed(path, value):
    record = deepcopy(QFT)
    *before, last = path
    inner = record
    for part in before:
        inner = inner[part]
    inner[last] = value
    return [QFT, record]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("nonsense", "not JSON"),
        ([], "not a list of 1 to"),
        ([3], "record 0: "),
        (changed(("timestamp",), "yesterday"), "record 1: timestamp: "),
        (changed(("platform",), {"provider": "aws"}), "record 1: platform.device: "),
        (changed(("circuit_metadata", "input_two_qubit_gate_counts"), ["many"]), "record 1: circ"),
    ],
)
def test_what_is_not_in_form_is_refused(stichwerk, content, why):
    text = content if isinstance(content, str) else json.dumps(content)
    Path("bad.json").write_text(text)
    done = stichwerk("records", "import", "bad.json")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert why in done.err
