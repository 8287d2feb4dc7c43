"""`python -m benchmarks.play_loop`: milliseconds an operation and a measurement take in a match.

Figure 1 of the paper of Quantum 6 Nimmt! shows 1 to 10 ms for applying operations and as much for
measuring. Here rounds are played by chance, and what happens to the qubits is gone through as a
match does it, each step timed alone: an operation is applied to the exact state; a measurement
computes its exact probability, draws, and collapses the state.
"""

import argparse
import statistics
from collections.abc import Iterator, Sequence
from random import Random
from time import perf_counter

from attrs import define, field

from games.six_nimmt.paths import ExactState
from games.six_nimmt.random_round import random_round
from games.six_nimmt.rules.cards import shuffled_deck
from games.six_nimmt.rules.rows import Applied, Event

BAR_MS = 0.2
"""Milliseconds that the median may take."""
PAPER = "1–10"


@define
class Times:
    """Seconds that each step took."""

    operations: list[float] = field(factory=list)
    measurements: list[float] = field(factory=list)


def events_of(rounds: int, players: int) -> Iterator[Sequence[Event]]:
    """Yield what happens to the qubits in rounds that are played by chance."""
    for seed in range(rounds):
        yield random_round("round", players, shuffled_deck(seed, 0), Random(seed)).events


def measure(rounds: int, players: int) -> Times:
    """Return how long each step of some rounds takes."""
    times, random = Times(), Random(0)
    for events in events_of(rounds, players):
        state = ExactState()
        for event in events:
            start = perf_counter()
            if isinstance(event, Applied):
                state = state.applied(event.operation, event.rows)
                times.operations.append(perf_counter() - start)
                continue
            one = state.probability_of_1(event.row)
            outcome = int(random.randrange(one.denominator) < one.numerator)
            state = state.collapsed(event.row, outcome)
            times.measurements.append(perf_counter() - start)
    return times


def line(what: str, seconds: Sequence[float]) -> str:
    """Return a line of the table."""
    median = statistics.median(seconds) * 1000
    slow = statistics.quantiles(seconds, n=100)[98] * 1000
    held = "held" if median <= BAR_MS else "missed"
    return f"{what:<12} {len(seconds):>7,} {median:>10.4f} {slow:>10.4f} {PAPER:>9}   {held}"


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser(description="Time what a match does to its qubits.")
    asked.add_argument("--rounds", type=int, default=300)
    asked.add_argument("--players", type=int, default=4)
    given = asked.parse_args()
    times = measure(given.rounds, given.players)
    print(f"{'ms':<12} {'steps':>7} {'median':>10} {'99 %':>10} {'paper':>9}   {BAR_MS} ms")
    print(line("operation", times.operations))
    print(line("measurement", times.measurements))


if __name__ == "__main__":
    main()
