"""Circuits of the providers' guides, compiled or refused."""

from collections.abc import Callable, Mapping
from math import acos, pi
from typing import NamedTuple

import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr
from qiskit_aer import AerSimulator

from compiler.compilation import Options, compile
from compiler.errors import InputError
from compiler.formats.circuit_files import circuit_from_qpy, qpy_bytes
from compiler.program import Program
from compiler.verification.program import outcome_distribution, program_state

Distribution = Mapping[str, float]


class Guide(NamedTuple):
    """A circuit, and the distribution of its bits, the highest first."""

    build: Callable[[], QuantumCircuit]
    wanted: Distribution


def on(qubits: int, *registers: ClassicalRegister | int) -> QuantumCircuit:
    """Return an empty circuit with named registers."""
    bits = [
        ClassicalRegister(each, f"c{i}") if isinstance(each, int) else each
        for i, each in enumerate(registers)
    ]
    return QuantumCircuit(QuantumRegister(qubits, "q"), *bits)


def looped_branches() -> QuantumCircuit:
    """Return a loop in which a toss decides, in each turn."""
    circuit = on(2, 2)
    with circuit.for_loop(range(1, 3)) as turn:
        circuit.reset(0)
        circuit.rx(pi * turn - pi / 2, 0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.x(1)
    circuit.measure(1, 1)
    return circuit


def boxed() -> QuantumCircuit:
    """Return a box, and a delay that stretches."""
    circuit = on(2, 2)
    circuit.h(0)
    with circuit.box():
        circuit.cx(0, 1)
    circuit.delay(circuit.add_stretch("rest"), 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(1)
    circuit.measure(1, 1)
    return circuit


GUIDES: Mapping[str, Guide] = {
    "looped branches": Guide(looped_branches, dict.fromkeys(("00", "10", "01", "11"), 1 / 4)),
    "boxed": Guide(boxed, {"00": 1 / 2, "01": 1 / 2}),
}


def iterative_phase() -> QuantumCircuit:
    """Return the phase 5/8 of a gate, bit by bit, the lowest first, with one qubit that reads."""
    circuit = on(2, 3)
    circuit.x(1)
    for step in range(3):
        circuit.reset(0)
        circuit.h(0)
        circuit.cp(2 * pi * 5 / 8 * 2 ** (2 - step), 0, 1)
        for known in range(step):
            with circuit.if_test((circuit.clbits[known], 1)):
                circuit.p(-pi / 2 ** (step - known), 0)
        circuit.h(0)
        circuit.measure(0, step)
    return circuit


def until_success(attempts: int = 3) -> QuantumCircuit:
    """Return a turn by arccos(3/5) about x that succeeds with 5/8, tried again while it fails.

    What it does where it fails is an X, which is undone. The turn is taken back in the end.
    """
    register = ClassicalRegister(2, "tried")
    circuit = on(3, register, 1)

    def attempt() -> None:
        circuit.h([0, 1, 2])
        circuit.ccx(0, 1, 2)
        circuit.s(2)
        circuit.ccx(0, 1, 2)
        circuit.h([0, 1, 2])
        circuit.measure([0, 1], register)

    attempt()
    for _ in range(attempts - 1):
        with circuit.if_test(expr.not_equal(register, 0)):
            circuit.x(2)
            circuit.reset([0, 1])
            attempt()
    with circuit.if_test((register, 0)) as otherwise:
        circuit.rx(-acos(3 / 5), 2)
    with otherwise:
        circuit.x(2)
    circuit.measure(2, 2)
    return circuit


ALGORITHMS: Mapping[str, Guide] = {
    "iterative phase": Guide(iterative_phase, {"101": 1}),
    "until success": Guide(
        until_success,
        {"000": 1 - (3 / 8) ** 3} | {f"0{n:02b}": (3 / 8) ** 3 / 3 for n in (1, 2, 3)},
    ),
}


def not_bounded() -> QuantumCircuit:
    """Return a loop that ends when a toss comes down as 0."""
    circuit = on(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.measure(0, 0)
    return circuit


def left_early() -> QuantumCircuit:
    """Return a loop that is left when a toss comes down as 1."""
    circuit = on(1, 1)
    with circuit.for_loop(range(5)):
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.break_loop()
    return circuit


def stored() -> QuantumCircuit:
    """Return a condition on a variable that was computed on the way."""
    circuit = on(2, 2)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    parity = circuit.add_var("parity", expr.lift(False))
    circuit.store(parity, expr.bit_xor(circuit.clbits[0], circuit.clbits[1]))
    with circuit.if_test(parity):
        circuit.x(1)
    return circuit


REFUSED: Mapping[str, tuple[Callable[[], QuantumCircuit], str]] = {
    "while": (not_bounded, "'while_loop' has no bound; write a for loop"),
    "break": (left_early, "a loop has 'break' or 'continue'; put an if around"),
    "store": (stored, "'store' computes on the way; write the computed expression into"),
}


SHOWN = {**GUIDES, **ALGORITHMS}
TARGETS = ("star", "heavy-hex:torino")
SHOTS = 4000
TARGET_OF = [
    pytest.param(name, target, marks=[] if number == place % len(TARGETS) else [pytest.mark.full])
    for place, name in enumerate(SHOWN)
    for number, target in enumerate(TARGETS)
]
"""Targets take turns; the rest is for `make test-full`."""
OPTIONS = Options("fast", pipelines=("qiskit",), seeds=1)


def read(circuit: QuantumCircuit, name: str) -> Program:
    return Program.of_circuit(circuit_from_qpy(qpy_bytes(circuit), name))


@pytest.mark.parametrize("name", SHOWN)
def test_a_guide_measures_what_it_says_shot_by_shot(name):
    """The reference is Aer, which follows every shot; ours must agree with both."""
    guide = SHOWN[name]
    circuit = read(guide.build(), name).circuit
    found = outcome_distribution(circuit, program_state(circuit))
    wanted = {int(bits, 2): p for bits, p in guide.wanted.items()}
    assert {bits: p for bits, p in found.items() if p > 1e-9} == pytest.approx(wanted)
    simulator = AerSimulator(seed_simulator=7)
    # Aer knows no stretches.
    told = transpile(circuit if name == "boxed" else guide.build(), simulator, optimization_level=0)
    counts = simulator.run(told, shots=SHOTS).result().get_counts()
    measured = {int(bits.replace(" ", ""), 2): n for bits, n in counts.items()}
    assert measured.keys() <= wanted.keys()
    for bits, p in wanted.items():
        assert abs(measured.get(bits, 0) - SHOTS * p) <= 5 * (SHOTS * p * (1 - p)) ** 0.5


@pytest.mark.parametrize(("name", "target"), TARGET_OF)
def test_a_guide_compiles_and_is_proven(name, target):
    compiled = compile(read(SHOWN[name].build(), name), target, OPTIONS)
    assert compiled.verified == "exact"
    wanted = {int(bits, 2): p for bits, p in SHOWN[name].wanted.items()}
    found = outcome_distribution(compiled.circuit, program_state(compiled.circuit))
    assert {bits: p for bits, p in found.items() if p > 1e-9} == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_compiled_is_refused_in_one_line(name):
    build, says = REFUSED[name]
    with pytest.raises(InputError, match=says) as refused:
        compile(read(build(), name), "star", OPTIONS)
    assert "\n" not in str(refused.value)
