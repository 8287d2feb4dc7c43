"""Qubits that are used again."""

from functools import cache
from itertools import permutations

import numpy as np
import pytest
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, Gate, QuantumRegister, library
from qiskit.quantum_info import Operator

from compiler.compilation import Options, compile, plan
from compiler.compilation.candidate import lower
from compiler.compilation.proof import prove
from compiler.errors import TargetError, VerificationError
from compiler.formats.circuit_files import read_qpy
from compiler.lowering.draft import no_clock
from compiler.program import Program
from compiler.reuse import order
from compiler.reuse.narrowing import narrowed, narrowest
from compiler.reuse.order import best_order
from compiler.reuse.wires import axes_of, wires_of
from compiler.verification.reuse import verify_reuse
from tests.compiler.lowering.drafts import random_gates
from tests.independent import distribution


def ghz(qubits: int) -> QuantumCircuit:
    """Return a ladder of CX, for which two qubits do."""
    circuit = QuantumCircuit(qubits, qubits, name="ghz")
    circuit.h(0)
    for qubit in range(qubits - 1):
        circuit.cx(qubit, qubit + 1)
    circuit.measure(range(qubits), range(qubits))
    return circuit


def qaoa_ring(qubits: int) -> QuantumCircuit:
    """Return one layer of QAOA on a ring, for which three qubits do."""
    circuit = QuantumCircuit(qubits, qubits, name="qaoa-ring")
    circuit.h(range(qubits))
    for qubit in range(qubits):
        circuit.rzz(0.7, qubit, (qubit + 1) % qubits)
    circuit.rx(0.9, range(qubits))
    circuit.measure(range(qubits), range(qubits))
    return circuit


def random_sparse(seed: int, qubits: int = 5, gates: int = 8) -> QuantumCircuit:
    """Return few gates on many qubits, most of them measured, with some resets and conditions."""
    rng = np.random.default_rng(seed)
    register = ClassicalRegister(qubits, "c")
    circuit = QuantumCircuit(QuantumRegister(qubits, "q"), register, name=f"sparse-{seed}")
    for _ in range(gates):
        a, b = rng.permutation(qubits)[:2].tolist()
        match rng.integers(9):
            case 0 | 1:
                circuit.cx(a, b)
            case 2:
                circuit.rzz(float(rng.uniform(-3, 3)), a, b)
            case 3:
                circuit.crx(float(rng.uniform(-3, 3)), a, b)
            case 4 | 5:
                circuit.u(*rng.uniform(-3, 3, 3).tolist(), a)
            case 6:
                circuit.u(*rng.uniform(-3, 3, 3).tolist(), a)
                circuit.measure(a, register[a])
                with circuit.if_test((register[a], 1)):
                    circuit.x(b)
            case 7:
                circuit.h(a)
                circuit.barrier()
            case 8:
                circuit.ry(float(rng.uniform(-3, 3)), a)
                circuit.reset(a)
    for qubit in range(qubits):
        if rng.integers(5):
            circuit.measure(qubit, register[qubit])
    return circuit


GATES = (
    library.XGate(), library.SXGate(), library.SGate(), library.HGate(), library.RYGate(0.3),
    library.UGate(0.1, 0.2, 0.3), library.CXGate(), library.CZGate(),
    library.CXGate(ctrl_state=0), library.CPhaseGate(0.4), library.CHGate(), library.RZZGate(0.5),
    library.RXXGate(0.6), library.RZXGate(0.7), library.SwapGate(), library.CCXGate(),
    library.C3XGate(),
)  # fmt: skip


def test_gates_of_other_classes_have_no_axis_whatever_they_are_called():
    assert axes_of(Gate("rz", 1, [0.3])) == (None,)
    assert set(axes_of(library.UnitaryGate(library.XGate()))) == {None}


@pytest.mark.parametrize("controls", [1, 2, 5])
def test_controlled_gates_of_other_classes_have_no_axis(controls):
    own = QuantumCircuit(1, name="own")
    own.rz(0.3, 0)
    for base in (
        own.to_gate(),
        library.UnitaryGate(library.XGate()),
        library.DiagonalGate([1, 1j]),
    ):
        assert set(axes_of(base.control(controls, annotated=False))) == {None}


