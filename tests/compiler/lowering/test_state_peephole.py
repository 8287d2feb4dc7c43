"""Blocks of two and three qubits, rewritten for the state that they meet."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import CZGate
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Operator, Statevector, random_unitary

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.passes import ALL
from compiler.lowering.state_peephole.blocks import blocks_of, circuit_of
from compiler.lowering.state_peephole.template import (
    fitted,
    room_for,
    starts,
    write_played,
    write_slopes,
    write_turned,
)
from compiler.lowering.state_peephole.two_qubit import rewritten, state_peephole
from compiler.lowering.state_peephole.window_search import (
    WindowSearch,
    crossings,
    logical_window,
    ruled_out,
    state_window,
    templates,
    windows,
)
from compiler.targets import target_from_spec
from tests.compiler.lowering.drafts import fidelity, pairs_of, routed, two_qubit_gates

EDGES = ((0, 1), (0, 2), (1, 2))


def unitary_of(pairs, seed):
    """CZ gates on these pairs, with random one-qubit gates around them."""
    circuit = QuantumCircuit(3)
    seeds = iter(np.random.default_rng(seed).integers(1 << 30, size=3 + 3 * len(pairs)))
    for qubit in range(3):
        circuit.unitary(random_unitary(2, int(next(seeds))), [qubit])
    for pair in pairs:
        circuit.cz(*pair)
        for qubit in range(3):
            circuit.unitary(random_unitary(2, int(next(seeds))), [qubit])
    return Operator(circuit).data


def columns_of(rank, seed):
    """Orthonormal columns: random ones, for odd seeds such that hold a qubit apart."""
    if seed % 2 and rank <= 4:
        apart, others = random_unitary(2, seed).data[:, :1], random_unitary(4, seed).data[:, :rank]
        return np.kron(others, apart)
    return random_unitary(8, seed).data[:, :rank]


@pytest.mark.parametrize("rank", range(1, 9))
@pytest.mark.parametrize("count", range(5))
def test_no_template_is_ruled_out_for_what_it_makes(count, rank):
    for seed, pairs in enumerate(templates(EDGES, count)):
        source = columns_of(rank, seed)
        out = ruled_out(source, unitary_of(pairs, seed) @ source)
        assert crossings(pairs, 3).isdisjoint(out)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ((), {(0, 1), (1, 1), (2, 1)}),
        (((0, 1),), {(0, 0), (1, 0), (2, 1)}),
        (((1, 2), (0, 2)), {(0, 0), (1, 0), (2, 0), (2, 1)}),
        (((0, 1), (0, 1), (1, 2)), {(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)}),
    ],
)
def test_other_numbers_of_gates_are_ruled_out(pairs, expected):
    assert ruled_out(np.eye(8), unitary_of(pairs, 7)) == expected


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ((), set()),
        (((0, 1),), {(0, 0), (1, 0)}),
        (((1, 2), (0, 2)), {(0, 0), (1, 0), (2, 0), (2, 1)}),
        (((0, 1), (0, 1), (1, 2)), {(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)}),
    ],
)
@pytest.mark.parametrize("rank", [3, 4, 7])
def test_so_they_are_where_only_some_columns_matter(pairs, expected, rank):
    """But a gate that does nothing to them may be there, too."""
    source = random_unitary(8, 5).data[:, :rank]
    assert ruled_out(source, unitary_of(pairs, 7) @ source) == expected


PAIRS = np.array([(0, 2), (1, 2)])
PHASE, STEP = 0.3, 1e-6


def vectors(columns):
    """Two sets of random columns."""
    random = np.random.default_rng(columns)
    shape = (2, 8, columns)
    return random.normal(size=shape) + 1j * random.normal(size=shape)


@pytest.mark.parametrize("columns", [1, 3, 8])
def test_slopes_are_the_differences_of_the_error(columns):
    source, goal = vectors(columns)
    gates = starts(2, 3, 6, 2)[0]
    room = room_for(source, PAIRS)

    def error(turns):
        """Return what is left after turns of the gates, and a change of the phase."""
        write_turned(gates, -turns, 2 * len(PAIRS), room.gates)
        write_played(source, room.gates, PAIRS, room.tried)
        left = (room.tried[-1] - np.exp(1j * (PHASE + turns[-1])) * goal).ravel()
        return np.concatenate([left.real, left.imag])

    units = STEP * np.eye(4 * len(PAIRS) + 3 * 3 + 1)
    differences = [(error(unit) - error(-unit)) / (2 * STEP) for unit in units]
    write_played(source, gates, PAIRS, room.states)
    write_slopes(goal, gates, PAIRS, PHASE, room)
    slopes = room.slopes[:, :-1]
    np.testing.assert_allclose(slopes.T, differences, rtol=0, atol=1e-8)
    np.testing.assert_allclose(room.slopes[:, -1], error(np.zeros(len(units))), atol=1e-12)
    np.testing.assert_allclose(room.products, room.slopes.T @ room.slopes, atol=1e-10)


@pytest.mark.parametrize("columns", [1, 2, 4])
def test_what_a_template_made_is_fitted(columns):
    source, _ = np.linalg.qr(vectors(columns)[0])
    room = room_for(source, PAIRS)
    write_played(source, starts(2, 3, 6, 2)[-1], PAIRS, room.states)
    goal = np.exp(0.4j) * room.states[-1]
    gates = fitted(source, goal, [(0, 2), (1, 2)], starts(2, 3, 6, 2)[:5])
    assert gates is not None
    write_played(source, gates, PAIRS, room.states)
    assert np.linalg.svd(room.states[-1].conj().T @ goal)[1] == pytest.approx(np.ones(columns))


def test_what_no_template_makes_is_not_fitted():
    """A CZ between the other qubits."""
    source = np.eye(8, dtype=complex)
    goal = np.diag([1, 1, 1, -1, 1, 1, 1, -1]).astype(complex)
    assert fitted(source, goal, [(0, 2), (1, 2)], starts(2, 3, 6, 2)) is None


def test_windows_with_as_many_gates_do_the_same_on_other_pairs():
    circuit = routed("lean", "cheapest", "star:17")[0].circuit
    search = WindowSearch(None, 1 << 10, 100)
    # Few windows are tried at a time, at random.
    swept = (search.swept(circuit, alike=True) for _ in range(50))
    other = next(found for found in swept if found is not circuit)
    assert two_qubit_gates(other) == two_qubit_gates(circuit)
    assert pairs_of(other) - pairs_of(circuit)
    assert fidelity(circuit, other) == pytest.approx(1, abs=1e-9)


def test_before_routing_any_pairs_may_meet():
    # Toffoli gates on a line of qubits whose middle one is done with: all three may meet.
    circuit = QuantumCircuit(4)
    circuit.h([0, 1, 2])
    for a, b in ((0, 1), (1, 2), (0, 1), (1, 2), (0, 1), (2, 3)):
        circuit.cx(a, b)
    draft, setting = Draft.of(circuit), Setting(target_from_spec("star:5"))
    found = logical_window.run(draft, setting).circuit
    assert Statevector(circuit).equiv(Statevector(found))
    assert two_qubit_gates(found) < two_qubit_gates(circuit)


def test_without_budget_nothing_changes():
    circuit = random_circuit(5, 6, max_operands=2, seed=1)
    draft = Draft.of(circuit)
    setting = Setting(target_from_spec("all:5"), budget=0)
    assert state_window.run(draft, setting) is draft


def test_a_window_may_be_moved_behind_what_it_does_not_depend_on():
    circuit = QuantumCircuit(4)
    circuit.cx(0, 1)
    circuit.cx(2, 3)
    circuit.cx(1, 2)
    circuit.cx(0, 1)
    circuit.cx(0, 3)
    blocks = blocks_of(circuit)
    (largest, *_) = windows(blocks)
    assert largest.qubits == (0, 1, 2)
    assert largest.places == (0, 2, 3)
    assert largest.before == (1,)
    assert [block.qubits for block in blocks][largest.before[0]] == (2, 3)


def test_blocks_make_up_the_circuit():
    circuit = random_circuit(4, 10, max_operands=3, seed=4)
    circuit.barrier(1, 2)
    circuit.cx(1, 2)
    again = circuit_of(blocks_of(circuit), circuit)
    again.data = [item for item in again.data if item.operation.name != "barrier"]
    assert Operator(again).equiv(Operator(circuit))


def test_a_template_is_found_again():
    pairs = ((0, 1), (1, 2), (0, 1))
    hidden, columns = starts(3, 3, 6, 3)[0], np.eye(8, dtype=complex)[:, :3]
    circuit = QuantumCircuit(3)
    order = [q for pair in pairs for q in pair] + [0, 1, 2]
    for place, (gate, qubit) in enumerate(zip(hidden, order, strict=True)):
        circuit.unitary(gate, [qubit])
        if place in (1, 3, 5):
            circuit.append(CZGate(), [order[place - 1], qubit])
    goal = Operator(circuit).data @ columns
    assert fitted(columns, goal, pairs, starts(3, 3, 6, 3)[1:]) is not None
    assert fitted(columns, goal, pairs[:1], starts(1, 3, 6, 1)) is None


def test_templates_have_no_pair_thrice_in_a_row():
    line = ((0, 1), (1, 2))
    assert len(templates(line, 2)) == 4
    assert len(templates(line, 3)) == 6
    assert templates((), 2) == ()


@pytest.mark.full
def test_literal_toy():
    draft, setting = routed("paper", "literal", "all:17")
    result = state_peephole.run(draft, setting)
    assert two_qubit_gates(result.circuit) < 0.65 * two_qubit_gates(draft.circuit)
    assert fidelity(draft.circuit, result.circuit) == pytest.approx(1, abs=1e-9)


def test_nothing_to_gain_is_the_same_draft():
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.cx(1, 2)
    draft = Draft.of(circuit)
    setting = Setting(target_from_spec("all:3"))
    assert state_peephole.run(draft, setting) is draft
    empty = Draft.of(QuantumCircuit(2))
    assert state_peephole.run(empty, setting) is empty
    assert state_peephole.preserves == ALL
    assert state_peephole.from_zero


def test_constants_and_supports():
    circuit = QuantumCircuit(3)
    circuit.cx(0, 1)  # Its control is |0⟩.
    circuit.ry(0.3, 1)
    circuit.cry(1.1, 1, 2)  # A rotation controlled onto |0⟩ is one CX.
    circuit.swap(0, 1)
    result = rewritten(circuit, 1 << 10)
    assert Statevector(circuit).equiv(Statevector(result))
    assert two_qubit_gates(result) == 2
    assert result.count_ops()["cx"] == 1
    assert result.count_ops()["swap"] == 1


def test_barriers_end_blocks_and_stay():
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.barrier()
    circuit.cx(0, 1)
    assert rewritten(circuit, 1 << 10).count_ops() == circuit.count_ops()
    circuit.cx(0, 1)
    result = rewritten(circuit, 1 << 10)
    assert result.count_ops()["cx"] == 1
    assert [item.operation.name for item in result.data].count("barrier") == 1
    assert Statevector(circuit).equiv(Statevector(result))


def test_wide_gates_are_simulated_and_kept():
    circuit = QuantumCircuit(5)
    circuit.h([0, 1])
    circuit.mcx([0, 1, 2], 3, ctrl_state=3)
    circuit.ccx(0, 2, 4)
    circuit.cx(2, 4)
    circuit.cx(3, 0)
    result = rewritten(circuit, 1 << 10)
    assert Statevector(circuit).equiv(Statevector(result))
    assert "ccx" in result.count_ops()
    assert "cx" in result.count_ops()
    assert two_qubit_gates(result) == 1


def test_too_large_a_state_is_only_followed_in_clusters():
    circuit = QuantumCircuit(4)
    for control, target in [(0, 1), (2, 3)]:
        circuit.h(control)
        circuit.cx(control, target)
    circuit.barrier()
    circuit.cz(0, 1)  # A Z where both are equal.
    result = rewritten(circuit, amplitudes=4)
    assert result.count_ops()["cx"] == 2
    assert "cz" not in result.count_ops()
    assert Statevector(circuit).equiv(Statevector(result))
    assert rewritten(circuit, amplitudes=2) is circuit
