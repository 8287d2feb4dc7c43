"""A comparison as a table."""

from pathlib import Path

from service.cli.gates.answers import COLUMNS, changed_rows, headline, versions_text
from service.cli.output.printing import print_table
from workers.gate_counts.checking import Check


def print_check(done: Check, baseline: Path, seconds: float) -> None:
    """Print what has changed, and how many entries have not."""
    rows = changed_rows(done)
    if rows:
        print_table(f"Gate counts against {baseline}", COLUMNS, rows)
    if versions := versions_text(done):
        print(f"other versions than the baseline's, which may be why: {versions}")
    print(f"{headline(done)}; {seconds:.1f} s")
