"""A comparison as a table."""

from pathlib import Path

from service.cli.gates.answers import COLUMNS, added, changed_rows, headline, versions_text
from service.cli.output.printing import print_table
from workers.gate_counts.checking import Check


def print_check(done: Check, baseline: Path, seconds: float) -> None:
    """Print what has changed, and how many entries have not."""
    rows = changed_rows(done)
    if rows:
        print_table(f"Gate counts against {baseline}", COLUMNS, rows)
    if found := added(done):
        print_table(
            "What a Grover iterate adds, in two-qubit gates and in programs",
            ("amplified program", "target", "it adds", "encoding", "the program's", "programs"),
            [
                (one.program, one.target, f"{one.adds:g}", one.encoding, one.own,
                 f"{one.programs:.2f}")
                for one in found
            ],
        )  # fmt: skip
    if versions := versions_text(done):
        print(f"other versions than the baseline's, which may be why: {versions}")
    print(f"{headline(done)}; {seconds:.1f} s")
