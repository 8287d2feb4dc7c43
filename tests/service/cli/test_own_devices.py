"""The file of a device wherever a target, a backend or a device is named."""

from pathlib import Path

import pytest

from compiler.formats.circuit_files import circuit_from_qasm
from workers.records.database import open_database

DEVICE = Path(__file__).with_name("device.toml").read_text()
LINE = {frozenset((q, q + 1)) for q in range(7)}


@pytest.fixture(autouse=True)
def device(folder):
    """A line of eight qubits in the current folder."""
    path = folder / "line.toml"
    path.write_text(DEVICE)
    return path


def test_what_was_read(stichwerk, answer_of, device):
    answer = answer_of("targets", "line.toml")
    assert answer["target"].startswith("device:line:")
    assert answer["qubits"] == 8
    assert {frozenset(edge) for edge in answer["edges"]} == LINE
    assert answer["out_of_reach"] == []
    assert answer["gates"]["cz"][0] == {"qubits": [0, 1], "error": 4e-3, "duration_ns": 60}
    device.write_text(DEVICE + "[edge.3-4]\ngates.cz = { error = 0.02 }\n")
    shown = stichwerk("targets", "line.toml").out
    assert "7: 0-1 1-2 2-3 3-4 4-5 5-6 6-7" in shown
    assert "0.004 (0.004 to 0.02)" in shown
    assert "not known" in shown
    # One error of the readout is that of both directions.
    assert {one["one_for_zero"] for one in answer["calibration"]} == {0.02}
    assert {one["zero_for_one"] for one in answer["calibration"]} == {0.02}


def test_compile_for_it(stichwerk, answer_of, folder):
    answer = answer_of(
        "compile", "ghz2.qasm", "--target", "line.toml", "--method", "fast", "-o", "native.qasm"
    )
    assert answer["verified"] == "exact"
    assert answer["two_qubit_gates"] == 2
    assert 0.85 < answer["expected_fidelity"] < 0.96
    native = circuit_from_qasm((folder / "native.qasm").read_text(), "native.qasm")
    pairs = {
        frozenset(native.find_bit(q).index for q in item.qubits)
        for item in native.data
        if len(item.qubits) == 2
    }
    assert pairs <= LINE


def test_a_suite_submits_for_it(stichwerk, folder):
    inner = folder / "night"
    inner.mkdir()
    (inner / "line.toml").write_text(DEVICE)
    (inner / "night.toml").write_text(
        f'suite = "night"\nprograms = ["{folder}/ghz2.qasm"]\n'
        'backends = ["sparse:line.toml"]\nmethod = "fast"\n'
    )
    said = stichwerk("submit", "night/night.toml")
    assert said.code == 0, said.err
    engine = open_database("stichwerk.sqlite")
    with engine.connect() as connection:
        (job,) = connection.exec_driver_sql("select backend, target from jobs").all()
        (kept,) = connection.exec_driver_sql("select spec from devices").all()
    engine.dispose()
    assert job == (f"sparse:{kept[0]}", kept[0])
