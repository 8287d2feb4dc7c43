"""Results that are to hold on any input are proven on any input."""

import pytest
from attrs import evolve

from compiler.compilation import Options
from compiler.compilation.candidate import Candidate, lower
from compiler.compilation.plan import Plan
from compiler.compilation.proof import prove
from compiler.lowering.draft import no_clock
from compiler.lowering.portfolio import Attempt
from compiler.verification.program import Verdict
from games.sources import Source, read_program

FRAGMENT = Source(
    "own.qasm",
    b'OPENQASM 3.0; include "stdgates.inc"; qubit[3] q; cx q[0], q[1]; x q[0];'
    b"ccx q[0], q[1], q[2];",
)


def made(source: Source, *, any_input: bool, encoding: str = "none") -> tuple[Plan, Candidate]:
    attempt = Attempt("cheapest", "qiskit", 0)
    options = Options(any_input=any_input)
    plan = Plan(read_program(source, encoding), "all:17", options)
    return plan, lower(plan, no_clock, attempt)


def verdict_on(candidate: Candidate, plan: Plan, **changes: object) -> Verdict:
    verdict = prove(evolve(plan, **changes), no_clock, candidate).verdict
    assert verdict is not None
    return verdict


def test_what_holds_from_zero_only_is_refuted_on_any_input() -> None:
    plan, candidate = made(FRAGMENT, any_input=False)
    assert verdict_on(candidate, plan).verified == "exact"
    verdict = verdict_on(candidate, plan, options=Options(any_input=True))
    assert verdict.verified == "refuted"
    assert "from a random product state the distance to the original is" in verdict.detail


@pytest.mark.parametrize("asked", [False, True])
def test_a_game_on_any_input_is_held_to_its_operators(toy: Source, *, asked: bool) -> None:
    plan, candidate = made(toy, any_input=asked, encoding="paper")
    assert verdict_on(candidate, plan).verified == "exact"
    verdict = verdict_on(candidate, plan, options=Options(any_input=True))
    assert verdict.verified == ("exact" if asked else "refuted")


def test_what_is_too_wide_for_a_state_is_proven_by_its_blocks() -> None:
    gates = b"h q[0]; " + b"".join(b"cx q[%d], q[%d]; " % (i, i + 1) for i in range(29))
    wide = Source("wide.qasm", b'OPENQASM 3.0; include "stdgates.inc"; qubit[30] q; ' + gates)
    attempt = Attempt("cheapest", "qiskit", 0)
    plan = Plan(read_program(wide), "all:30", Options(any_input=True))
    verdict = verdict_on(lower(plan, no_clock, attempt), plan)
    assert verdict.verified == "exact"
    assert "equal block by block on any input" in verdict.detail
