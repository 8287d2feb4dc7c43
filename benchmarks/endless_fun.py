"""How long evaluations of Endless Fun take.

Run `python -m benchmarks.endless_fun`; it takes some seconds. Every evaluation is of another
random round: exact end state, exact probabilities of one measurement, and the exact probability
that each state wins. The bar is for the most processor time that one takes, which other programs
on the machine change little.
"""

import argparse
import json
from random import Random
from statistics import median
from time import perf_counter, process_time

from games.endless_fun.rules.gates import GATES
from games.endless_fun.rules.round import Round
from games.endless_fun.rules.state import end_state
from games.endless_fun.rules.winning import MEASUREMENTS, winning_chances, wins_by_rank

LIMIT_MS = 100.0
ROWS = 6


def random_round(random: Random, dimension: int, qudits: int) -> Round:
    """Return a full table of cards, none of them an identity."""
    rows = [
        [
            random.choice([g for g in GATES[dimension] if g != "I" and 0 <= at + g.reach < qudits])
            for at in range(qudits)
        ]
        for _ in range(ROWS)
    ]
    return Round(dimension, (0,) * qudits, rows)


def timed(played: Round) -> tuple[float, float, int]:
    """Return wall and processor seconds of an evaluation, and how many states there are."""
    # A program that looks at many rounds keeps these; here each one starts anew.
    wins_by_rank.cache_clear()
    began, worked = perf_counter(), process_time()
    state = end_state(played)
    state.probabilities()
    winning = winning_chances(state, MEASUREMENTS)
    winning.expected_points()
    return perf_counter() - began, process_time() - worked, len(winning.weights)


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=50, help="evaluations of each size")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    rows = []
    for dimension, qudits in ((2, 7), (3, 4), (3, 7)):
        random = Random(f"{asked.seed} {dimension} {qudits}")
        times = [timed(random_round(random, dimension, qudits)) for _ in range(asked.rounds)]
        # All basis states at once: the most that there can be.
        widest = Round(dimension, (0,) * qudits, [[GATES[dimension][1]] * qudits])
        times.append(timed(widest))
        wall = sorted(1000 * one[0] for one in times)
        rows.append({
            "round": f"{qudits} qudits, {dimension}D, {ROWS} rows, n = {MEASUREMENTS}",
            "median_ms": median(wall),
            "most_ms": wall[-1],
            "most_processor_ms": max(1000 * one[1] for one in times),
            "most_states": max(one[2] for one in times),
            "held": max(one[1] for one in times) < LIMIT_MS / 1000,
        })  # fmt: skip
    if asked.json:
        print(json.dumps({"limit_ms": LIMIT_MS, "rounds": rows}, indent=2))
        return
    print(f"{'evaluation':<40}{'median ms':>10}{'most ms':>10}{'processor':>10}   {LIMIT_MS:g} ms")
    for row in rows:
        held = "held" if row["held"] else "not held"
        print(
            f"{row['round']:<40}{row['median_ms']:>10.1f}{row['most_ms']:>10.1f}"
            f"{row['most_processor_ms']:>10.1f}   {held}"
        )


if __name__ == "__main__":
    main()
