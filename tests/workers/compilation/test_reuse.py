"""What is recorded of programs that use their qubits again."""

import pytest

from compiler.compilation import Options
from compiler.errors import VerificationError
from games.sources import Source
from tests.workers.unproven import recorded_unproven
from workers.compilation.compiling import compile_order, lowered_program, prove_recorded
from workers.compilation.orders import CompileOrder, plan_order
from workers.compilation.variant import variant

LADDER = Source(
    "ladder.qasm",
    b'OPENQASM 3.0; include "stdgates.inc"; qubit[5] q; bit[5] c; h q[0]; cx q[0], q[1];'
    b"cx q[1], q[2]; cx q[2], q[3]; cx q[3], q[4]; c = measure q;",
)
ORDER = CompileOrder(LADDER, "all", Options("fast", reuse_qubits=True))


def made(session, order=ORDER):
    return compile_order(session, *plan_order(order), None, lambda _: None)


def test_the_record_says_what_was_saved_and_how(session):
    compilation = made(session)
    assert (compilation.qubits_saved, compilation.target) == (3, "all:2")
    assert [len(chain) for chain in compilation.qubit_chains] == [3, 2]
    assert compilation.verified == "exact"
    assert lowered_program(compilation).circuit.num_qubits == 2


def test_a_circuit_is_proven_as_the_record_says_and_not_as_would_be_found_now(session):
    compilation = recorded_unproven(session, *plan_order(ORDER))
    compilation.qubit_chains = [[0, 1, 2, 3], [4]]
    with pytest.raises(VerificationError):
        prove_recorded(session, compilation, None, lambda _: None)
    assert compilation.program_verified == "refuted"


def test_compilations_with_and_without_it_are_not_compared():
    usual = {"objective": "two_qubit_gates", "without": [], "any_input": False}
    assert variant(**usual, reuse_qubits=False) == ""
    assert variant(**usual, reuse_qubits=True) == "re-used qubits"
