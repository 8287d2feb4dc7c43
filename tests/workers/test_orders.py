"""Orders, checked before anything is computed."""

import pytest

from compiler.errors import TargetError
from compiler.lowering.pipeline import passes_from_zero
from workers.compiling import compile_program, verify_compilation
from workers.orders import CompileOrder, plan


def test_a_plan_fills_in_the_size(toy, ghz):
    assert plan(CompileOrder(toy, "star::cz", "fast")).order.target == "star:16:cz"
    assert plan(CompileOrder(ghz, "all", "fast")).order.target == "all:3"
    with pytest.raises(TargetError, match=r"toy\.toml needs 16 qubits, target 'star:15' has 15"):
        plan(CompileOrder(toy, "star:15", "fast"))


def test_passes_that_use_the_start_are_left_out_for_any_input(ghz):
    checked = plan(CompileOrder(ghz, "all", "fast", without=("dont-care",), any_input=True))
    assert set(checked.order.without) == {"dont-care", *passes_from_zero()}
    assert plan(CompileOrder(ghz, "all", "fast")).order.without == ()


@pytest.mark.parametrize("any_input", [False, True])
def test_only_any_input_takes_no_qubit_for_a_clean_ancilla(session, wide, any_input):
    order = CompileOrder(
        wide, "all:12", "fast", without=passes_from_zero(), any_input=any_input, seeds=1
    )
    compilation = compile_program(session, plan(order), None, lambda _: None)
    verify_compilation(session, compilation, None, lambda _: None)
    assert compilation.chosen.from_zero is not any_input
    assert compilation.any_input is any_input
