"""Paths of measured bits, all or sampled."""

from collections import Counter, defaultdict
from math import asin, sqrt

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import Measure, Parameter
from qiskit.circuit.library import CZGate, HGate, RXGate, RYGate, XGate, ZGate
from qiskit.transpiler import Target

from backends import CircuitJob, backend_from_spec
from compiler.compilation import Options, compile
from compiler.dynamic.pieces import final_part
from compiler.errors import VerificationError
from compiler.program import Program
from compiler.verification import sampled_paths
from compiler.verification.program import (
    Verdict,
    compared,
    program_state,
    require_lowered,
    verify_lowered,
)
from compiler.verification.sampled_paths import has_too_many_paths, sampled_verdict
from compiler.verification.simulation.path_runs import (
    drawn_paths,
    estimated_paths,
    followed_paths,
    sampled_outcomes,
)
from tests.compiler.dynamic.circuits import random_dynamic, teleported
from tests.independent import distribution, world_of

LAYOUT = (2, 0, 3)
IDLE = 1


def device() -> Target:
    """Return four coupled qubits with rather many gates."""
    target = Target(num_qubits=4)
    angle = Parameter("angle")
    for gate in (HGate(), XGate(), ZGate(), RXGate(angle), RYGate(angle), CZGate(), Measure()):
        target.add_instruction(gate)
    return target


def program() -> QuantumCircuit:
    """Return a program with a measurement in a branch, a reset, and a qubit used again."""
    circuit = QuantumCircuit(3, 4)
    circuit.h([0, 2])
    circuit.cx(0, 1)
    circuit.ry(0.4, 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)) as otherwise:
        circuit.rx(0.3, 1)
        circuit.measure(1, 3)
    with otherwise:
        circuit.z(2)
    circuit.reset(0)
    circuit.ry(0.7, 0)
    circuit.cz(0, 2)
    circuit.measure([0, 1], [0, 1])
    return circuit


def native(flaw: str = "") -> QuantumCircuit:
    """Return what does the same as the program on a device, but for a flaw."""
    a, b, c = LAYOUT
    circuit = QuantumCircuit(4, 4)
    circuit.h([a, b, c])
    circuit.cz(a, b)
    circuit.h(b)
    circuit.ry(0.4, b)
    circuit.measure(b if flaw == "measured qubit" else a, 0)
    asked = (circuit.clbits[1 if flaw == "asked bit" else 0], int(flaw != "asked value"))
    with circuit.if_test(asked) as otherwise:
        circuit.rx(0.4 if flaw == "gate in a body" else 0.3, b)
        if flaw != "measurement in a body":
            circuit.measure(c if flaw == "measured qubit in a body" else b, 3)
    with otherwise:
        if flaw != "other body":
            circuit.z(c)
    if flaw != "reset":
        circuit.reset(b if flaw == "reset qubit" else a)
    circuit.ry(0.8 if flaw == "later gate" else 0.7, a)
    circuit.cz(a, c)
    if flaw == "later reset":
        circuit.reset(c)
    if flaw == "idle qubit":
        circuit.h(IDLE)
    if flaw == "idle entangled":
        circuit.h(IDLE)
        circuit.cz(IDLE, c)
        circuit.h(IDLE)
    if flaw == "harmless":
        circuit.reset(IDLE)
        circuit.x(IDLE)
        circuit.reset(IDLE)
    circuit.measure([b, a] if flaw == "final measurement" else [a, b], [0, 1])
    return circuit


FLAWS = (
    "measured qubit", "asked bit", "asked value", "gate in a body", "measurement in a body",
    "measured qubit in a body", "other body", "reset", "reset qubit", "later gate", "later reset",
    "idle qubit", "idle entangled", "final measurement",
)  # fmt: skip


def proven(circuit: QuantumCircuit) -> Verdict:
    return verify_lowered(program(), program_state(program()), circuit, LAYOUT, device())


