"""Equivalence of circuits: small angles and mixtures."""

from math import sqrt

import numpy as np
import pytest
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit.library import RYGate, RZGate
from qiskit.quantum_info import Statevector
from scipy.sparse import csr_array

from compiler.circuits.tolerances import APPROXIMATED
from compiler.errors import StateTooLargeError, VerificationError
from compiler.lowering import Draft
from compiler.lowering.qiskit_level_3 import level_3
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec
from compiler.verification import paths
from compiler.verification.block_matching import verdict_by_blocks
from compiler.verification.equivalence import (
    random_product,
    verdict_by_rotations,
    verify_equivalent,
)
from compiler.verification.paths import Mixtures, deviations
from compiler.verification.program import compared, program_state
from compiler.verification.sampled_paths import sampled_verdict
from compiler.verification.state_distance import dense_distance
from compiler.verification.unrouting import unrouted

STAR = "star:6"


def routed(program, spec=STAR, seed=0):
    return level_3(program, target_from_spec(spec), seed)


@pytest.fixture
def program():
    return circuit_from_spec("random-cx:6", 0)


@pytest.fixture
def draft(program):
    return routed(program)


def test_a_routed_circuit_is_equivalent(program, draft):
    verdict = verify_equivalent(program, draft, target_from_spec(STAR))
    assert verdict.verified == "exact"


@pytest.mark.parametrize("place", [0, 57, -1])
def test_a_missing_gate_is_noticed(program, draft, place):
    broken = draft.circuit.copy()
    del broken.data[place]
    with pytest.raises(VerificationError, match="the distance to the original is"):
        verify_equivalent(program, evolve(draft, circuit=broken), target_from_spec(STAR))


@pytest.mark.parametrize("layout", ["initial_layout", "final_layout"])
def test_a_wrong_layout_is_noticed(program, draft, layout):
    a, b, *others = getattr(draft, layout)
    wrong = evolve(draft, **{layout: (b, a, *others)})
    with pytest.raises(VerificationError, match="distance"):
        verify_equivalent(program, wrong, target_from_spec(STAR))


def test_a_move_is_no_swap():
    target = target_from_spec("resonator:2")
    swaps = QuantumCircuit(3)
    for qubit in (0, 1, 0):
        swaps.append(target.operation_from_name("move"), [qubit, 2])
    with pytest.raises(VerificationError, match="while the resonator holds the state of 0"):
        verify_equivalent(QuantumCircuit(2), Draft(swaps, (0, 1), (1, 0)), target)


@pytest.mark.parametrize("layout", [(), (0, 0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 6), tuple(range(7))])
def test_a_layout_must_place_every_qubit_once(program, draft, layout):
    with pytest.raises(VerificationError, match="does not place every qubit once"):
        verify_equivalent(program, evolve(draft, final_layout=layout), target_from_spec(STAR))


def test_what_is_right_from_zero_only_is_refuted():
    program = QuantumCircuit(2)
    program.cx(0, 1)
    program.x(0)
    shortened = QuantumCircuit(2)
    shortened.x(0)
    target = target_from_spec("star:2")
    assert Statevector(program) == Statevector(shortened)
    with pytest.raises(VerificationError, match="distance"):
        verify_equivalent(program, Draft.of(shortened), target)
    assert verify_equivalent(program, Draft.of(program), target).verified == "exact"


@pytest.mark.parametrize(
    ("spec", "how"), [("ghz:26", "block by block"), ("adder:26", "Pauli rotations")]
)
def test_what_is_too_wide_for_a_state_is_compared_by_structure(spec, how):
    program = circuit_from_spec(spec, 0)
    verdict = verify_equivalent(program, routed(program, "star:26"), target_from_spec("star:26"))
    assert verdict.verified == "exact"
    assert how in verdict.detail


SMALL = 1e-6
TURNS = [RYGate(SMALL), RZGate(SMALL)]


def inserted(circuit, place, gate, *qubits):
    """Return a circuit with one more gate."""
    changed = circuit.copy_empty_like()
    for number, item in enumerate(circuit.data):
        if number == place:
            changed.append(gate, qubits)
        changed.append(item)
    if place == len(circuit.data):
        changed.append(gate, qubits)
    return changed


