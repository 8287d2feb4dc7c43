"""Passes keep what they declare, and pipelines end where they must."""

from functools import partial

import numpy as np
import pytest
from attrs import evolve
from pytket.extensions.qiskit import qiskit_to_tk
from qiskit import QuantumCircuit, transpile
from qiskit.circuit import Gate
from qiskit.circuit.library import PauliEvolutionGate, PermutationGate, StatePreparation, XGate
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Operator, SparsePauliOp, Statevector

from compiler.errors import LoweringError, UnknownNameError
from compiler.lowering import (
    Draft,
    Pass,
    Pipeline,
    Property,
    Setting,
    pipelines,
    rotation_windows,
    tket,
)
from compiler.lowering.dont_care import simplified, with_shared_controls, without_idle_controls
from compiler.lowering.draft import ALL
from compiler.lowering.methods import synthesis
from compiler.lowering.native import translation
from compiler.lowering.operators.lazy_copies import without_idle_copies
from compiler.lowering.pipeline import check_optional, passes_from_zero, refinements, run_passes
from compiler.lowering.qiskit_level_3 import level_3, qiskit_level_3
from compiler.lowering.state_peephole.two_qubit import rewritten, state_peephole
from compiler.lowering.state_peephole.window_search import PATIENCE, state_window, window_rewritten
from compiler.lowering.tket import TKET_NAMES, from_tket, tket_rotations, to_tket
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec
from compiler.verification.equivalence import verify_equivalent
from compiler.verification.program import require_native
from compiler.verification.simulation.exact import exact_state
from tests.compiler.lowering.drafts import fidelity, pairs_of, routed, two_qubit_gates
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


@pytest.mark.parametrize(
    ("passes", "missing"),
    [
        ([synthesis], "layout, native, routing"),
        ([synthesis, translation], "layout, routing"),
        (
            [synthesis, qiskit_level_3, Pass("loosen", None, preserves=ALL - {Property.ROUTING})],
            "routing",
        ),
    ],
)
def test_pipelines_that_do_not_get_there_are_refused(passes, missing):
    with pytest.raises(LoweringError, match=f"'lost' does not establish {missing}"):
        Pipeline(name="lost", passes=passes)


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


def test_any_input_means_any_input():
    circuit = own_circuit()
    target = target_from_spec("star:6")
    setting = Setting(target, seed=1, budget=10, any_input=True)
    lowered = pipelines["hub"].lower(circuit, setting)
    assert not any(step.from_zero for step in lowered.steps)
    assert not {step.name for step in lowered.steps} & {*passes_from_zero()}
    draft = Draft(lowered.circuit, lowered.initial_layout, lowered.final_layout)
    better, steps = run_passes([*refinements.values(), state_peephole], draft, setting)
    assert better.circuit == draft.circuit
    assert steps == ()
    at = lowered.initial_layout, lowered.final_layout
    require_same_unitary(circuit, lowered.circuit, *at)
    assert verify_equivalent(circuit, draft, target).verified == "exact"


def test_unknown_passes_cannot_be_left_out():
    check_optional([*passes_from_zero(), "placement"])
    with pytest.raises(UnknownNameError, match="no pass 'hub' can be left out; known: state"):
        check_optional(["hub"])
    with pytest.raises(UnknownNameError, match=r"did you mean 'placement'\?"):
        check_optional(["placment"])


COPYING = ("x", "z", "h", "s", "cx", "cx", "cx", "cx", "cz", "ccx")


def operands(seed, most=4, qubits=6):
    return random_circuit(qubits, 8, max_operands=1 + seed % most, seed=seed)


def copies(seed):
    """Return a circuit with many CX, so that qubits are copied, moved and erased."""
    random = np.random.default_rng(seed)
    circuit = QuantumCircuit(int(random.integers(3, 7)))
    for name in random.choice(COPYING, 30).tolist():
        width = len(name) if name in ("cx", "cz", "ccx") else 1
        getattr(circuit, name)(*random.permutation(circuit.num_qubits)[:width].tolist())
    return circuit


def copies_in_use(seed):
    """Return random gates, among them some on copies, odd ones, and copies of several qubits."""
    circuit = QuantumCircuit(7)
    circuit.compose(random_circuit(4, 3, max_operands=2, seed=seed), inplace=True)
    circuit.cx([0, 1, 0], [4, 5, 6])
    circuit.x(6)
    circuit.compose(random_circuit(7, 6, max_operands=3, seed=seed), inplace=True)
    return circuit


@pytest.mark.parametrize(
    ("rewrite", "build", "seeds"),
    [
        (without_idle_controls, operands, 12),
        (simplified, operands, 12),
        (with_shared_controls, copies_in_use, 12),
        (without_idle_copies, copies, 12),
        (partial(rewritten, amplitudes=1 << 10), partial(operands, qubits=5), 6),
    ],
)
def test_random_circuits_keep_their_state(rewrite, build, seeds):
    for seed in range(seeds):
        circuit = build(seed)
        found = rewrite(circuit)
        assert Statevector(circuit).equiv(Statevector(found))
        if all(len(item.qubits) < 3 for item in circuit.data):
            assert two_qubit_gates(found) <= two_qubit_gates(circuit)


