"""Every interval that is printed holds: the rows of `python -m benchmarks.coverage`, fewer runs."""

import pytest

from benchmarks.coverage import __main__ as command
from benchmarks.coverage.rows import MAX_COVERAGE, MIN_COVERAGE, Row, covered, rows

RUNS, SLOW_RUNS = 200, 25
ROWS = [
    pytest.param(
        row,
        id=f"{row.kind}: {row.situation}",
        marks=pytest.mark.full if row.slow or number % 12 else (),
    )
    for number, row in enumerate(rows())
]


@pytest.mark.parametrize("row", ROWS)
def test_an_interval_holds_within_sampling_error(row: Row) -> None:
    found = covered(row, SLOW_RUNS if row.slow else RUNS, seed=1)
    assert not found.low, found.share
    assert (
        row.conservative
        or found.share <= MAX_COVERAGE + 2 * (MAX_COVERAGE * (1 - MAX_COVERAGE) / found.runs) ** 0.5
    )


def test_the_normal_interval_of_rare_values_is_called_too_low():
    """What the table is for: 20 shots of a value that is 100 once in a hundred."""

    def draw(random):
        shots = 100 * (random.random(20) < 0.01)
        half = 1.96 * shots.std(ddof=1) / 20**0.5
        return shots.mean() - half, shots.mean() + half, 1.0

    found = covered(Row("mean", "normal", draw), RUNS, seed=1)
    assert found.low
    assert found.share < MIN_COVERAGE / 2


@pytest.mark.parametrize(("runs", "code"), [(50, 0)])
def test_the_command_prints_a_row_for_each_situation(capsys, monkeypatch, runs, code):
    monkeypatch.setattr("sys.argv", ["coverage", "--runs", str(runs), "--kind", "training"])
    assert command.main() == code
    printed = capsys.readouterr()
    rows = [line.split(" | ") for line in printed.out.splitlines()]
    assert [(row[0], row[3]) for row in rows] == [("| training: P(win)", str(runs))] * 2
    assert printed.err.splitlines()[-1].startswith("2 of 2: training")
