"""Widths against every order of the gates, on circuits small enough for that."""

from functools import cache

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier

from compiler.reuse.order import best_order
from compiler.reuse.wires import wires_of
from tests.compiler.reuse.circuits import bernstein_vazirani, ghz, qaoa_ring, random_sparse


def narrowest_by_all_orders(circuit):
    """Return the fewest wires open at a time in any order of what happens.

    This goes through all sets of things that may have happened, and asks only what must come
    before what: things that share a wire or a classical bit and do not commute.
    """
    nodes = wires_of(circuit).nodes
    wire_sets = [set(node.wires) for node in nodes]
    everything = (1 << len(nodes)) - 1

    @cache
    def fewest(done):
        if done == everything:
            return 0
        found = len(everything.to_bytes(64, "little")) * 8
        for number, node in enumerate(nodes):
            if done >> number & 1 or any(not done >> earlier & 1 for earlier in node.before):
                continue
            after = done | 1 << number
            begun = set().union(*(w for i, w in enumerate(wire_sets) if after >> i & 1), set())
            left = set().union(*(w for i, w in enumerate(wire_sets) if not done >> i & 1), set())
            found = min(found, max(len(begun & left), fewest(after)))
        return found

    return fewest(0)


@pytest.mark.parametrize("seed", range(40))
def test_the_width_is_the_least_of_all_orders(seed):
    circuit = random_sparse(seed, qubits=6, gates=8)
    found = best_order(wires_of(circuit))
    assert found.optimal
    assert found.width == narrowest_by_all_orders(circuit)


@pytest.mark.parametrize(
    ("circuit", "width"),
    [
        (bernstein_vazirani([1, 0, 1, 1, 1, 0, 1, 1]), 2),
        (ghz(60), 2),
        (qaoa_ring(40), 3),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_known_widths(circuit, width):
    found = best_order(wires_of(circuit))
    assert (found.width, found.optimal) == (width, True)


@pytest.mark.parametrize(("kind", "width"), [("rzz", 3), ("iswap", 4)])
def test_gates_about_one_axis_may_come_in_any_order(kind, width):
    """Every second coupling of a ring comes last: it waits for two others, if it must."""
    ring = QuantumCircuit(12, 12)
    for qubit in (*range(0, 12, 2), *range(1, 12, 2)):
        places = qubit, (qubit + 1) % 12
        ring.iswap(*places) if kind == "iswap" else ring.rzz(0.3, *places)
    ring.measure(range(12), range(12))
    assert best_order(wires_of(ring)).width == width


def test_barriers_hold_nothing_together():
    circuit = ghz(8)
    circuit.data.insert(5, circuit.data[0].replace(operation=Barrier(8), qubits=circuit.qubits))
    assert best_order(wires_of(circuit)).width == 2
