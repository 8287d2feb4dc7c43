"""Results that are to hold on any input are proven on any input."""

import pytest
from attrs import evolve

from compiler.lowering.portfolio import Attempt
from compiler.workload import Source
from workers.attempts import Claim, Native, Request, lower, verify

FRAGMENT = Source(
    "own.qasm",
    b'OPENQASM 3.0; include "stdgates.inc"; qubit[3] q; cx q[0], q[1]; x q[0];'
    b"ccx q[0], q[1], q[2];",
)


def made(source: Source, *, any_input: bool, encoding: str = "none") -> tuple[Request, Native]:
    attempt = Attempt("cheapest", "qiskit", 0)
    request = Request(source, encoding, "all:17", attempt, any_input=any_input)
    return request, lower(request)


def claim(request: Request, native: Native) -> Claim:
    return Claim(request, native.native, native.logical, native.initial_layout, native.final_layout)


def test_what_holds_from_zero_only_is_refuted_on_any_input() -> None:
    request, native = made(FRAGMENT, any_input=False)
    assert verify(claim(request, native))[0].verified == "exact"
    verdict, _ = verify(claim(evolve(request, any_input=True), native))
    assert verdict.verified == "refuted"
    assert "from a random product state the distance to the original is" in verdict.detail


def test_what_holds_on_any_input_is_exact() -> None:
    request, native = made(FRAGMENT, any_input=True)
    verdict, _ = verify(claim(request, native))
    assert (verdict.verified, verdict.detail) == ("exact", "equal from a random product state")
    elsewhere = evolve(native, initial_layout=native.initial_layout[::-1])
    assert verify(claim(request, elsewhere))[0].verified == "refuted"


@pytest.mark.parametrize("asked", [False, True])
def test_a_game_on_any_input_is_held_to_its_operators(toy: Source, *, asked: bool) -> None:
    request, native = made(toy, any_input=asked, encoding="paper")
    assert verify(claim(request, native))[0].verified == "exact"
    verdict, _ = verify(claim(evolve(request, any_input=True), native))
    assert verdict.verified == ("exact" if asked else "refuted")


def test_what_is_too_wide_for_any_input_is_not_called_exact() -> None:
    gates = b"h q[0]; " + b"".join(b"cx q[%d], q[%d]; " % (i, i + 1) for i in range(29))
    wide = Source("wide.qasm", b'OPENQASM 3.0; include "stdgates.inc"; qubit[30] q; ' + gates)
    request = Request(wide, "none", "all:30", Attempt("cheapest", "qiskit", 0), any_input=True)
    verdict, _ = verify(claim(request, lower(request)))
    assert verdict.verified == "unverified"
    assert "30 qubits are more than the 24 of a dense state" in verdict.detail
