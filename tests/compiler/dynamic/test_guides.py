"""What guides to dynamic circuits show compiles and is proven, or is refused in one line."""

import pytest
from qiskit import QuantumCircuit, transpile
from qiskit_aer import AerSimulator

from compiler.compilation import Options, compile
from compiler.errors import InputError
from compiler.formats.circuit_files import circuit_from_qpy, qpy_bytes
from compiler.program import Program
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.dynamic.guide_algorithms import ALGORITHMS
from tests.compiler.dynamic.guide_circuits import GUIDES
from tests.compiler.dynamic.guides_refused import REFUSED

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
