"""Coverage of each interval: `python -m benchmarks.coverage`.

A row is a kind of interval in a situation whose truth is known: few shots, rare values, values
near the ends of their range, many outcomes. An interval of 95 % is to hold in 93 to 97 % of all
runs. Where it holds more often, the row says why; where it holds less often the exit code is 1.
"""

import argparse
import sys

from benchmarks.coverage.rows import Coverage, covered, rows

RUNS, SLOW = 1000, 5
"""Runs of a row, and by how much fewer those are of a slow one."""


def main() -> int:
    """Print the table, and return 1 if an interval holds too seldom."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="of each row; a fifth of slow ones")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", default="", help="only kinds with this in their name")
    options = parser.parse_args()
    if options.runs < SLOW:
        parser.error(f"--runs {options.runs}: take {SLOW} or more")
    chosen = [row for row in rows() if options.kind in row.kind]
    results = []
    for number, row in enumerate(chosen, start=1):
        progress = f"{number} of {len(chosen)}: {row.kind}, {row.situation}"
        print(progress, file=sys.stderr, flush=True)
        result = covered(row, options.runs // SLOW if row.slow else options.runs, options.seed)
        results.append(result)
        print(line(result), flush=True)
    return int(any(result.low for result in results))


def line(result: Coverage) -> str:
    """Return a row of the table."""
    remark = "holds too seldom" if result.low else result.row.conservative if result.high else ""
    return (
        f"| {result.row.kind} | {result.row.situation} | {result.share:.1%} | {result.runs} | "
        f"{result.width:.3g} | {remark} |"
    )


if __name__ == "__main__":
    sys.exit(main())
