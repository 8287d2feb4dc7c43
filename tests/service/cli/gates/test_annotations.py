"""Findings of the gate as annotations, whose parts nothing in a program's name can end."""

from pathlib import Path

from service.cli.gates.command import MAX_ANNOTATIONS, annotations
from workers.gate_counts.baseline import Check, Row
from workers.gate_counts.counts import Change, Counts, Verdict

SUITE = Path("circuits/gates.toml")
COUNTS = Path("circuits/gate_counts.json")
BEFORE, AFTER = Counts(4, 3, 9, 20, "exact"), Counts(5, 3, 9, 21, "exact")


def row(change, program="ghz.qasm", why=("more two-qubit gates",), **given):
    key = (program, "default", "star", "fast")
    return Row(key, given.get("before", BEFORE), given.get("after", AFTER), Verdict(change, why))


def test_each_finding_stands_at_its_line(tmp_path, monkeypatch):
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    monkeypatch.chdir(tmp_path)
    SUITE.parent.mkdir()
    SUITE.write_text('seed = 0\nprograms = [\n  "ghz.qasm",\n  "qft.qasm",\n]\n')
    COUNTS.write_text(
        '{\n{"program": "a", "target": "all"},\n{"program": "a", "target": "star"}\n}'
    )
    done = Check(
        [
            row(Change.SAME),
            row(Change.WORSE),
            row(Change.UNPROVEN, "qft.qasm", (), after=BEFORE),
            row(Change.MISSING, "a", ("the suite does not name it",), after=None),
        ],
        {},
    )
    assert annotations(done, SUITE, COUNTS) == [
        "::error file=circuits/gates.toml,line=3,title=Gate counts%3A worse::ghz.qasm on star, "
        "fast: more two-qubit gates",
        "::error file=circuits/gate_counts.json,line=3,title=Gate counts%3A missing::a on star, "
        "fast: the suite does not name it",
        "::warning file=circuits/gates.toml,line=4,title=Gate counts%3A unproven::qft.qasm on "
        "star, fast: unproven",
    ]
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "circuits"))
    assert annotations(done, SUITE, COUNTS)[0].startswith("::error file=gates.toml,line=3,")


def test_nothing_in_a_name_ends_a_part(tmp_path):
    suite = tmp_path / "a,b:100%.toml"
    hostile = "x\n::error file=y::%0A\r,z"
    done = Check([row(Change.WORSE, hostile)], {})
    (line,) = annotations(done, suite, COUNTS)
    assert line.isprintable()
    assert "a%2Cb%3A100%25.toml,line=1,title=" in line
    assert line.partition(",title=Gate counts%3A worse::")[2].startswith(
        "x%0A::error file=y::%250A%0D,z on star"
    )


def test_no_more_are_told_than_are_shown():
    done = Check([row(Change.WORSE, f"{place}.qasm") for place in range(MAX_ANNOTATIONS + 5)], {})
    lines = annotations(done, SUITE, COUNTS)
    assert len(lines) == MAX_ANNOTATIONS
    assert lines[-1].endswith("title=Gate counts::6 more; see the summary of this run")
    exact = Check(done.rows[:MAX_ANNOTATIONS], {})
    assert all("worse" in line for line in annotations(exact, SUITE, COUNTS))
