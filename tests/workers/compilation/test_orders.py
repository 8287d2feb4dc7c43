"""Orders, checked before anything is computed."""

import pytest
from attrs import evolve

from compiler.compilation import Options
from compiler.errors import InputError, TargetError
from compiler.lowering.pipeline import passes_from_zero
from games.sources import Source
from workers.compilation.compiling import compile_order
from workers.compilation.orders import CompileOrder, plan_order


def test_a_plan_fills_in_the_size(toy, ghz):
    assert plan_order(CompileOrder(toy, "star::cz", Options("fast")))[0].target == "star:16:cz"
    assert plan_order(CompileOrder(ghz, "all", Options("fast")))[0].target == "all:3"
    with pytest.raises(TargetError, match=r"toy\.toml needs 16 qubits, target 'star:15' has 15"):
        plan_order(CompileOrder(toy, "star:15", Options("fast")))
    with pytest.raises(TargetError, match="needs 3 qubits, target 'resonator:2' has 2; try 'res"):
        plan_order(CompileOrder(ghz, "resonator:2", Options("fast")))


FRAGMENT = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[3] q;\nbit c;\nccx q[0], q[1], q[2];\n'


@pytest.mark.parametrize(
    ("more", "asked", "settled"),
    [
        ("", None, True),
        ("", False, False),
        ("", True, True),
        ("c = measure q[2];", None, False),
        ("c = measure q[2];", True, True),
    ],
)
def test_a_circuit_that_measures_nothing_is_for_any_input(more, asked, settled):
    source = Source("own.qasm", (FRAGMENT + more).encode())
    checked, _ = plan_order(CompileOrder(source, "all", Options("fast", any_input=asked)))
    assert checked.options.any_input is settled
    assert checked.options.without == ()


def test_a_circuit_that_resets_its_qubits_first_has_one_input():
    text = FRAGMENT.replace("bit c;", "reset q;")
    order = CompileOrder(Source("own.qasm", text.encode()), "all", Options("fast"))
    assert plan_order(order)[0].options.any_input is False
    with pytest.raises(InputError, match=r"own\.qasm: begins with resets, so that it has one"):
        plan_order(evolve(order, options=Options("fast", any_input=True)))


def test_a_game_begins_with_zeros(toy):
    assert plan_order(CompileOrder(toy, "all", Options("fast")))[0].options.any_input is False


@pytest.mark.parametrize("any_input", [False, True])
def test_only_any_input_takes_no_qubit_for_a_clean_ancilla(session, wide, any_input):
    order = CompileOrder(
        wide, "all:12", Options("fast", without=passes_from_zero(), any_input=any_input, seeds=1)
    )
    compilation = compile_order(session, *plan_order(order), None, lambda _: None)
    assert compilation.chosen.from_zero is not any_input
    assert compilation.any_input is any_input
