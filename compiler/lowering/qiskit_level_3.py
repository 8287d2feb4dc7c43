"""Qiskit's preset pass manager at its highest level."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from itertools import pairwise
from math import pi, remainder
from threading import Lock

import numpy as np
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit import Gate, Parameter, Qubit
from qiskit.converters import circuit_to_dag
from qiskit.dagcircuit import DAGCircuit, DAGOpNode
from qiskit.passmanager import BaseController, Task
from qiskit.transpiler import (
    PassManager,
    StagedPassManager,
    Target,
    TransformationPass,
    generate_preset_pass_manager,
)
from qiskit.transpiler.passes import (
    CommutativeCancellation,
    RemoveIdentityEquivalent,
)

from compiler.circuits.matrices import Matrix
from compiler.circuits.tolerances import SAME, SAME_BY_ROTATIONS, SLIGHT
from compiler.lowering.draft import ALL, Draft, Pass, Property, Setting
from compiler.lowering.figures import calibrated
from compiler.lowering.fractional import NAME, without_fractional
from compiler.lowering.interactions.in_cx import (
    circuit_in_cx,
    off_cheaper_class,
    off_special_class,
)
from compiler.lowering.native import leave_out_post_layout, translated
from compiler.lowering.state_peephole.blocks import Block, blocks_of
from compiler.targets import is_coupled
from compiler.targets.gate_sets import uniform_target
from compiler.targets.resonator import without_resonator
from compiler.targets.target import restricted

OPAQUE = "stichwerk_block"
"""Name of the gates that stand for blocks while Qiskit's passes run."""
MAX_TARGETS = 8
"""Size of the cache of targets."""
MAX_MATRICES = 4096
"""Size of the cache of matrices; circuits repeat few blocks."""


def level_3(
    circuit: QuantumCircuit,
    target: Target,
    seed: int,
    *,
    any_input: bool = False,
    start: Sequence[int] | None = None,
    keep_layout: bool = False,
    keep_slight: bool = True,
) -> Draft:
    """Return the result of `qiskit.transpile` for a circuit at optimisation level 3.

    Without a calibration that tells qubits apart, it is not laid out anew after routing.

    Args:
        circuit: gates.
        target: of the lowering.
        seed: of random choices.
        any_input: whether qubits may start in other states than |0⟩.
        start: the target's qubit that each of the circuit's starts on; None if that is free.
        keep_layout: True if no other layout is tried after routing.
        keep_slight: False if gates that do little are left out, as Qiskit does.
    """
    coupled = is_coupled(target)
    circuit, apart = _set_apart(circuit) if keep_slight else (circuit, {})
    manager, lock = _manager(
        _with_opaque_gates(target) if apart else target,
        seed,
        any_input,
        tuple(start) if start is not None and coupled else None,
        # It would move qubits that must start where they are, and on a star search millions of
        # layouts that are all alike.
        keep_layout=keep_layout or start is not None or not calibrated(target),
        keep_slight=keep_slight,
    )
    with lock:
        native = manager.run(circuit)
    written = _put_back(native, apart, target)
    places: Sequence[int] = range(circuit.num_qubits)
    if native.layout is None:
        draft = Draft(written, tuple(places), tuple(places))
    else:
        initial = native.layout.initial_index_layout(filter_ancillas=True)
        draft = Draft(written, tuple(initial), tuple(native.layout.final_index_layout()))
    # Without couplings a circuit is not laid out, and any qubits are as good as others.
    return draft if start is None or coupled else draft.relabelled(start, target.num_qubits)


@lru_cache(MAX_TARGETS)
def _manager(
    target: Target,
    seed: int,
    any_input: bool,
    start: tuple[int, ...] | None,
    *,
    keep_layout: bool,
    keep_slight: bool,
) -> tuple[StagedPassManager, AbstractContextManager[bool]]:
    """Return Qiskit's pass manager and its lock: to prepare one takes longer than short runs."""
    manager = generate_preset_pass_manager(
        optimization_level=3,
        target=target,
        seed_transpiler=seed,
        qubits_initially_zero=not any_input,
        initial_layout=None if start is None else list(start),
    )
    if manager.routing is not None and keep_layout:
        leave_out_post_layout(manager)
    if keep_slight:
        _keep_slight_gates(manager)
    return manager, Lock()


def has_slight_gates(circuit: QuantumCircuit) -> bool:
    """Return whether a gate turns so little that levels 2 and 3 may leave it out.

    They write blocks anew whose average fidelity may be 1e-9 below 1: of a controlled phase that
    is an angle of 8e-5, such as a Fourier transform on 17 qubits has. The product of several gates
    may be as slight.
    """
    return any(map(_slightness, blocks_of(circuit))) or _adds_up_slightly(circuit_to_dag(circuit))


def _slightness(block: Block) -> float:
    """Return by how much a block differs from what Qiskit takes it for, 0 if it is not slight."""
    matrix = block.matrix
    return _off_class(matrix.tobytes()) if matrix is not None and block.two_qubit_gates else 0.0


