"""Circuits on many inputs at once: all legal inputs of an operator, many games of a program."""

from unittest.mock import patch

import numpy as np
from attrs import evolve

from compiler.circuits.branches import Branches
from compiler.circuits.gate_steps import steps_of
from compiler.measurement import final_measurements
from compiler.verification.operators import verify_operator
from compiler.verification.simulation.exact import SparseState
from compiler.verification.trajectories import segments


def final_states(circuit, inputs):
    """Return the final state of each input, all simulated side by side."""
    inputs = list(dict.fromkeys(inputs))
    qubits = range(circuit.num_qubits)
    branches = Branches(np.array([[i >> q & 1 for q in qubits] for i in inputs], dtype=bool))
    branches.play([step for step in steps_of(circuit) if step.kind != "barrier"])
    branches.settle()
    order = np.argsort(branches.table.run_of, kind="stable")
    ends = np.cumsum(np.bincount(branches.table.run_of, minlength=len(inputs)))[:-1]
    bits, amplitudes = branches.table.bits(qubits)[order], branches.table.amplitudes[order]
    states = map(SparseState, np.split(bits, ends), np.split(amplitudes, ends))
    return dict(zip(inputs, states, strict=True))


def verify(operator, circuit=None, inputs=None):
    """Call `verify_operator` with states that were simulated side by side."""
    circuit = operator.definition if circuit is None else circuit
    inputs = list(operator.legal_inputs() if inputs is None else inputs)
    states = final_states(circuit, inputs)
    simulated = "compiler.verification.operators.simulate_each"
    with patch(simulated, lambda _, given: (states[initial] for initial in given)):
        return verify_operator(operator, circuit, inputs)


def random_inputs(operator, random, number):
    """Return distinct random legal inputs."""
    return list(dict.fromkeys(operator.random_legal_input(random) for _ in range(number)))


def without_gate(circuit, place):
    """Return a copy of a circuit that lacks one gate."""
    shorter = circuit.copy_empty_like()
    for i, item in enumerate(circuit.data):
        if i != place:
            shorter.append(item)
    return shorter


def final_state(circuit):
    """Return the state that a circuit prepares from |0…0⟩, its gates applied as written."""
    return final_states(circuit, [0])[0]


def games_as_written(program, games, seed):
    """Return what independent games of a program measure, its gates applied as written.

    Every qubit is measured at the barriers, as in `sampled_games`.
    """
    unitary, measured = final_measurements(program)
    random = np.random.default_rng(seed)
    state = np.zeros((games, unitary.num_qubits), dtype=bool)
    for part in segments(steps_of(unitary)):
        gates = [step for step in part if step.kind != "barrier"]
        qubits = sorted({qubit for step in gates for qubit in step.qubits})
        place = {qubit: i for i, qubit in enumerate(qubits)}
        branches = Branches(state[:, qubits])
        branches.play([evolve(g, qubits=tuple(place[q] for q in g.qubits)) for g in gates])
        state[:, qubits] = branches.sample(random)
    return [
        sum(1 << place for place, value in zip(measured, row, strict=True) if value)
        for row in state[:, list(measured.values())]
    ]
