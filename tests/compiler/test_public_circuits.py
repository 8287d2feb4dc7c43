"""Public circuits: suites and QUBIKOS."""

from itertools import permutations
from math import comb

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import QFTGate
from qiskit.quantum_info import Operator, SparsePauliOp, Statevector
from qiskit.transpiler import CouplingMap
from scipy.linalg import expm

from compiler.errors import InputError
from compiler.formats.circuit_files import circuit_from_qasm
from compiler.formats.openqasm.writing import qasm3_text
from compiler.public_circuits import circuit_from_spec, public_circuits
from compiler.public_circuits.qubikos import known_routing
from compiler.targets import target_from_spec
from games import named_game

RANDOM = (
    "adder", "grover", "qaoa", "quantum-volume", "random-clifford-t", "random-cx",
    "random-cx-1000", "vqe-full", "vqe-linear",
)  # fmt: skip


def smallest(name):
    return public_circuits[name].smallest


@pytest.mark.parametrize("name", public_circuits)
def test_the_seed_says_every_gate(name):
    first, again, other = (circuit_from_spec(smallest(name), seed) for seed in (3, 3, 4))
    assert first == again
    assert (first == other) is (name not in RANDOM)
    assert first.num_clbits == 0
    assert max(len(item.qubits) for item in first.data) <= 3


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.full] if name == "random-cx-1000" else [])
        for name in public_circuits
    ],
)
def test_every_benchmark_is_read_back_from_openqasm(name):
    circuit = circuit_from_spec(smallest(name), 1)
    back = circuit_from_qasm(qasm3_text(circuit), f"{name}.qasm")
    fidelity = abs(Statevector(circuit).inner(Statevector(back))) ** 2
    assert fidelity == pytest.approx(1, abs=1e-9)


def test_ghz():
    state = Statevector(circuit_from_spec("ghz:6", 0))
    assert state.probabilities_dict() == pytest.approx({"000000": 0.5, "111111": 0.5})


def test_qft():
    assert Operator(circuit_from_spec("qft:5", 0)).equiv(Operator(QFTGate(5)))


def test_dicke():
    amplitudes = Statevector(circuit_from_spec("dicke:7", 0)).data
    weights = np.array([index.bit_count() for index in range(1 << 7)])
    assert np.allclose(amplitudes[weights == 3], comb(7, 3) ** -0.5)
    assert np.allclose(amplitudes[weights != 3], 0)


@pytest.mark.parametrize("qubits", [7, 8])
def test_adder(qubits):
    circuit = circuit_from_spec(f"adder:{qubits}", 0)
    bits = 3
    plain = QuantumCircuit(qubits)
    for item in circuit.data:
        if item.operation.name != "ry":
            plain.append(item)
    for a in range(1 << bits):
        for b in range(1 << bits):
            state = Statevector.from_int(a | b << bits, 1 << qubits).evolve(plain)
            total = a + b if qubits == 8 else (a + b) % (1 << bits)
            assert state.probabilities_dict(decimals=9) == {
                format(a | total << bits, f"0{qubits}b"): 1.0
            }


def test_grover_finds_the_marked_state():
    for seed in range(3):
        probabilities = Statevector(circuit_from_spec("grover:6", seed)).probabilities()
        assert probabilities.max() > 0.99


def test_heisenberg_conserves_what_it_must():
    """Evolution is that of the matrix exponential up to Trotter's error, and keeps the spin."""
    circuit = circuit_from_spec("heisenberg:5", 0)
    pairs = [(i, i + 1) for i in range(4)]
    terms = [(axis * 2, pair, 0.5) for pair in pairs for axis in "XYZ"]
    energy = SparsePauliOp.from_sparse_list(terms, 5).to_matrix()
    start = np.zeros(32)
    start[0b10101] = 1
    exact = expm(-1j * 5 * 0.2 * energy) @ start
    found = Statevector(circuit).data
    assert abs(np.vdot(exact, found)) ** 2 == pytest.approx(1, abs=0.03)
    weights = np.array([index.bit_count() for index in range(32)])
    assert np.allclose(found[weights != 3], 0)


def test_outcomes_are_those_of_the_toy():
    exact = named_game("skat-4").exact_distribution()
    found = Statevector(circuit_from_spec("outcomes:4", 0)).probabilities()
    assert found == pytest.approx([float(exact.get(owners, 0)) for owners in range(16)])


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
@pytest.mark.parametrize("swaps", [2])
def test_an_exhaustive_search_finds_the_optimum(name, swaps):
    edges = GRAPHS[name]
    qubits = max(map(max, edges)) + 1
    for seed in range(2):
        pairs = pairs_of(known_routing(CouplingMap(edges), swaps, seed).circuit)
        assert fewest_swaps(pairs, edges, qubits) == swaps


@pytest.mark.parametrize("target", ["heavy-hex:torino"])
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


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("qft:4", "benchmark 'qft:4': write qft:N with N from 5 to 133"),
        ("qaoa:7", "benchmark 'qaoa:7': write qaoa:N with N from 6 to 132 in steps of 2"),
        ("qubikos:star:5:x:0", "benchmark 'qubikos:star:5:x:0': write qubikos:TARGET:SWAPS:SEED"),
        ("qubikos:star:5:101:0", "QUBIKOS with 101 swaps: write from 1 to 100"),
        ("qubikos:all:5:1:0", "'all:5' needs no swaps at all"),
    ],
)
def test_bad_specs(spec, message):
    with pytest.raises(InputError, match=message):
        circuit_from_spec(spec, 0)
