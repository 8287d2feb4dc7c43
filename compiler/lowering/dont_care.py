"""What is never reached from |0…0⟩, found in polynomial time and made use of.

Two analyses, neither of which follows the state: patterns of pairs of qubits drop controls and
gates, and subspaces of small clusters make two-qubit blocks cheaper, as in `state_peephole`.
"""

import numpy as np
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate

from compiler.lowering.dont_care_controls import without_idle_controls
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.native import translated
from compiler.lowering.passes import ALL, Pass
from compiler.lowering.reachable_clusters import Clusters, Matrix
from compiler.lowering.state_peephole import cheaper_block
from compiler.lowering.state_peephole_blocks import Block, blocks_of, circuit_of
from compiler.lowering.state_peephole_gates import NOTHING, is_native

WIDTH = 8
DIMENSIONS = 16
WIDE = 5
"""Qubits up to which a controlled gate is followed exactly."""

SWEEPS = 4


def simplified(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit that prepares the same state from |0…0⟩ with no more two-qubit gates.

    Gates, as long as they are not wider than two qubits, are written in CX and `u` where they
    become cheaper; wider ones lose controls.

    Args:
        circuit: gates and barriers, of any size; no measurements.

    Returns:
        The circuit itself if nothing is gained.
    """
    for _ in range(SWEEPS):
        fewer = _cheaper_blocks(without_idle_controls(circuit))
        if fewer is circuit:
            break
        circuit = fewer
    return circuit


def _cheaper_blocks(circuit: QuantumCircuit) -> QuantumCircuit:
    clusters = Clusters(WIDTH, DIMENSIONS)
    blocks = blocks_of(circuit)
    cheaper = [_passed(block, clusters) for block in blocks]
    same = all(a is b for a, b in zip(blocks, cheaper, strict=True))
    return circuit if same else circuit_of(cheaper, circuit)


def _passed(block: Block, clusters: Clusters) -> Block:
    """Apply a block to the clusters before it, and return it as cheap as they allow."""
    cheaper = None
    if block.matrix is not None and block.two_qubit_gates:
        support = clusters.support(block.qubits)
        if support.shape[1] < len(support):
            cheaper = cheaper_block(block, block.matrix, support)
    _apply(block, clusters)
    return cheaper or block


def _apply(block: Block, clusters: Clusters) -> None:
    gate, qubits = block.items[0]
    if block.matrix is not None:
        clusters.apply(block.matrix, block.qubits)
    elif gate.name in NOTHING:
        return
    elif isinstance(gate, ControlledGate) and len(qubits) <= WIDE:
        clusters.apply(_controlled_matrix(gate), qubits)
    elif isinstance(gate, ControlledGate) or gate.definition is None:
        clusters.forget(qubits)
    else:
        for part in blocks_of(gate.definition):
            _apply(part.moved(qubits), clusters)


def _controlled_matrix(gate: ControlledGate) -> Matrix:
    """Return a matrix; Qiskit's own multi-controlled gates have none."""
    matrix = np.eye(1 << gate.num_qubits, dtype=complex)
    fires = gate.ctrl_state | np.arange(1 << gate.base_gate.num_qubits) << gate.num_ctrl_qubits
    matrix[np.ix_(fires, fires)] = gate.base_gate.to_matrix()
    return matrix


def _run(draft: Draft, setting: Setting) -> Draft:
    found = simplified(draft.circuit)
    if found is draft.circuit:
        return draft
    native = is_native(draft.circuit, setting.target)
    return evolve(draft, circuit=translated(found, setting.target) if native else found)


dont_care = Pass("dont-care", _run, preserves=ALL, from_zero=True)
