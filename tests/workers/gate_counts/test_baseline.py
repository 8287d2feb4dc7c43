"""The file of counts: what it looks like, and what is wrong with it."""

import json
from pathlib import Path

import pytest

from compiler.errors import InputError
from workers.gate_counts.baseline import Line, baseline_text, entry_digest, read_baseline
from workers.gate_counts.counts import Counts
from workers.gate_counts.running import write_text
from workers.gate_counts.suite import suite_from_toml

SUITE = """
[[case]]
programs = ["skat-4", "ghz.qasm"]
methods = ["fast"]
[[case]]
programs = ["skat-4"]
seeds = 1
"""
EXPECTED = Path(__file__).with_name("expected.json").read_text()


def text_of(entries):
    """Return a baseline in which all entries have the same counts."""
    lines = [Line.of(entry, Counts(1, 2, 3, 4, "exact")) for entry in entries]
    return baseline_text({"qiskit": "2.6.2", "python": "3.11.2"}, lines)


def test_one_entry_a_line_and_back(folder):
    entries = suite_from_toml(SUITE, folder / "gates.toml")
    game, circuit, again = map(entry_digest, entries)
    assert game == again
    path = folder / "gate_counts.json"
    write_text(path, text_of(entries))
    assert path.read_text() == EXPECTED.replace("GAME", game).replace("CIRCUIT", circuit)
    baseline = read_baseline(path)
    assert list(baseline.lines) == [entry.key for entry in entries]
    assert {line.counts for line in baseline.lines.values()} == {Counts(1, 2, 3, 4, "exact")}
    assert sorted(item.name for item in folder.iterdir()) == ["gate_counts.json", "ghz.qasm"]


def spoil(change):
    """Return a function that changes the document."""

    def spoiled(text):
        document = json.loads(text)
        change(document)
        return json.dumps(document)

    return spoiled


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: "", "not JSON: Expecting value: line 1 column 1 (char 0)"),
        (lambda text: f"<<<<<<< HEAD\n{text}", "not JSON: Expecting value: line 1"),
        (lambda text: text[:100], "not JSON: "),
        (lambda text: "[" * 100_000, "not JSON: "),
        (lambda text: "[]", "Input should be a valid dictionary"),
        (spoil(lambda d: d.pop("versions")), "versions: Field required"),
        (
            spoil(lambda d: d["entries"][1].update(two_qubit_gates=-1)),
            "entries.1.two_qubit_gates: Input should be greater than or equal to 0",
        ),
        (spoil(lambda d: d["entries"][1].update(depth="3")), "entries.1.depth: Input should"),
        (spoil(lambda d: d["entries"][0].update(verified="surely")), "entries.0.verified"),
        (spoil(lambda d: d["entries"].append(d["entries"][0])), "skat-4 on all, fast is there"),
    ],
)
def test_damaged_files(damage, message, folder):
    path = folder / "gate_counts.json"
    path.write_text(damage(text_of(suite_from_toml(SUITE, folder / "gates.toml"))))
    with pytest.raises(InputError) as caught:
        read_baseline(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert str(caught.value).endswith("; make it anew with 'stichwerk gates update'")
    assert "\n" not in str(caught.value)
