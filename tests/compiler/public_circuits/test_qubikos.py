"""QUBIKOS circuits against an exhaustive search, and against their own routing."""

from itertools import permutations

import pytest
from qiskit.transpiler import CouplingMap

from compiler.errors import InputError
from compiler.public_circuits import circuit_from_spec
from compiler.public_circuits.qubikos import known_routing
from compiler.targets import target_from_spec

GRAPHS = {
    "line": [(i, i + 1) for i in range(5)],
    "ring": [(i, (i + 1) % 6) for i in range(6)],
    "star": [(0, i) for i in range(1, 6)],
    "ladder": [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)],
    "H": [(0, 1), (1, 2), (1, 3), (3, 5), (4, 5), (5, 6)],
}


def pairs_of(circuit):
    return [
        tuple(circuit.find_bit(qubit).index for qubit in item.qubits)
        for item in circuit.data
        if item.operation.name == "cx"
    ]


def fewest_swaps(pairs, edges, qubits):
    """Search all layouts, one swap at a time, gates run as soon as they can."""
    coupled = {frozenset(edge) for edge in edges}
    queues = [[i for i, pair in enumerate(pairs) if q in pair] for q in range(qubits)]

    def run(places, front):
        front, busy = list(front), True
        while busy:
            busy = False
            for q in range(qubits):
                while front[q] < len(queues[q]):
                    a, b = pairs[queues[q][front[q]]]
                    ready = queues[a][front[a] :][:1] == queues[b][front[b] :][:1]
                    if not ready or frozenset((places[a], places[b])) not in coupled:
                        break
                    front[a] += 1
                    front[b] += 1
                    busy = True
        return tuple(front)

    done = tuple(map(len, queues))
    states = {(p, run(p, (0,) * qubits)) for p in permutations(range(qubits))}
    seen, swaps = set(states), 0
    while all(front != done for _, front in states):
        moved = set()
        for places, front in states:
            for a, b in edges:
                after = tuple({a: b, b: a}.get(place, place) for place in places)
                moved.add((after, run(after, front)))
        states, swaps = moved - seen, swaps + 1
        seen |= states
    return swaps


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("swaps", [1, 2])
def test_an_exhaustive_search_finds_the_optimum(name, swaps):
    edges = GRAPHS[name]
    qubits = max(map(max, edges)) + 1
    for seed in range(2):
        pairs = pairs_of(known_routing(CouplingMap(edges), swaps, seed).circuit)
        assert fewest_swaps(pairs, edges, qubits) == swaps


@pytest.mark.parametrize("target", ["heavy-hex:torino", "star:17", "iqm:garnet"])
def test_its_own_routing_fits_with_as_many_swaps(target):
    coupling = target_from_spec(target).build_coupling_map()
    coupled = {frozenset(edge) for edge in coupling.get_edges()}
    known = known_routing(coupling, 10, 3)
    assert len(known.swaps) == 10
    places, swaps = list(known.layout), list(known.swaps)
    assert len(set(places)) == len(places) == known.circuit.num_qubits
    for number, (a, b) in enumerate(pairs_of(known.circuit)):
        while swaps and swaps[0][0] == number:
            p, q = swaps.pop(0)[1]
            assert frozenset((p, q)) in coupled
            places = [{p: q, q: p}.get(place, place) for place in places]
        assert frozenset((places[a], places[b])) in coupled
    assert not swaps


def test_the_spec_says_all():
    first = circuit_from_spec("qubikos:heavy-hex:torino:5:0", 0)
    assert first == circuit_from_spec("qubikos:heavy-hex:torino:5:0", 7)
    assert first != circuit_from_spec("qubikos:heavy-hex:torino:5:1", 0)
    assert first.num_qubits == 129, "four qubits of the device are cut off"
    assert first.name == "qubikos:heavy-hex:torino:5:0"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("qubikos", "benchmark 'qubikos:': write qubikos:TARGET:SWAPS:SEED"),
        ("qubikos:star:5:x:0", "benchmark 'qubikos:star:5:x:0': write qubikos:TARGET:SWAPS:SEED"),
        ("qubikos:star:5:0:0", "QUBIKOS with 0 swaps: write from 1 to 100"),
        ("qubikos:star:5:101:0", "QUBIKOS with 101 swaps: write from 1 to 100"),
        ("qubikos:all:5:1:0", "'all:5' needs no swaps at all"),
        ("qubikos:star:2:1:0", "QUBIKOS: all qubits of the target are coupled"),
    ],
)
def test_bad_specs(spec, message):
    with pytest.raises(InputError, match=message):
        circuit_from_spec(spec, 0)
