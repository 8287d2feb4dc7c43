"""What a Grover iterate adds to its program, as suites count it, and the bar it is held to."""

from math import inf
from pathlib import Path

import pytest

from workers.gate_counts.baseline import read_baseline
from workers.gate_counts.counts import Counts
from workers.gate_counts.iterates import Iterate, iterates

ROOT = Path(__file__).parents[3]
BAR = 2.6
"""Programs with their flag on a qubit that an iterate may add."""


def counts(two_qubit_gates):
    return Counts(two_qubit_gates, 1, 1, 1, "exact")


def test_an_iterate_is_measured_by_the_program_and_by_what_goes_on_from_it():
    found = iterates({
        ("amplified:lists:win:2:toy", "default", "star", "fast"): counts(50),
        ("amplified:lists:win:0:toy", "default", "star", "fast"): counts(10),
        ("amplified:lists:win:1:toy", "default", "all", "fast"): counts(40),
        ("toy", "lists", "star", "fast"): counts(10),
        ("toy", "lists", "star", "best"): counts(12),
        ("toy", "lists-win", "star", "fast"): counts(25),
        ("toy", "listsome", "star", "fast"): counts(1),
        ("other", "lists", "star", "fast"): counts(1),
    })  # fmt: skip
    program = "amplified:lists:win:2:toy"
    assert found == [
        Iterate(program, "star", 20, "lists", 10), Iterate(program, "star", 20, "lists-win", 25)
    ]  # fmt: skip
    assert [one.programs for one in found] == [2, 0.8]


@pytest.mark.parametrize(
    ("counted", "targets"),
    [
        (
            "gate_counts.json",
            {("skat-4", "all"), ("skat-4", "star"), ("skat-4", "heavy-hex:torino"),
             ("skat-9", "all")},
        ),
        (
            "benchmarks/long_gates/gate_counts.json",
            {("skat-9", "star"), ("skat-9", "heavy-hex:torino")},
        ),
    ],
)  # fmt: skip
def test_committed_iterates_keep_the_bar(counted, targets):
    lines = read_baseline(ROOT / counted).lines
    found = iterates({key: line.counts for key, line in lines.items()})
    assert {(one.program.split(":")[-1], one.target) for one in found} == targets
    least: dict[tuple[str, str], float] = {}
    for one in found:
        with_flag = least.get((one.program, one.target), inf)
        least[one.program, one.target] = min(with_flag, one.programs)
    assert max(least.values()) <= BAR
    amplified = [line for key, line in lines.items() if key[0].startswith("amplified:")]
    assert {line.verified for line in amplified} == {"exact"}