@lru_cache(MAX_MATRICES)
def _off_class(matrix: bytes) -> float:
    """Return the same of a unitary, shape (4, 4)."""
    unitary = np.frombuffer(matrix, np.complex128).reshape(4, 4)
    off = off_special_class(unitary)
    return max(off if off > SAME else 0.0, off_cheaper_class(unitary))


def _set_apart(circuit: QuantumCircuit) -> tuple[QuantumCircuit, Mapping[Parameter, Matrix]]:
    """Replace slight blocks by gates that no pass looks into, since they have a free parameter.

    Returns:
        The circuit, and for each of these parameters the matrix of its block.
    """
    blocks = blocks_of(circuit)
    if not any(map(_slightness, blocks)):
        return circuit, {}
    apart = circuit.copy_empty_like()
    matrices: dict[Parameter, Matrix] = {}
    for block in blocks:
        if block.matrix is not None and _slightness(block):
            parameter = Parameter(f"{OPAQUE} {len(matrices)}")
            matrices[parameter] = block.matrix
            apart.append(Gate(OPAQUE, 2, [parameter]), block.qubits)
        else:
            for gate, qubits in block.items:
                apart.append(gate, qubits)
    return apart, matrices


@lru_cache(MAX_TARGETS)
def _with_opaque_gates(target: Target) -> Target:
    """Return a target with a gate for blocks that are set apart, wherever it has gates on two."""
    wider = restricted(target)
    coupling = target.build_coupling_map()
    pairs = None if coupling is None else {(a, b) for e in coupling for a, b in (e, e[::-1])}
    gate = Gate(OPAQUE, 2, [Parameter("block")])
    wider.add_instruction(gate, None if pairs is None else dict.fromkeys(pairs))
    return wider


def _put_back(
    native: QuantumCircuit, apart: Mapping[Parameter, Matrix], target: Target
) -> QuantumCircuit:
    """Replace the gates for blocks that were set apart by the target's own."""
    if not apart:
        return native
    circuit = native.copy_empty_like()
    for item in native.data:
        if item.name == OPAQUE:
            block = circuit_in_cx(apart[item.params[0]])
            circuit.compose(block, item.qubits, inplace=True)
        else:
            circuit._append(item)
    return translated(circuit, target)


def _is_slight(gate: DAGOpNode) -> bool:
    """Return whether an angle of a gate is small, but more than rounding."""
    if not (params := gate.params):
        return False
    angles = [angle for angle in params if isinstance(angle, float)]
    if gate.name in {"u", "u3"} and len(angles) == 3:
        angles.append(angles[1] + angles[2])
    return any(SAME < abs(remainder(angle, 2 * pi)) < SLIGHT for angle in angles)


class _RemoveIdentities(TransformationPass):
    """Removes gates that do nothing, but none that do little.

    Qiskit's own pass removes gates that differ from the identity by an average fidelity of 1e-12,
    such as angles of 2e-6. Decompositions near a special class leave those in pairs that cancel.
    """

    def __init__(self, theirs: RemoveIdentityEquivalent) -> None:
        super().__init__()
        self.theirs = theirs

    def run(self, dag: DAGCircuit) -> DAGCircuit:
        """Return the circuit without them."""
        for node in dag.op_nodes():
            if _is_slight(node):
                return dag
        return self.theirs.run(dag)


class _CancelCommuting(TransformationPass):
    """Cancels gates across others with which they commute, but not where some do little.

    Qiskit's own pass adds up rotations and drops sums below 1e-5. It takes gates to commute that do
    so up to an average fidelity of 1e-12 below 1.
    """

    def __init__(self, theirs: CommutativeCancellation) -> None:
        super().__init__()
        self.theirs = theirs

    def run(self, dag: DAGCircuit) -> DAGCircuit:
        """Return the circuit without gates that cancel each other."""
        return dag if _adds_up_slightly(dag) else self.theirs.run(dag)


ROTATIONS = {
    "z": ("z", pi), "s": ("z", pi / 2), "sdg": ("z", -pi / 2), "t": ("z", pi / 4),
    "tdg": ("z", -pi / 4), "x": ("x", pi), "sx": ("x", pi / 2), "sxdg": ("x", -pi / 2),
}  # fmt: skip
"""Axis and angle of gates that turn about z or x."""
AXES = {"rz": "z", "p": "z", "u1": "z", "rx": "x"}
"""Axis of gates that turn by their parameter."""


