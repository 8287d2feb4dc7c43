"""The suites of `bench`: the quick one is the toy, and the full one leaves out nothing of it."""

import pytest

from compiler.lowering.portfolio import SEEDS
from workers.jobs.bench_suites import FULL, QUICK

TARGETS = ["all:17", "star:17", "heavy-hex:torino"]


def what(case):
    return case.program, case.target, case.method


def test_quick_compiles_the_toy_at_its_best_and_literally():
    kinds = [what(case) for case in QUICK]
    assert kinds == [("skat-4", target, how) for how in ("best", "literal") for target in TARGETS]


def test_full_runs_all_that_quick_runs_with_as_many_seeds_or_more():
    full = {what(case): case for case in FULL}
    assert len(full) == len(FULL)
    for case in QUICK:
        assert set(full[what(case)].runs) >= set(case.runs)
        assert full[what(case)].seeds >= case.seeds
    assert {case.seeds for case in FULL} == {SEEDS}


@pytest.mark.parametrize("case", QUICK, ids=what)
def test_an_order_says_what_its_case_says(case):
    order = case.order(3, "tag")
    options = order.options
    assert (order.source.name, order.target, options.method) == what(case)
    assert (options.seed, options.seeds, order.batch) == (3, case.seeds, "tag")
