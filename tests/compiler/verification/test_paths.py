"""Native circuits that measure on the way: right ones are proven, wrong ones refused."""

from functools import partial
from math import asin, sqrt

import pytest
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit import Measure, Parameter
from qiskit.circuit.library import CZGate, HGate, RXGate, RYGate, XGate, ZGate
from qiskit.transpiler import Target

from compiler.compilation import Options, compile
from compiler.errors import VerificationError
from compiler.program import Program
from compiler.verification import paths
from compiler.verification.program import (
    Verdict,
    compared,
    outcome_distribution,
    program_state,
    require_lowered,
    verify_lowered,
)
from compiler.verification.sampled_paths import sampled_verdict
from tests.compiler.dynamic.circuits import random_dynamic, teleported
from tests.independent import distribution

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
    with pytest.raises(VerificationError):
        proven(native(flaw))


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


@pytest.mark.parametrize(("angle", "right"), [(1e-9, True), (1e-7, False)])
def test_what_happens_on_all_rare_paths_together_may_be_rounding(angle, right):
    """The paths that only the native circuit takes have the probability (angle / 2)²."""
    circuit, other = QuantumCircuit(3, 3), QuantumCircuit(3, 3)
    other.ry(angle, 0)
    for made in (circuit, other):
        made.h([1, 2])
        made.measure(range(3), range(3))
        made.x([0, 1, 2])
    proof = partial(compared, circuit, program_state(circuit), other, (0, 1, 2))
    if right:
        assert proof().verified == "exact"
    else:
        with pytest.raises(VerificationError):
            proof()


@pytest.mark.parametrize("layout", [(0, 0), (0,), (0, 1, 2), (0, 3), (0, -1)])
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


def test_too_many_paths_are_not_called_proven(monkeypatch):
    monkeypatch.setattr(paths, "MOST_PATHS", 2)
    found = proven(native())
    assert found.verified == "unverified"
    assert "3 paths of measured bits are more than the 2" in found.detail


TARGETS = ("all", "star", "heavy-hex:torino")
OPTIONS = Options(seeds=1, budget=10)


@pytest.mark.parametrize("target", TARGETS)
def test_every_pipeline_teleports(target):
    compiled = compile(Program.of_circuit(teleported()), target, OPTIONS)
    assert {one.attempt.pipeline: one.error for one in compiled.candidates} == dict.fromkeys(
        {one.attempt.pipeline for one in compiled.candidates}, ""
    )
    for name in {one.attempt.pipeline for one in compiled.candidates}:
        options = evolve(OPTIONS, pipelines=(name,))
        alone = compile(Program.of_circuit(teleported()), target, options)
        assert alone.verified == "exact"
    assert compiled.figures.two_qubit_gates == 3


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(n, marks=pytest.mark.full) for n in range(3, 30))]
)
def test_random_circuits_are_lowered_right(seed):
    circuit = random_dynamic(seed, qubits=4)
    options = Options(method="fast", seed=seed, budget=10)
    compiled = compile(Program.of_circuit(circuit), TARGETS[seed % 3], options)
    assert compiled.verified == "exact"
    found = outcome_distribution(compiled.circuit, program_state(compiled.circuit))
    assert found == pytest.approx(distribution(circuit), abs=1e-6)


def test_what_is_measured_on_the_way_may_be_the_last_that_a_machine_does():
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.swap(0, 1)
    circuit.measure(0, 1)
    compiled = compile(Program.of_circuit(circuit), "all", OPTIONS)
    assert compiled.verified == "exact"
    assert compiled.figures.two_qubit_gates == 0