def places(circuit):
    """Return places all over a circuit, also at its end."""
    return range(len(circuit.data) // 3, len(circuit.data) + 1, len(circuit.data) // 7)


@pytest.mark.parametrize("gate", TURNS, ids=["ry", "rz"])
def test_states(gate):
    circuit = circuit_from_spec("random-cx:5", 0)
    state, layout = program_state(circuit), tuple(range(5))
    assert compared(circuit, state, circuit, layout).verified == "exact"
    for place in places(circuit):
        wrong = inserted(circuit, place, gate, place % 5)
        with pytest.raises(VerificationError, match="the state is off by "):
            compared(circuit, state, wrong, layout)
        found = compared(circuit, state, wrong, layout, approximated=APPROXIMATED)
        assert found.verified == "unverified"


@pytest.mark.parametrize("at", range(3))
def test_a_state_does_without_qubits_that_are_crossed(at):
    native = QuantumCircuit(3)
    native.swap(0, 1)
    for circuit, wrong in ((native, False), (inserted(native, 1, TURNS[0], at), True)):
        own, error = unrouted(Draft(circuit, (0, 2), (1, 2)))
        off = error + dense_distance(QuantumCircuit(2), own, random_product(2, 0))
        assert (off > SMALL / 20) == wrong


@pytest.mark.parametrize("gate", TURNS, ids=["ry", "rz"])
@pytest.mark.parametrize("proof", ["blocks", "rotations", "states"])
def test_any_input(proof, gate):
    target = target_from_spec("star:6")
    circuit = circuit_from_spec("heisenberg:6", 0)
    draft = level_3(circuit, target, 0, any_input=True)

    def exact(made: Draft) -> bool:
        match proof:
            case "blocks":
                return verdict_by_blocks(circuit, made).verified == "exact"
            case "rotations":
                return verdict_by_rotations(circuit, made).verified == "exact"
            case _:
                found = verify_equivalent(circuit, made, target, approximated=APPROXIMATED)
                return found.verified == "exact"

    assert exact(draft)
    for place in places(draft.circuit):
        # Native gates are turns by Z and by half a turn about X.
        turn = RZGate(SMALL) if proof == "states" else gate
        changed = inserted(draft.circuit, place, turn, draft.final_layout[place % 6])
        assert not exact(evolve(draft, circuit=changed))


def test_a_swap_with_a_small_angle_is_not_simulated_as_a_swap():
    circuit = QuantumCircuit(3)
    for qubit, angle in enumerate((0.4, 1.1, 0.9)):
        circuit.ry(angle, qubit)
    circuit.cx(0, 1)
    circuit.cx(1, 0)
    circuit.cx(0, 1)
    place = len(circuit.data) - 1
    state, layout = program_state(circuit), (0, 1, 2)
    for gate in TURNS:
        wrong = inserted(circuit, place, gate, 1)
        with pytest.raises(VerificationError, match="the state is off by "):
            compared(circuit, state, wrong, layout)


COLUMNS = np.array([0, 1, 0, 2, 2, 1, 2, 2])
"""The path of each column."""


def drawn(random, rows):
    """Return rows of amplitudes that lie on one path each, some of them 0."""
    path_of = random.integers(3, size=rows)
    amplitudes = random.normal(size=(rows, 8)) + 1j * random.normal(size=(rows, 8))
    amplitudes *= (path_of[:, None] == COLUMNS) & (random.random((rows, 8)) < 0.7)
    return Mixtures(csr_array(amplitudes), path_of)


def density(mixture, path):
    chosen = mixture.rows.toarray()[mixture.path_of == path][:, path == COLUMNS]
    return chosen.T @ chosen.conj()


def trace_distance(rho, sigma):
    return np.abs(np.linalg.eigvalsh(rho - sigma)).sum() / 2


@pytest.mark.parametrize("most", [1 << 24, 1 << 40], ids=["", "by unitaries"])
@pytest.mark.parametrize("rows", [(1, 1), (2, 30), (40, 50)])
def test_deviations_are_no_less_than_trace_distances(rows, most, monkeypatch):
    monkeypatch.setattr(paths, "PER_CUBE", most)
    random = np.random.default_rng(sum(rows))
    a, b = (drawn(random, number) for number in rows)
    found = deviations(a, b, COLUMNS, 3)
    for path in range(3):
        rho, sigma = density(a, path), density(b, path)
        weight = max(np.trace(rho).real, np.trace(sigma).real)
        assert found[path] * sqrt(weight) >= trace_distance(rho, sigma) - 1e-12


def scrambled(pairs, last=0.0):
    """Return pairs of qubits that are entangled and thrown away, and a toss of one of them."""
    circuit = QuantumCircuit(2 * pairs, 1)
    for qubit in range(0, 2 * pairs, 2):
        circuit.h(qubit)
        circuit.cx(qubit, qubit + 1)
    circuit.reset(range(2 * pairs))
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.ry(0.3 + last, 0)
    return circuit


def test_mixtures_that_are_too_large_are_not_called_proven(monkeypatch):
    monkeypatch.setattr(paths, "MAX_PRODUCTS", 7)
    circuit, layout = scrambled(2), (0, 1, 2, 3)
    found = compared(circuit, program_state(circuit), circuit, layout)
    assert found.verified == "unverified"
    assert "mixtures too large to be compared" in found.detail
    with pytest.raises(StateTooLargeError):
        sampled_verdict(circuit, circuit, layout)