@pytest.mark.parametrize("first", GATES, ids=lambda gate: gate.name)
def test_gates_with_the_same_axes_on_what_they_share_commute(first):
    """Every other gate is laid across this one in every way on five qubits."""
    seen = 0
    own = range(first.num_qubits)
    for second in GATES:
        for places in permutations(range(5), second.num_qubits):
            shared = [qubit for qubit in own if qubit in places]
            mine, theirs = axes_of(first), axes_of(second)
            if not shared or any(
                mine[qubit] is None or mine[qubit] != theirs[places.index(qubit)]
                for qubit in shared
            ):
                continue
            one, other = QuantumCircuit(5), QuantumCircuit(5)
            one.append(first, own)
            one.append(second, places)
            other.append(second, places)
            other.append(first, own)
            assert np.allclose(Operator(one).data, Operator(other).data)
            seen += 1
            if seen > 150:
                return
    assert seen or set(axes_of(first)) == {None}


@pytest.mark.parametrize("seed", range(6))
def test_random_circuits_are_distributed_as_before(seed):
    """The reference multiplies density matrices, branch by branch."""
    circuit = random_sparse(seed)
    program = Program(circuit).reusing()
    assert distribution(program.circuit) == pytest.approx(distribution(circuit), abs=1e-9)
    assert program.circuit.num_qubits == circuit.num_qubits - program.reuse.saved
    if program.reuse.chains:
        verify_reuse(circuit, program.circuit, program.reuse.chains)


def test_what_needs_all_its_qubits_stays_as_it_is():
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.measure([0, 1], [0, 1])
    program = Program(circuit).reusing()
    assert program.circuit is circuit
    assert (program.reuse.saved, program.reuse.chains) == (0, ())


@pytest.mark.parametrize("chains", [((0, 1, 2),), ((2, 1), (0, 3)), ((0, 1), (2, 3, 3))])
def test_impossible_chains_are_refused(chains):
    with pytest.raises(VerificationError):
        narrowed(ghz(4), chains)


def many_wires(qubits, resets):
    """Return a circuit that measures and resets its qubits in turn, after they met others."""
    circuit = QuantumCircuit(qubits, resets)
    for number in range(resets):
        qubit = number % qubits
        circuit.h(qubit)
        circuit.cx(qubit, (qubit + 1) % qubits)
        circuit.measure(qubit, number)
        circuit.reset(qubit)
    return circuit


def test_nobody_narrows_a_circuit_of_many_wires_unasked(monkeypatch):
    settled = plan.settled_program

    def unnarrowed(program, options, target):
        assert not options.reuse_qubits
        return settled(program, options, target)

    monkeypatch.setattr(plan, "settled_program", unnarrowed)
    program = Program.of_circuit(many_wires(6, 95))
    with pytest.raises(TargetError, match=r"has 4; .+ or another encoding$"):
        compile(program, "star:4", Options())


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


@pytest.mark.parametrize("seed", range(4))
def test_the_width_is_the_least_of_all_orders(seed):
    circuit = random_sparse(seed, qubits=6, gates=8)
    _, width = best_order(wires_of(circuit))
    assert width == narrowest_by_all_orders(circuit)


@pytest.mark.parametrize(
    ("circuit", "width"),
    [(ghz(60), 2), (qaoa_ring(40), 3)],
    ids=lambda value: getattr(value, "name", value),
)
def test_known_widths(circuit, width):
    assert best_order(wires_of(circuit))[1] == width


def test_circuits_of_many_wires_keep_the_order_in_which_these_are_done(monkeypatch):
    monkeypatch.setattr(order, "MAX_WIRES", 20)
    monkeypatch.setattr(order._Cones, "normalised", lambda *_: pytest.fail("takes their square"))
    circuit = many_wires(6, 30)
    chains = narrowest(circuit)
    assert len(chains) == 2
    verify_reuse(circuit, narrowed(circuit, chains), chains)


@pytest.mark.parametrize("seed", range(3))
def test_routers_reset_what_is_done_with(seed):
    """The reference follows state vectors, branch by branch."""
    circuit = QuantumCircuit(6, 2, name="discards")
    circuit.x(5)
    for part in range(3):
        circuit.compose(random_gates(3, 5, 3 * seed + part), [part, part + 1, 4], inplace=True)
        circuit.barrier()
    circuit.cx(5, 0)
    circuit.measure([0, 5], [0, 1])
    options = Options(pipelines=("reusing-paths",), reuse_qubits=True, seeds=1)
    planned = plan.plan(Program.of_circuit(circuit), "heavy-hex", options)
    candidate = prove(planned, no_clock, lower(planned, no_clock, planned.attempts[0]))
    assert candidate.verdict.verified == "exact"
    native = read_qpy(candidate.native, "native")
    assert native.count_ops()["reset"] > 0
    assert distribution(native) == pytest.approx(distribution(circuit), abs=1e-9)
    wrong = evolve(candidate, final_layout=candidate.final_layout[::-1])
    assert prove(planned, no_clock, wrong).verdict.verified == "refuted"
