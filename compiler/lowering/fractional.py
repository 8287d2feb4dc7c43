"""Fractional gates: rotations exp(-iθ/2 Z⊗Z) in the place of two CZ, CX or ECR.

IBM's devices calibrate `rzz` for 0 < θ ≤ π/2 beside their Clifford gate, and `rx` for any angle.
Passes count Clifford gates, so circuits are lowered to the target without fractional gates first.
"""

from functools import lru_cache
from math import pi

from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.converters import circuit_to_dag, dag_to_circuit
from qiskit.dagcircuit import DAGOpNode
from qiskit.quantum_info import Operator
from qiskit.synthesis import TwoQubitWeylDecomposition
from qiskit.transpiler import PassManager, Target
from qiskit.transpiler.passes import Collect2qBlocks, Decompose, Optimize1qGatesDecomposition

from compiler.circuits.tolerances import SAME_STATE
from compiler.lowering.draft import ALL, Draft, Pass, Setting
from compiler.targets.target import restricted

NAME = "fractional"
GATES = frozenset({"rx", "rzz"})
CLIFFORD = ("cz", "cx", "ecr")
MAX_TARGETS = 8
"""Size of the cache of targets."""


def has_fractional(target: Target) -> bool:
    """Return whether a target has fractional gates beside a Clifford gate on two qubits."""
    names = target.operation_names
    return set(names) >= GATES and any(name in names for name in CLIFFORD)


@lru_cache(MAX_TARGETS)
def without_fractional(target: Target, gates: frozenset[str] = GATES) -> Target:
    """Return a target without its fractional gates, or some of them."""
    return restricted(target, lambda name, _: name not in gates)


def rzz_form(unitary: Operator) -> QuantumCircuit | None:
    """Return a unitary on two qubits as one `rzz` with 0 < θ < π/2 between gates on one qubit.

    Its Weyl coordinates are then (a, 0, 0): it is k₁·exp(i·a·X⊗X)·k₂ with k₁, k₂ on single qubits,
    and exp(i·a·Z⊗Z) = (X⊗1)·rzz(2a)·(X⊗1). None of any other unitary, among them those of CZ and of
    no gate at all.
    """
    weyl = TwoQubitWeylDecomposition(unitary.data)
    if abs(weyl.b) > SAME_STATE or abs(weyl.c) > SAME_STATE:
        return None
    if not SAME_STATE < weyl.a < pi / 4 - SAME_STATE:
        return None
    circuit = QuantumCircuit(2, global_phase=weyl.global_phase)
    circuit.unitary(weyl.K2r, [0])
    circuit.unitary(weyl.K2l, [1])
    circuit.h([0, 1])
    circuit.x(0)
    circuit.rzz(2 * weyl.a, 0, 1)
    circuit.x(0)
    circuit.h([0, 1])
    circuit.unitary(weyl.K1r, [0])
    circuit.unitary(weyl.K1l, [1])
    return circuit


def with_rzz(circuit: QuantumCircuit, target: Target) -> QuantumCircuit | None:
    """Return a native circuit with one `rzz` for each block of Clifford gates that it stands for.

    A block is a longest run of gates on the same two qubits. None if no block is one.

    Args:
        circuit: gates of the target on its qubits, without measurements or parameters.
        target: with fractional gates.
    """
    collect = Collect2qBlocks()
    dag = circuit_to_dag(circuit)
    collect.run(dag)
    replaced = False
    for block in collect.property_set["block_list"]:
        if sum(len(node.qargs) == 2 for node in block) < 2:
            continue
        pair = sorted({qubit for node in block for qubit in node.qargs}, key=circuit.qubits.index)
        places = tuple(circuit.find_bit(qubit).index for qubit in pair)
        if not target.instruction_supported("rzz", places):
            continue
        form = rzz_form(Operator(_alone(block, pair)))
        if form is not None:
            wires = {qubit: place for place, qubit in enumerate(pair)}
            dag.replace_block_with_op(block, form.to_gate(label=NAME), wires)
            replaced = True
    if not replaced:
        return None
    finish = PassManager([Decompose([NAME]), Optimize1qGatesDecomposition(target=target)])
    return finish.run(dag_to_circuit(dag))


def _alone(block: list[DAGOpNode], pair: list[object]) -> QuantumCircuit:
    """Return a block on two qubits of its own."""
    alone = QuantumCircuit(2)
    for node in block:
        alone.append(node.op, [pair.index(qubit) for qubit in node.qargs])
    return alone


def _fold(draft: Draft, setting: Setting) -> Draft:
    target = setting.fractional
    circuit = target and with_rzz(draft.circuit, target)
    return draft if circuit is None else evolve(draft, circuit=circuit)


fractional = Pass(NAME, _fold, preserves=ALL, needs_fractional=True)
