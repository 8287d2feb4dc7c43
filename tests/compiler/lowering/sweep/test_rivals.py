"""Quick attempts on any input: never more gates than Qiskit's level 3 leaves by itself."""

import pytest

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.sweep.rivals import best_of, stock
from compiler.lowering.sweep.sabre_sweep import sabre_sweep
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec

from ..routed_drafts import assert_does_the_same

TORINO = target_from_spec("heavy-hex:torino")


@pytest.mark.parametrize("spec", ["qft:5", "ghz:8", "random-cx:7", "quantum-volume:6"])
def test_a_quick_attempt_takes_no_more_gates_than_qiskit(spec):
    circuit = circuit_from_spec(spec, 1)
    setting = Setting(TORINO, any_input=True, quick=True)
    draft = Draft.of(circuit)
    made, theirs = sabre_sweep.run(draft, setting), stock(draft, setting)
    assert made.circuit.num_nonlocal_gates() <= theirs.circuit.num_nonlocal_gates()
    assert_does_the_same(circuit, made, TORINO)
    assert_does_the_same(circuit, theirs, TORINO)


@pytest.mark.parametrize("objective", ["two_qubit_gates", "two_qubit_depth", "expected_fidelity"])
def test_the_best_by_the_objective_is_taken_and_the_first_of_equals(objective):
    circuit = circuit_from_spec("ghz:5", 0)
    setting = Setting(TORINO, any_input=True, objective=objective)
    good = stock(Draft.of(circuit), setting)
    again = stock(Draft.of(circuit), setting)
    bad = stock(Draft.of(circuit_from_spec("qft:5", 0)), setting)
    assert best_of([bad, good, again], setting) is good
    assert best_of([bad], setting) is bad
