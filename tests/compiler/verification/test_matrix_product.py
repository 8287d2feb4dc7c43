"""States too wide for amplitudes, compared as matrix products."""

from functools import partial
from math import pi

import numpy as np
import pytest
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit.random import random_circuit

from compiler.circuits.tolerances import DISCARDED, SAME_STATE
from compiler.compilation import Candidate, Options
from compiler.compilation.plan import plan
from compiler.compilation.proof import prove
from compiler.errors import StateTooLargeError
from compiler.formats.circuit_files import qpy_bytes
from compiler.lowering.draft import no_clock
from compiler.lowering.pipeline import Attempt
from compiler.lowering.qiskit_level_3 import level_3
from compiler.program import Program
from compiler.targets import target_from_spec
from compiler.verification.equivalence import random_product
from compiler.verification.simulation import matrix_product
from compiler.verification.simulation.exact import exact_state
from compiler.verification.simulation.matrix_product import matrix_product_distance
from compiler.verification.state_distance import dense_distance, state_distance

PAIRS = 13
TARGET = "heavy-hex:40"


def swap_test(pairs):
    """Return a test whether two registers, of a random product state each, are equal."""
    circuit = QuantumCircuit(2 * pairs + 1)
    angles = np.random.default_rng(pairs).uniform(0.3, 2.8, 2 * pairs)
    for qubit, angle in enumerate(angles, 1):
        circuit.ry(angle, qubit)
    circuit.h(0)
    for pair in range(pairs):
        circuit.cswap(0, 1 + pair, 1 + pair + pairs)
    circuit.h(0)
    return circuit


@pytest.fixture(scope="module")
def wide():
    program = swap_test(PAIRS)
    return program, level_3(program, target_from_spec(TARGET), 0, any_input=True)


def distance(wide, native=None, final=None, *, any_input=True):
    program, draft = wide
    inputs = random_product(program.num_qubits, 0) if any_input else ()
    draft = evolve(draft, circuit=native or draft.circuit, final_layout=final or draft.final_layout)
    return state_distance(program, draft, inputs)


@pytest.mark.parametrize("any_input", [False, True])
def test_a_wide_circuit_is_proven(wide, any_input):
    assert distance(wide, any_input=any_input) < SAME_STATE / 10


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.7, 0.95])
def test_a_wrong_angle_is_found(wide, share):
    native = wide[1].circuit.copy()
    place = int(share * len(native.data))
    (first, *_) = native.data[place].qubits
    turned = native.copy_empty_like()
    for number, item in enumerate(native.data):
        turned.append(item)
        if number == place:
            turned.rx(1e-4, first)
            turned.rz(1e-4, first)
    assert 1e-6 < distance(wide, turned) < 1e-4


@pytest.mark.parametrize("number", [0, 40, -1])
def test_a_missing_gate_is_found(wide, number):
    native = wide[1].circuit.copy()
    entangling = [place for place, item in enumerate(native.data) if len(item.qubits) == 2]
    del native.data[entangling[number]]
    assert distance(wide, native) > 0.01


@pytest.mark.parametrize("pair", [(1, 2), (5, 20)])
def test_exchanged_qubits_are_found(wide, pair):
    final = list(wide[1].final_layout)
    a, b = pair
    final[a], final[b] = final[b], final[a]
    assert distance(wide, final=final) > 0.01


def test_an_unclean_ancilla_is_found(wide):
    draft = wide[1]
    native = draft.circuit.copy()
    ancilla = next(q for q in range(native.num_qubits) if q not in draft.final_layout)
    native.ry(1e-4, ancilla)
    assert distance(wide, native) == pytest.approx(5e-5, rel=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_distances_are_those_of_dense_states(seed):
    program = random_circuit(6, 6, max_operands=3, seed=seed)
    native = QuantumCircuit(7)
    native.compose(program, range(6), inplace=True)
    draw = np.random.default_rng(seed)
    for angle in (0.0, 1e-7, 0.4):
        other = native.copy()
        other.rx(angle, int(draw.integers(7)))
        inputs = random_product(6, seed) if seed % 2 else ()
        wanted = dense_distance(program, other, inputs)
        assert matrix_product_distance(program, other, inputs) == pytest.approx(wanted, abs=1e-11)


@pytest.mark.parametrize("seed", range(4))
def test_the_distance_includes_the_discarded_weight(seed, monkeypatch):
    """With a coarse cut, the reported distance stays an upper bound."""
    monkeypatch.setattr(matrix_product, "ROUNDING", 1e-2)
    monkeypatch.setattr(matrix_product, "DISCARDED", 10.0)
    draw = np.random.default_rng(seed)
    program = QuantumCircuit(8)
    for _ in range(40):
        a, b = draw.choice(8, 2, replace=False).tolist()
        program.u(*draw.uniform(0, pi, 3), a)
        program.rxx(float(draw.uniform(0, 0.05)), a, b)
    native = program.copy()
    native.rx(0.3, 3)
    wanted = dense_distance(program, native)
    bound = matrix_product_distance(program, native)
    assert wanted + 1e-3 < bound < wanted + 2


def test_what_is_discarded_is_bounded(monkeypatch):
    monkeypatch.setattr(matrix_product, "ROUNDING", 1e-2)
    program = QuantumCircuit(3)
    program.ry(1.0, range(3))
    program.rzz(1e-3, 0, 1)
    program.rzz(1e-3, 1, 2)
    with pytest.raises(StateTooLargeError, match=f"{DISCARDED:.0e}"):
        matrix_product_distance(program, program)


def test_entangled_states_are_too_large():
    draw = np.random.default_rng(0)
    program = QuantumCircuit(30)
    for _ in range(600):
        a, b = draw.choice(30, 2, replace=False).tolist()
        program.u(*draw.uniform(0, pi, 3), a)
        program.cx(a, b)
    with pytest.raises(StateTooLargeError):
        matrix_product_distance(program, program)


def test_a_result_from_zero_is_proven_by_its_state(monkeypatch):
    """Neither blocks nor rotations match: a gate that does nothing to |00⟩ is left out."""
    program = QuantumCircuit(26)
    program.cp(0.7, 0, 1)
    for qubit in range(26):
        program.ry(0.3 + 0.05 * qubit, qubit)
    for qubit in range(25):
        program.cx(qubit, qubit + 1)
    native = QuantumCircuit(26)
    for item in program.data[1:]:
        native.append(item)
    narrow = partial(exact_state, max_amplitudes=1 << 10)
    monkeypatch.setattr("compiler.compilation.proof.exact_state", narrow)
    work = plan(Program.of_circuit(program), "all:26", Options(any_input=False))
    lowered = level_3(native, target_from_spec("all:26"), 0)
    candidate = Candidate(
        Attempt("cheapest", "qiskit", 0),
        qpy_bytes(lowered.circuit),
        qpy_bytes(program),
        lowered.initial_layout,
        lowered.final_layout,
    )
    verdict = prove(work, no_clock, candidate).verdict
    assert verdict.verified == "exact"
    assert "from |0…0⟩" in verdict.detail
    broken = lowered.circuit.copy()
    broken.rx(1e-4, lowered.final_layout[9])
    verdict = prove(work, no_clock, evolve(candidate, native=qpy_bytes(broken))).verdict
    assert verdict.verified == "refuted"