@pytest.mark.parametrize("flaw", ["", "harmless"])
def test_a_right_circuit_is_proven_on_every_path(flaw):
    found = proven(native(flaw))
    assert found.verified == "exact"
    assert "equal up to a phase for each of 3 paths of measured bits (off by" in found.detail


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_wrong_circuit_is_refused(flaw):
    """On every path, and on those that were drawn."""
    for proof in (proven, proven_by_samples):
        with pytest.raises(VerificationError):
            proof(native(flaw))


def test_a_gate_that_is_not_native_is_found_in_a_body():
    circuit = native()
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.s(0)
    with pytest.raises(VerificationError, match=r"gate 's' on qubits \(0,\) is not native"):
        proven(circuit)


def rarely(qubits: int, *, wrong: bool) -> QuantumCircuit:
    """Return a circuit of many equally rare paths, on half of which something rare happens."""
    circuit = QuantumCircuit(qubits + 1, qubits + 1)
    circuit.ry(2 * asin(sqrt(4e-6)), 0)
    circuit.h(range(1, qubits))
    circuit.measure(range(qubits), range(qubits))
    with circuit.if_test((circuit.clbits[0], 1)):
        (circuit.x if wrong else circuit.h)(qubits)
    circuit.x(range(qubits + 1))
    return circuit


def test_rare_paths_are_not_skipped_if_they_add_up():
    """Each of 4,096 has a probability below 1e-9, all together have 4e-6."""
    circuit = rarely(13, wrong=False)
    state, layout = program_state(circuit), tuple(range(14))
    assert compared(circuit, state, circuit, layout).verified == "exact"
    with pytest.raises(VerificationError, match="on the path bit 0 = 1"):
        compared(circuit, state, rarely(13, wrong=True), layout)


@pytest.mark.parametrize("layout", [(0, 0), (0,), (0, 3)])
@pytest.mark.parametrize("proof", ["exact", "sampled", "form"])
def test_a_layout_that_does_not_place_every_qubit_once_is_refused(layout, proof):
    """The second of two entangled qubits is lost."""
    wanted, lost = QuantumCircuit(2, 1), QuantumCircuit(3, 1)
    wanted.h(0)
    wanted.cx(0, 1)
    wanted.measure(0, 0)
    lost.h(0)
    lost.measure(0, 0)
    with pytest.raises(VerificationError, match="does not place every qubit once"):
        match proof:
            case "exact":
                compared(wanted, program_state(wanted), lost, layout)
            case "sampled":
                sampled_verdict(wanted, lost, layout)
            case _:
                require_lowered(wanted, lost, layout, device())


def test_other_classical_bits_are_refused():
    more = QuantumCircuit(4, 5)
    more.compose(native(), inplace=True)
    with pytest.raises(VerificationError, match="5 classical bits instead of the program's 4"):
        proven(more)


TARGETS = ("all", "star", "heavy-hex:torino")
OPTIONS = Options("best", seeds=1, budget=10)


@pytest.mark.parametrize("target", TARGETS)
def test_every_pipeline_teleports(target):
    compiled = compile(Program.of_circuit(teleported()), target, OPTIONS)
    assert {one.attempt.pipeline: one.error for one in compiled.candidates} == dict.fromkeys(
        {one.attempt.pipeline for one in compiled.candidates}, ""
    )
    assert compiled.figures.two_qubit_gates == 3


MANY = 20
FEWER = 8
"""Tosses whose paths are too many where `HOPELESS` is lowered."""


def proven_by_samples(circuit):
    require_lowered(program(), circuit, LAYOUT, device())
    return sampled_verdict(program(), circuit, LAYOUT, seed=3)


