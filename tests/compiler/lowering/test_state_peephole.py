"""Blocks of two and three qubits, rewritten for the state that they meet."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator, Statevector, random_unitary

from compiler.lowering.draft import ALL, Draft, Setting
from compiler.lowering.state_peephole.lower_bounds import crossings, ruled_out
from compiler.lowering.state_peephole.template import (
    fitted,
    room_for,
    starts,
    write_played,
    write_slopes,
    write_turned,
)
from compiler.lowering.state_peephole.two_qubit import rewritten, state_peephole
from compiler.lowering.state_peephole.window_search import WindowSearch, logical_window, templates
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


@pytest.mark.parametrize("rank", [1, 3, 4, 8])
@pytest.mark.parametrize("count", [*range(4), pytest.param(4, marks=pytest.mark.full)])
def test_no_template_is_ruled_out_for_what_it_makes(count, rank):
    for seed, pairs in enumerate(templates(EDGES, count)):
        source = columns_of(rank, seed)
        out = ruled_out(source, unitary_of(pairs, seed) @ source)
        assert crossings(pairs, 3).isdisjoint(out)


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
