"""Results that are to hold on any input are proven on any input."""

import pytest
from attrs import evolve

from compiler.compilation import Options
from compiler.compilation.proof import Claim, prove_claim
from compiler.compilation.task import Native, Task, lower
from compiler.lowering.portfolio import Attempt
from games.sources import Source, read_program

FRAGMENT = Source(
    "own.qasm",
    b'OPENQASM 3.0; include "stdgates.inc"; qubit[3] q; cx q[0], q[1]; x q[0];'
    b"ccx q[0], q[1], q[2];",
)


def made(source: Source, *, any_input: bool, encoding: str = "none") -> tuple[Task, Native]:
    attempt = Attempt("cheapest", "qiskit", 0)
    options = Options(any_input=any_input)
    task = Task(read_program(source, encoding), "all:17", options, attempt)
    return task, lower(task)


def claim(task: Task, native: Native) -> Claim:
    return Claim(task, native.native, native.logical, native.initial_layout, native.final_layout)


def test_what_holds_from_zero_only_is_refuted_on_any_input() -> None:
    task, native = made(FRAGMENT, any_input=False)
    assert prove_claim(claim(task, native))[0].verified == "exact"
    verdict, _ = prove_claim(claim(evolve(task, options=Options(any_input=True)), native))
    assert verdict.verified == "refuted"
    assert "from a random product state the distance to the original is" in verdict.detail


def test_what_holds_on_any_input_is_exact() -> None:
    task, native = made(FRAGMENT, any_input=True)
    verdict, _ = prove_claim(claim(task, native))
    assert verdict.verified == "exact"
    assert verdict.detail.startswith("equal from a random product state (off by ")
    elsewhere = evolve(native, initial_layout=native.initial_layout[::-1])
    assert prove_claim(claim(task, elsewhere))[0].verified == "refuted"


@pytest.mark.parametrize("asked", [False, True])
def test_a_game_on_any_input_is_held_to_its_operators(toy: Source, *, asked: bool) -> None:
    task, native = made(toy, any_input=asked, encoding="paper")
    assert prove_claim(claim(task, native))[0].verified == "exact"
    verdict, _ = prove_claim(claim(evolve(task, options=Options(any_input=True)), native))
    assert verdict.verified == ("exact" if asked else "refuted")


def test_what_is_too_wide_for_a_state_is_proven_by_its_blocks() -> None:
    gates = b"h q[0]; " + b"".join(b"cx q[%d], q[%d]; " % (i, i + 1) for i in range(29))
    wide = Source("wide.qasm", b'OPENQASM 3.0; include "stdgates.inc"; qubit[30] q; ' + gates)
    attempt = Attempt("cheapest", "qiskit", 0)
    task = Task(read_program(wide), "all:30", Options(any_input=True), attempt)
    verdict, _ = prove_claim(claim(task, lower(task)))
    assert verdict.verified == "exact"
    assert "equal block by block on any input" in verdict.detail