@pytest.mark.parametrize(("seed", "patience"), [(0, 0), (1, PATIENCE)])
def test_windows_keep_the_state_and_the_pairs(seed, patience):
    circuit = random_circuit(5, 4, max_operands=2, seed=seed)
    coupled = frozenset((a, b) for pair in pairs_of(circuit) for a in pair for b in pair if a != b)
    found = window_rewritten(circuit, coupled, 20, patience)
    assert Statevector(circuit).equiv(Statevector(found))
    assert two_qubit_gates(found) <= two_qubit_gates(circuit)
    assert pairs_of(found) <= pairs_of(circuit)


@pytest.mark.parametrize(
    ("step", "encoding", "method", "spec", "saved"),
    [
        (state_window, "lean", "cheapest", "star:17", 3),
        (state_peephole, "lean", "cheapest", "star:17", 1),
        (state_peephole, "paper", "cheapest", "heavy-hex:torino", 3),
    ],
)
def test_routed_toys_save_gates_and_stay_native(step, encoding, method, spec, saved):
    draft, setting = routed(encoding, method, spec)
    result = step.run(draft, setting)
    assert step.run(draft, setting).circuit == result.circuit
    assert two_qubit_gates(draft.circuit) - two_qubit_gates(result.circuit) >= saved
    assert fidelity(draft.circuit, result.circuit) == pytest.approx(1, abs=1e-9)
    assert result.final_layout == draft.final_layout
    for item in result.circuit.data:
        places = tuple(result.circuit.find_bit(qubit).index for qubit in item.qubits)
        assert setting.target.instruction_supported(item.operation.name, places)


def plain(seed: int) -> QuantumCircuit:
    drawn = random_circuit(4, 6, max_operands=2, seed=seed)
    return transpile(drawn, basis_gates=list(TKET_NAMES), optimization_level=0)


@pytest.mark.parametrize("seed", range(3))
def test_as_the_extension_has_it_and_back(seed):
    circuit = plain(seed)
    there = to_tket(circuit)
    assert abs(there.get_unitary() - qiskit_to_tk(circuit).get_unitary()).max() < 1e-12
    back = from_tket(there, circuit)
    assert abs(Operator(back).data - Operator(circuit).data).max() < 1e-12


@pytest.mark.parametrize("quick", [True, False])
def test_paulis_that_share_qubits_are_built_from_each_other(quick):
    paulis = ["XXXYZ", "XXYXZ", "XYXXZ", "YXXXZ", "YYYXI", "YYXYI", "ZZZZZ"]
    evolution = PauliEvolutionGate(
        [SparsePauliOp(pauli, 0.1 + i) for i, pauli in enumerate(paulis)]
    )
    circuit = QuantumCircuit(5)
    circuit.append(evolution, range(5))
    circuit = circuit.decompose(reps=3)
    circuit.swap(0, 1)
    setting = Setting(target_from_spec("all:5"), any_input=True, quick=quick)
    assert circuit.num_nonlocal_gates() > 30
    _require_rewritten(tket_rotations, Draft.of(circuit), setting, 29)


def test_rotations_are_built_from_the_end_where_that_takes_fewer_gates():
    circuit = QuantumCircuit(9)
    ladder = [(0, 1, 5), (2, 5, 6), (3, 6, 7), (4, 7, 8)]
    for controls_and_target in (*ladder, *reversed(ladder[:-1])):
        circuit.ccx(*controls_and_target)
    plain = transpile(circuit, basis_gates=["cx", "u"], optimization_level=0)
    # 35 from the beginning, whatever the weights.
    setting = Setting(target_from_spec("all:9"), any_input=True, quick=True)
    _require_rewritten(tket_rotations, Draft.of(plain), setting, 28)


def _require_rewritten(step, draft, setting, most):
    """Require that a pass leaves few gates, that these do the same, and that it keeps barriers."""
    circuit, first = draft.circuit, draft.circuit.copy()
    for barriers in range(2):
        rewritten = step.run(draft, setting)
        assert rewritten.circuit.num_nonlocal_gates() <= most * (barriers + 1)
        assert rewritten.circuit.count_ops().get("barrier", 0) == barriers
        moves = dict(zip(rewritten.initial_layout, rewritten.final_layout, strict=True))
        moved = PermutationGate(sorted(moves, key=moves.__getitem__))
        assert Operator(circuit.compose(moved)).equiv(Operator(rewritten.circuit))
        circuit.barrier()
        circuit.compose(first, inplace=True)


def test_pipelines_begin_with_synthesis():
    with pytest.raises(LoweringError, match="does not begin with 'synthesise'"):
        Pipeline(name="lost", passes=[qiskit_level_3])


@pytest.mark.parametrize(("step", "spec"), [("windows", "random-cx:7"), ("rotations", "qft:9")])
def test_quick_attempts_build_nothing_anew_where_rotations_are_many(monkeypatch, step, spec):
    def begun(*_):
        raise LoweringError("begun")

    monkeypatch.setattr(tket, "_optimised", begun)
    draft = Draft.of(circuit_from_spec(spec, 0))
    rebuild = {"windows": rotation_windows.tket_windows, "rotations": tket.tket_rotations}[step]
    setting = Setting(target_from_spec("star:9"), any_input=True)
    assert rebuild.run(draft, evolve(setting, quick=True)) is draft
    with pytest.raises(LoweringError, match="begun"):
        rebuild.run(draft, setting)