def _adds_up_slightly(dag: DAGCircuit) -> bool:
    """Return whether rotations that may be added up make a slight angle, or another gate has one.

    Rotations about z or x are added up if only gates are between them that may commute with them.
    Gates on several qubits other than CX may commute with both.
    """
    sums: defaultdict[tuple[Qubit, str], list[float]] = defaultdict(lambda: [0.0])
    runs = list[list[float]]()
    for node in dag.topological_op_nodes():
        axis, angle = _rotation(node)
        if not axis and _is_slight(node):
            return True
        qubits = node.qargs
        if axis:
            run = sums[qubits[0], axis]
            run.append(run[-1] + angle)
        if node.name == "cx":
            ended = [(qubits[0], "x"), (qubits[1], "z")]
        elif len(qubits) == 1:
            ended = [(qubits[0], other) for other in "xz" if other != axis]
        else:
            ended = []
        runs.extend(sums.pop(key) for key in ended if key in sums)
    return any(map(_has_slight_difference, [*runs, *sums.values()]))


def _rotation(node: DAGOpNode) -> tuple[str, float]:
    """Return the axis of a rotation about z or x and its angle; no axis for other gates."""
    name = node.name
    if name in AXES and isinstance(angle := node.params[0], float | int):
        return AXES[name], float(angle)
    return ROTATIONS.get(name, ("", 0.0))


def _has_slight_difference(angles: Sequence[float]) -> bool:
    """Return whether two angles are nearly the same, but differ by more than rounding."""
    turns = sorted(angle % (2 * pi) for angle in angles)
    return any(SAME < b - a < SLIGHT for a, b in pairwise([*turns, turns[0] + 2 * pi]))


def _keep_slight_gates(manager: StagedPassManager) -> None:
    for name in manager.expanded_stages:
        stage = getattr(manager, name, None)
        if stage is not None:
            tasks = stage.to_flow_controller().tasks
            setattr(manager, name, PassManager([_keeping(task) for task in tasks]))


def _keeping(task: Task) -> Task:
    """Return a pass or a flow of passes without Qiskit's passes that remove slight gates."""
    if isinstance(task, RemoveIdentityEquivalent):
        return _RemoveIdentities(task)
    if isinstance(task, CommutativeCancellation):
        return _CancelCommuting(task)
    if isinstance(task, BaseController) and hasattr(task, "tasks"):
        task.tasks = tuple(_keeping(child) for child in task.tasks)
    return task


def after(first: Draft, then: Draft) -> Draft:
    """Return the draft whose circuit is that of `then`, a lowering of the circuit of `first`."""
    return evolve(
        then,
        initial_layout=tuple(then.initial_layout[q] for q in first.initial_layout),
        final_layout=tuple(then.final_layout[q] for q in first.final_layout),
        measured=first.measured,
    )


def _level_3(draft: Draft, setting: Setting, *, keep_slight: bool = True) -> Draft:
    target, seed = setting.target, setting.seed
    start = setting.start_of(draft)
    lowered = level_3(
        draft.circuit,
        target,
        seed,
        any_input=setting.any_input,
        start=start,
        # Quick attempts leave other layouts to `placement`, which runs on the best result only.
        keep_layout=setting.quick,
        keep_slight=keep_slight,
    )
    return after(draft, lowered)


def _plain(draft: Draft, setting: Setting) -> Draft:
    """Return level 3's own result, or the draft if it would be the same or cannot be proven."""
    target = plain_target(setting)
    if setting.only_gains and target is setting.target:
        off = max(map(_slightness, blocks_of(draft.circuit)), default=0.0)
        if off > SAME_BY_ROTATIONS or not has_slight_gates(draft.circuit):
            return draft
    return _level_3(draft, evolve(setting, target=target), keep_slight=False)


def plain_target(setting: Setting) -> Target:
    """Return the target with `rx`, but without `rzz`, whose angles Qiskit keeps to no range."""
    if setting.fractional is None or NAME in setting.without:
        return setting.target
    return without_fractional(setting.fractional, frozenset({"rzz"}))


def if_all_coupled(draft: Draft, setting: Setting, gate: str = "cz") -> Draft:
    """Return level 3's result for a draft as if all qubits were coupled by a gate."""
    everywhere = uniform_target(max(draft.circuit.num_qubits, 2), None, gate, default=gate)
    simpler = level_3(draft.circuit, everywhere, setting.seed, any_input=setting.any_input)
    return after(draft, simpler)


def _prepare(draft: Draft, setting: Setting) -> Draft:
    return draft if setting.any_input else if_all_coupled(draft, setting)


qiskit_level_3 = Pass(
    "qiskit-level-3",
    _level_3,
    establishes=ALL,
    takes_start=True,
    suits=without_resonator,
    takes_parameters=True,
)
qiskit_plain = Pass(
    "qiskit-plain", _plain, establishes=ALL, takes_start=True, suits=without_resonator
)
"""The same with `rx`, and without gates that do little, as far as that is proven."""

qiskit_logical = Pass(
    "qiskit-logical", if_all_coupled, preserves={Property.GATES}, takes_parameters=True
)
"""Level 3 as if all qubits were coupled, before layout and routing."""

qiskit_before_routing = Pass(
    "qiskit-logical", _prepare, preserves={Property.GATES}, takes_parameters=True
)
"""The same for routers that simplify what they are given, but not on any input.

The peephole of states between both is left out there.
"""
