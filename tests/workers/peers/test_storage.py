"""Comparisons that were stopped go on with what is kept of them."""

import pytest
from attrs import evolve

from compiler.errors import InputError
from workers.peers.comparison import Result
from workers.peers.storage import ResultFile
from workers.peers.subjects import Form, Kind, Subject
from workers.peers.trials import Case

QFT = Case("circuits", Subject(Kind.CIRCUIT, "qft:5"), Form.GIVEN, "star:5")
OTHER = evolve(QFT, target="star:6")
DEPENDS = {"seeds": 3, "peers": ["qiskit"], "revision": None}
FOUND = [
    Result(QFT, "qiskit", 3, 1.5, 2.5, 20, 10, 30, 60, 21, None, "1", "exact", "any input", "ok"),
    Result(QFT, "tket", 1, 0.5, 0.5, verified="failed", detail="out of luck"),
]


def test_results_are_found_again_as_they_were(tmp_path):
    path = str(tmp_path / "kept.jsonl")
    kept = ResultFile(path, DEPENDS, "first")
    assert kept.of(QFT) is None
    kept.keep(QFT, FOUND)
    again = ResultFile(path, DEPENDS, "second")
    assert again.comparison == "first"
    assert again.of(QFT) == FOUND
    assert again.of(OTHER) is None


def test_half_a_line_is_not_kept(tmp_path):
    path = tmp_path / "kept.jsonl"
    ResultFile(str(path), DEPENDS, "first").keep(QFT, FOUND)
    whole = path.read_text()
    ResultFile(str(path), DEPENDS, "first").keep(OTHER, FOUND)
    path.write_text(path.read_text()[:-20])
    again = ResultFile(str(path), DEPENDS, "second")
    assert (again.of(QFT), again.of(OTHER)) == (FOUND, None)
    assert path.read_text() == whole


@pytest.mark.parametrize(
    ("depends_on", "message"),
    [
        (DEPENDS | {"seeds": 4}, "kept.jsonl: was made with other seeds; delete it or name"),
        (DEPENDS | {"revision": "x", "peers": []}, "was made with other peers, revision; delete"),
    ],
)
def test_what_depends_on_something_else_is_refused(tmp_path, depends_on, message):
    path = tmp_path / "kept.jsonl"
    ResultFile(str(path), DEPENDS, "first").keep(QFT, FOUND)
    before = path.read_text()
    with pytest.raises(InputError, match=message):
        ResultFile(str(path), depends_on, "second")
    assert path.read_text() == before


@pytest.mark.parametrize("text", ["OPENQASM 3;\n", "[1]\n", "{}\n", "7\n"])
def test_other_files_are_refused_and_left_alone(tmp_path, text):
    path = tmp_path / "circuit.qasm"
    path.write_text(text)
    with pytest.raises(InputError, match=r"circuit\.qasm: is no file of kept results"):
        ResultFile(str(path), DEPENDS, "first")
    assert path.read_text() == text
