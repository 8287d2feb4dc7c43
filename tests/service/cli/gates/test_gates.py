"""The commands `gates check` and `gates update`, on a circuit of three qubits."""

import html
import json
import re
from contextlib import contextmanager

import pytest

from compiler.compilation import Listener
from compiler.lowering.draft import Draft
from compiler.lowering.qiskit_level_3 import after, level_3
from workers.gate_counts import running

SUITE = 'programs = ["ghz.qasm"]\ntargets = ["star"]\nmethods = ["fast"]\n'
QUICK = ("--processes", "1", "--no-cache")


@contextmanager
def this_process(_processes):
    """Stand for a pool: processes of their own would not know the pipelines of a test."""
    yield Listener()


@pytest.fixture(autouse=True)
def suite(folder, monkeypatch):
    """A suite of one circuit, compiled in this process."""
    monkeypatch.setattr(running, "fixed_pool", this_process)
    # It would take out what makes a pipeline worse.
    monkeypatch.setattr("compiler.compilation.candidate.refinements", {})
    (folder / "ghz2.qasm").rename(folder / "ghz.qasm")
    (folder / "gates.toml").write_text(SUITE)


def good(draft, setting):
    """Lower as Qiskit does."""
    return after(draft, level_3(draft.circuit, setting.target, setting.seed))


def worse(draft, setting):
    """Lower as Qiskit does, and add two gates that undo each other."""
    made = good(draft, setting)
    circuit = made.circuit.copy()
    circuit.cx(0, 1)
    circuit.cx(0, 1)
    return Draft(circuit, made.initial_layout, made.final_layout, made.measured)


def wrong(draft, setting):
    """Lower as Qiskit does, and flip a qubit."""
    made = good(draft, setting)
    circuit = made.circuit.copy()
    circuit.x(0)
    return Draft(circuit, made.initial_layout, made.final_layout, made.measured)


@pytest.fixture
def held(stichwerk, only_pipelines, folder):
    """Write down the counts of `good`, and return the file."""
    only_pipelines(good=good)
    assert stichwerk("gates", "update", *QUICK).code == 0
    return folder / "gate_counts.json"


def counts(path):
    """Return the figures of the only entry."""
    (entry,) = json.loads(path.read_text())["entries"]
    return entry


def test_nothing_has_changed(stichwerk, held):
    done = stichwerk("gates", "check", *QUICK)
    assert done.code == 0
    assert done.out.startswith("Gate check passed. Gate counts: 1 same; ")
    assert re.fullmatch(
        r"ghz\.qasm on star, fast, any input: 2 two-qubit gates, exact \(1 of 1, \d+ s\)\n",
        done.err,
    )


def test_a_worse_pipeline_is_named_with_its_numbers(stichwerk, held, only_pipelines):
    before = held.read_bytes()
    only_pipelines(worse=worse)
    done = stichwerk("gates", "check", *QUICK)
    assert done.code == 1
    (row,) = (line for line in done.out.splitlines() if "ghz.qasm" in line)
    cells = [cell.strip() for cell in row.strip("│").split("│")]
    assert cells[:6] == ["worse", "ghz.qasm", "", "star", "fast, any input", "2 → 4"]
    assert "two-qubit gates 2 → 4" in cells[-1]
    assert "1 worse; " in done.out
    assert held.read_bytes() == before


def test_a_better_pipeline_passes_with_a_hint(stichwerk, held, only_pipelines):
    only_pipelines(worse=worse)
    assert stichwerk("gates", "update", *QUICK).code == 0
    assert counts(held)["two_qubit_gates"] == 4
    only_pipelines(good=good)
    done = stichwerk("gates", "check", *QUICK)
    assert done.code == 0
    assert "2q gates" in done.out
    assert "4 → 2" in done.out
    assert done.err.endswith(
        "gate_counts.json can be brought up to date: run 'stichwerk gates update' and commit it\n"
    )
    done = stichwerk("gates", "update", *QUICK)
    assert "better" in done.out
    assert done.err.endswith("gate_counts.json is written: 1 entry\n")
    assert counts(held)["two_qubit_gates"] == 2


def test_a_wrong_circuit_is_worse_and_never_written_down(stichwerk, held, only_pipelines):
    before = held.read_bytes()
    only_pipelines(wrong=wrong)
    done = stichwerk("gates", "check", *QUICK)
    assert done.code == 1
    assert "every candidate is proven wrong" in " ".join(done.out.split())
    assert "gates update" not in done.err
    done = stichwerk("gates", "update", *QUICK)
    assert done.code == 1
    assert done.err.endswith("gate_counts.json is not written: 1 of 1 entry failed\n")
    assert held.read_bytes() == before