def many_paths(angle=0.5, tosses=MANY):
    """Return a qubit that is tossed again and again, and turns another one each time."""
    circuit = QuantumCircuit(2, tosses + 1)
    for toss in range(tosses):
        circuit.h(0)
        circuit.measure(0, toss)
        with circuit.if_test((circuit.clbits[toss], 1)):
            circuit.ry(angle if toss == tosses // 2 else 0.5, 1)
        circuit.cz(0, 1)
        circuit.reset(0)
    circuit.measure(1, tosses)
    return circuit


@pytest.mark.parametrize("flaw", ["", "harmless"])
def test_a_right_circuit_is_proven_on_what_was_drawn(flaw):
    found = proven_by_samples(native(flaw))
    assert found.verified == "sampled"
    assert "200 paths of measured bits drawn, 3 different ones" in found.detail


@pytest.mark.parametrize("seed", range(3))
def test_paths_leave_the_states_that_a_density_matrix_has(seed):
    circuit = random_dynamic(seed, qubits=3)
    rest, _ = final_part(circuit)
    wanted = defaultdict(lambda: np.zeros((8, 8), complex))
    for state, memory in world_of(rest, range(3)).branches:
        wanted[memory] += np.outer(state, state.conj())
    found = defaultdict(lambda: np.zeros((8, 8), complex))
    for end in drawn_paths(rest, 3000, seed):
        vectors = defaultdict(lambda: np.zeros(8, complex))
        for row, amplitude in zip(end.state.bits, end.state.amplitudes, strict=True):
            bits, hidden = row[: end.qubits], tuple(row[end.qubits :])
            vectors[hidden][sum(1 << q for q in np.flatnonzero(bits))] = amplitude
        for vector in vectors.values():
            found[end.memory] += end.probability * np.outer(vector, vector.conj())
    seen = sum(np.trace(rho).real for rho in found.values())
    assert 0.99 < seen < 1 + 1e-9
    for memory, rho in found.items():
        missing = wanted[memory] - rho
        # Paths that were not drawn have a positive share each.
        assert np.linalg.eigvalsh(missing).min() > -1e-9
        assert np.trace(missing).real < 1 - seen + 1e-9


@pytest.mark.parametrize("seed", [0])
def test_shots_are_distributed_as_a_density_matrix_says(seed):
    circuit = random_dynamic(seed, qubits=3)
    shots = 4000
    counts = Counter(sampled_outcomes(circuit, shots, seed))
    wanted = distribution(circuit)
    assert counts.keys() <= wanted.keys()
    for outcome, p in wanted.items():
        spread = (shots * p * max(0.0, 1 - p)) ** 0.5
        assert abs(counts[outcome] - shots * p) < 5 * spread + 1


def test_the_number_of_paths_is_estimated_where_all_are_possible():
    rest, _ = final_part(many_paths())
    assert estimated_paths(rest) == 2**MANY
    assert estimated_paths(final_part(program())[0], seed=1) == pytest.approx(3, abs=1)


def test_a_path_that_a_circuit_never_takes_has_no_end():
    circuit = QuantumCircuit(1, 2)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 0)):
        circuit.measure(0, 1)
    taken = {(0, 0): True, (1, 0): False}
    never = ({(0, 0): False, (1, 0): False}, {(0, 0): True, (1, 0): True})
    ends = dict(followed_paths(circuit, [never[0], taken, never[1]]))
    assert (ends[0], ends[2]) == (None, None)
    assert ends[1] is not None
    assert ends[1].probability == 1


@pytest.mark.parametrize("any_input", [False, pytest.param(True, marks=pytest.mark.full)])
def test_more_paths_than_are_compared_are_sampled(monkeypatch, any_input):
    assert has_too_many_paths(many_paths())
    circuit = many_paths(tosses=FEWER)
    assert not has_too_many_paths(circuit)
    monkeypatch.setattr(sampled_paths, "HOPELESS", 1 << FEWER - 1)
    made = compile(
        Program.of_circuit(circuit), "all", Options(method="fast", any_input=any_input or None)
    )
    assert made.verified == "sampled"
    assert "200 paths of measured bits drawn, " in made.chosen.verdict.detail
    with pytest.raises(VerificationError, match="the state's fidelity"):
        sampled_verdict(many_paths(0.5001, FEWER), made.circuit, made.chosen.final_layout)


def test_sampled_circuits_run_on_the_exact_simulator(monkeypatch):
    monkeypatch.setattr(sampled_paths, "HOPELESS", 1 << FEWER - 1)
    machine = backend_from_spec("sparse")
    counts = machine.run(CircuitJob(many_paths(tosses=FEWER), "all", 300, 5))
    assert sum(counts.values()) == 300
    for bit in range(FEWER):
        assert 100 < sum(n for outcome, n in counts.items() if outcome >> bit & 1) < 200
