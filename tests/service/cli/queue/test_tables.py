"""Tables of jobs: they fit the terminal, and nothing in them is longer than it need be."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from service.cli.queue.jobs import print_jobs
from service.results.jobs.details import JobRow

AT = datetime(2026, 1, 31, 12, 34, 56, 789012, tzinfo=UTC)
LONG = {
    "id": 123456, "state": "at_provider", "program": "x" * 200, "target": "heavy-hex:torino",
    "backend": "braket:garnet", "shots": 100_000, "tag": "t" * 80,
    "created_at": AT, "estimated_cost_usd": Decimal("1234.567891"),
    "normalized_fidelity": 0.123456, "score": None, "rounds_begun": 0, "rounds_done": 0,
    "error": "no such\ndevice " * 20, "quarantined": None, "reserved_cost_usd": None,
    "charged_cost_usd": None,
}  # fmt: skip
SHORT = LONG | {
    "state": "done", "program": "toy.toml", "target": "star:16", "tag": None, "error": None,
    "backend": "aer", "estimated_cost_usd": None, "normalized_fidelity": None,
}  # fmt: skip


def row(fields, **more):
    return JobRow.model_construct(**fields | more)


@pytest.mark.parametrize("width", [80, 100, 160])
def test_the_list_fits_the_terminal(monkeypatch, capsys, width):
    monkeypatch.setenv("COLUMNS", str(width))
    print_jobs([row(LONG), row(SHORT)], 50, "")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 7  # title, heading with its frame, two rows, frame
    assert max(map(len, lines)) <= width
    for cell in ("123456", "at provider", "0.123", "no such", "xxxx"):
        assert cell in lines[4]
    assert ("1234.57" in lines[4]) == (width > 80)