def test_new_and_missing_entries(stichwerk, held, folder):
    suite = folder / "gates.toml"
    suite.write_text(SUITE.replace('"star"', '"star", "all"'))
    done = stichwerk("gates", "check", *QUICK)
    assert (done.code, "1 new, 1 same; " in done.out) == (0, True)
    assert "run 'stichwerk gates update'" in done.err
    suite.write_text(SUITE.replace('"star"', '"all"'))
    done = stichwerk("gates", "check", *QUICK)
    assert (done.code, "1 missing, 1 new; " in done.out) == (1, True)
    assert "run 'stichwerk gates update'" in done.err
    assert "the suite does not name it" in done.out
    assert stichwerk("gates", "update", *QUICK).code == 0
    assert counts(held)["target"] == "all"


def test_other_versions_are_told(stichwerk, held):
    document = json.loads(held.read_text())
    now = document["versions"]["qiskit"]
    document["versions"]["qiskit"] = "1.0.0"
    held.write_text(json.dumps(document))
    done = stichwerk("gates", "check", *QUICK)
    assert done.code == 0
    assert f": qiskit 1.0.0 → {now}\n" in done.out
    assert "qiskit 1.0.0 → " in html.unescape(
        stichwerk("gates", "check", *QUICK, "--format", "github").out
    )


def entry_of(stichwerk):
    """Return the exit code of a check, and its only entry."""
    done = stichwerk("gates", "check", *QUICK, "--json")
    (entry,) = json.loads(done.out)["entries"]
    return done.code, entry


def test_another_program_under_the_same_name_is_changed(stichwerk, held, folder):
    path = folder / "ghz.qasm"
    before = counts(held)["digest"]
    path.write_text(path.read_text().replace("cx q[1], q[2];", "cx q[1], q[2]; cx q[2], q[0];"))
    code, entry = entry_of(stichwerk)
    assert (code, entry["change"]) == (1, "changed")
    assert entry["after"]["two_qubit_gates"] == 6
    assert stichwerk("gates", "update", *QUICK).code == 0
    now = counts(held)["digest"]
    assert entry["reasons"][0] == f"another program, digest {before} → {now}"
    code, entry = entry_of(stichwerk)
    assert (code, entry["change"]) == (0, "same")


def test_a_file_with_conflicts_is_refused_and_made_anew(stichwerk, held):
    good_text = held.read_text()
    held.write_text(f"<<<<<<< HEAD\n{good_text}")
    done = stichwerk("gates", "check", *QUICK)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("stichwerk: gate_counts.json: not JSON: ")
    assert done.err.endswith("; make it anew with 'stichwerk gates update'\n")
    done = stichwerk("gates", "update", *QUICK)
    assert done.code == 0
    assert "the old baseline is ignored: gate_counts.json: not JSON: " in done.err
    assert held.read_text() == good_text


def test_markdown_is_for_a_pull_request(stichwerk, held, only_pipelines, folder):
    name = "a|b`c<i>_*[x](y).qasm"
    (folder / "ghz.qasm").rename(folder / name)
    (folder / "gates.toml").write_text(SUITE.replace("ghz.qasm", name))
    assert stichwerk("gates", "update", *QUICK).code == 0
    only_pipelines(worse=worse)
    done = stichwerk("gates", "check", *QUICK, "--format", "github")
    assert done.code == 1
    heading, _, summary, _, columns, rule, row, *_ = done.out.splitlines()
    assert heading == "### Gate counts: worse"
    assert summary == "1 worse, against <code>gate&#95;counts.json</code>."
    cells = [line.strip("| ").split(" | ") for line in (columns, rule, row)]
    assert [len(line) for line in cells] == [11, 11, 11]
    assert cells[2][0] == "**worse**"
    assert html.unescape(cells[2][1]) == f"<code>{name}</code>"
    assert cells[2][5] == "2 → 4"
    assert "run <code>stichwerk gates update</code>, commit" in done.out


REFUSED = '[[case]]\nprograms = ["bad.qasm", "worse.qasm"]\ntargets = ["star", "all"]\n'


def test_programs_that_must_be_refused(stichwerk, held, folder):
    (folder / "bad.qasm").write_text("OPENQASM 3.0; nope;")
    (folder / "worse.qasm").write_text("qubit")
    suite = folder / "gates.toml"
    suite.write_text(f'[[case]]\n{SUITE}{REFUSED}expect = "refused"\nmethods = ["fast"]\n')
    before = held.read_bytes()
    done = stichwerk("gates", "check", *QUICK, "--json")
    assert (done.code, json.loads(done.out)["changes"]["same"]) == (0, 5)
    assert stichwerk("gates", "update", *QUICK).code == 0
    assert held.read_bytes() == before
    (folder / "bad.qasm").write_text((folder / "ghz.qasm").read_text())
    done = stichwerk("gates", "check", *QUICK, "--json")
    assert (done.code, json.loads(done.out)["changes"]["worse"]) == (1, 2)
