"""Passes keep what they say they keep, and pipelines end where they must."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.circuit.library import StatePreparation, XGate
from qiskit.circuit.random import random_circuit

from compiler.errors import LoweringError, UnknownNameError
from compiler.lowering import Draft, Pass, Pipeline, Property, Setting, pipelines
from compiler.lowering.methods import synthesis
from compiler.lowering.native import translation
from compiler.lowering.passes import ALL
from compiler.lowering.pipeline import (
    check_optional,
    optional_passes,
    passes_from_zero,
    refinements,
    run_passes,
)
from compiler.lowering.qiskit_level_3 import level_3, qiskit_level_3
from compiler.lowering.state_peephole.two_qubit import state_peephole
from compiler.targets import target_from_spec
from compiler.verification.equivalence import verify_equivalent
from compiler.verification.program import require_native
from compiler.verification.simulation.exact import exact_state
from tests.independent import require_same_unitary

EVERY = {
    step.name: step
    for steps in [*(entry.passes for entry in pipelines.values()), refinements.values()]
    for step in steps
}
KEEPING = [
    pytest.param(step, spec, id=f"{step.name}-{spec}")
    for spec in ("star:6:cz", "heavy-hex:torino", "all:5:iqm")
    for step in EVERY.values()
    if step.preserves == ALL and step.suits(target_from_spec(spec))
]


@pytest.mark.parametrize(("step", "spec"), KEEPING)
def test_what_preserves_everything_leaves_native_circuits_native(step, spec):
    target = target_from_spec(spec)
    circuit = random_circuit(5, 6, max_operands=2, seed=3)
    draft = level_3(circuit, target, 1)
    after = step.run(draft, Setting(target, budget=10))
    require_native(after.circuit, target)
    assert after.circuit.num_nonlocal_gates() <= draft.circuit.num_nonlocal_gates()
    before, found = exact_state(draft.circuit), exact_state(after.circuit)
    places = list(draft.final_layout), list(after.final_layout)
    assert found.probabilities(places[1]) == pytest.approx(before.probabilities(places[0]))


@pytest.mark.parametrize("step", EVERY.values(), ids=lambda step: step.name)
def test_a_pass_that_may_be_left_out_establishes_nothing(step):
    assert step.optional == (not step.establishes)
    assert (step.name in optional_passes()) is step.optional
    assert (step.name in passes_from_zero()) is step.from_zero
    assert step.optional or not step.from_zero


@pytest.mark.parametrize(
    ("passes", "missing"),
    [
        ([synthesis], "layout, native, routing"),
        ([synthesis, translation], "layout, routing"),
        (
            [synthesis, qiskit_level_3, Pass("shuffle", lambda draft, _: draft)],
            "gates, layout, native, routing",
        ),
        (
            [synthesis, qiskit_level_3, Pass("loosen", None, preserves=ALL - {Property.ROUTING})],
            "routing",
        ),
    ],
)
def test_pipelines_that_do_not_get_there_are_refused(passes, missing):
    with pytest.raises(LoweringError, match=f"'lost' does not establish {missing}"):
        Pipeline(name="lost", passes=passes)


def test_pipelines_begin_with_synthesis():
    with pytest.raises(LoweringError, match="does not begin with 'synthesise'"):
        Pipeline(name="lost", passes=[qiskit_level_3])


def test_a_pass_can_be_left_out_and_says_what_it_did():
    target = target_from_spec("star:5")
    circuit = random_circuit(4, 5, max_operands=2, seed=2)
    whole, steps = run_passes(pipelines["qiskit"].passes, Draft.of(circuit), Setting(target))
    names = [step.name for step in pipelines["qiskit"].passes if step.suits(target)]
    assert [step.name for step in steps] == names
    assert steps[-1].two_qubit_gates == whole.circuit.num_nonlocal_gates()
    setting = Setting(target, without=["state-peephole"])
    _, fewer = run_passes(pipelines["qiskit"].passes, Draft.of(circuit), setting)
    assert [step.name for step in fewer] == [name for name in names if name != "state-peephole"]
    assert not any(step.from_zero for step in fewer)


def test_wide_gates_are_decomposed_for_a_known_input_only():
    """Qiskit takes qubits that nothing has touched for clean ancillas."""
    circuit = random_circuit(5, 3, num_operand_distribution={3: 1.0}, seed=1)
    target = target_from_spec("star:6")
    _, steps = run_passes([synthesis, qiskit_level_3], Draft.of(circuit), Setting(target))
    assert [(step.two_qubit_gates is None, step.from_zero) for step in steps] == [
        (True, False),
        (False, True),
    ]


def test_steps_say_what_each_pass_left():
    circuit = random_circuit(5, 3, num_operand_distribution={2: 0.5, 3: 0.5}, seed=3)
    setting = Setting(target_from_spec("star:6"))
    passes = [step for step in pipelines["qiskit"].passes if step.suits(setting.target)]
    _, steps = run_passes(passes, Draft.of(circuit), setting)
    draft = Draft.of(circuit)
    for step, left in zip(passes, steps, strict=True):
        draft = step.run(draft, setting)
        gates = draft.circuit.num_nonlocal_gates()
        depth = draft.circuit.depth(lambda item: len(item.qubits) > 1)
        wide = any(len(item.qubits) > 2 for item in draft.circuit.data)
        expected = (None, None) if wide else (gates, depth)
        assert (left.two_qubit_gates, left.two_qubit_depth) == expected
    assert steps[0].two_qubit_gates is None
    assert steps[-1].two_qubit_depth > 0


def test_each_pass_is_timed_alone():
    ticks = iter(range(1000))
    setting = Setting(
        target_from_spec("star:6"), without=["state-peephole"], clock=lambda: float(next(ticks))
    )
    circuit = random_circuit(5, 3, max_operands=2, seed=3)
    lowered = pipelines["qiskit"].lower(circuit, setting)
    assert "state-peephole" not in [step.name for step in lowered.steps]
    assert [step.seconds for step in lowered.steps] == [1.0] * len(lowered.steps)
    assert next(ticks) == 2 * len(lowered.steps)


def own_circuit():
    """Return a circuit with what Qiskit, or whoever goes by names, gets wrong on some input."""
    mine = QuantumCircuit(2)
    mine.ry(0.3, 0)
    mine.swap(0, 1)
    gate = Gate("cx", 2, [])
    gate.definition = mine
    circuit = random_circuit(5, 3, num_operand_distribution={2: 0.5, 3: 0.5}, seed=4)
    circuit.append(gate, [0, 3])
    circuit.append(StatePreparation([0.6, 0, 0, 0.8j]), [1, 2])
    circuit.append(XGate().control(3), [4, 3, 2, 0])
    return circuit


@pytest.mark.parametrize("name", ["qiskit", "tket-qiskit", "hub", "sweep", "mirror"])
def test_any_input_means_any_input(name):
    circuit = own_circuit()
    target = target_from_spec("star:6")
    setting = Setting(target, seed=1, budget=10, any_input=True)
    lowered = pipelines[name].lower(circuit, setting)
    assert not lowered.from_zero
    assert not {step.name for step in lowered.steps} & {*passes_from_zero()}
    draft = Draft(lowered.circuit, lowered.initial_layout, lowered.final_layout)
    better, steps = run_passes([*refinements.values(), state_peephole], draft, setting)
    assert better.circuit == draft.circuit
    assert steps == ()
    at = lowered.initial_layout, lowered.final_layout
    require_same_unitary(circuit, lowered.circuit, *at)
    assert verify_equivalent(circuit, draft, target).verified == "exact"


def test_unknown_passes_cannot_be_left_out():
    check_optional(["state-peephole", "placement"])
    with pytest.raises(UnknownNameError, match="no pass 'hub' can be left out; known: idle"):
        check_optional(["hub"])
    with pytest.raises(UnknownNameError, match=r"did you mean 'placement'\?"):
        check_optional(["placment"])
