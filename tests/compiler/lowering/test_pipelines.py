"""Every pipeline on every kind of target, proven by exact simulation."""

from functools import cache

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import StatePreparation
from qiskit.circuit.random import random_circuit

from compiler.errors import UnknownNameError
from compiler.lowering import Setting, pipelines
from compiler.lowering.figures import figures
from compiler.measurement import final_measurements, measure_at
from compiler.program import Program
from compiler.targets import sized_spec, target_from_spec
from compiler.verification.program import (
    outcome_distribution,
    program_state,
    verify_lowered,
    verify_program,
)
from games import encoded
from games.encoding import GameJudge

SPECS = [
    "all",
    "all::iqm",
    "star",
    "star::iqm",
    "heavy-hex",
    "heavy-hex:torino",
    "heavy-hex:fez",
    "resonator",
]
LIKE_OTHERS = ("heavy-hex:fez",)
"""Calibrated devices beside Torino, whose gates and lattice are the same."""
SMALL = ("all", "star", "heavy-hex", "resonator")
"""One of each topology."""


def suited(*specs, like_others=LIKE_OTHERS):
    """Return a mark that gives each pipeline each of some targets that it suits."""
    return pytest.mark.parametrize(
        ("pipeline", "spec"),
        [
            pytest.param(
                pipeline,
                spec,
                id=f"{pipeline.name}-{spec}",
                marks=[pytest.mark.full] if spec in like_others else [],
            )
            for spec in specs
            for pipeline in suiting(spec)
        ],
    )


@cache
def suiting(spec):
    """Return the pipelines that suit a target; a device takes a while to read."""
    target = target_from_spec(sized_spec(spec, 6))
    return [pipeline for pipeline in pipelines.values() if pipeline.suits(target)]


def lower_unproven(pipeline, program, spec, seed=5):
    """Return a program lowered, its final layout, the target, and its figures."""
    gates, _ = final_measurements(program)
    target = target_from_spec(sized_spec(spec, program.num_qubits))
    lowered = pipeline.lower(gates, Setting(target, "literal", seed))
    native = measure_at(lowered.circuit, lowered.final_layout, program)
    return native, lowered.final_layout, target, figures(native, target)


def lower(pipeline, program, spec, seed=5):
    """Lower a program, check the result, and return it with its final measurements."""
    native, final_layout, target, figure = lower_unproven(pipeline, program, spec, seed)
    reference = program_state(program)
    assert len(set(final_layout)) == len(final_layout) == program.num_qubits
    assert native.num_qubits <= target.num_qubits
    verdict = verify_lowered(program, reference, native, final_layout, target)
    assert verdict.verified == "exact"
    assert outcome_distribution(native, program_state(native)) == pytest.approx(
        outcome_distribution(program, reference), abs=1e-9
    )
    return native, figure


def random_program(seed):
    """Return a random circuit on 4 to 6 qubits which measures some of them, out of order."""
    qubits = 4 + seed % 3
    circuit = random_circuit(qubits, 5, max_operands=3, seed=seed)
    program = QuantumCircuit(qubits, qubits - 1, name=f"random-{seed}")
    program.compose(circuit, inplace=True)
    program.measure(range(qubits - 1, 0, -1), range(qubits - 1))
    return program


@suited(*SPECS)
@pytest.mark.parametrize("seed", [12, pytest.param(13, marks=pytest.mark.full)])
def test_random_circuits(pipeline, spec, seed):
    lower(pipeline, random_program(seed), spec)


def play(pipeline, spec, make_game, deck, **keys):
    game = make_game(2, 1, deck, **keys)
    native, figure = lower(pipeline, encoded(game, "paper").circuit, spec)
    verify_program(Program(native, GameJudge(game, "paper"), "paper"), program_state(native))
    assert figure.two_qubit_gates > 0


@suited(*SPECS, like_others=set(SPECS) - set(SMALL))
def test_two_cards(pipeline, spec, make_game):
    play(pipeline, spec, make_game, "CA CK")


@pytest.mark.full
@suited("star::iqm", "heavy-hex:torino")
def test_three_cards(pipeline, spec, make_game):
    play(pipeline, spec, make_game, "CA C10 CK", known={"skat": ["C10"]})


@pytest.mark.full
@suited(*SPECS)
def test_three_cards_with_an_unknown_skat(pipeline, spec, make_game):
    play(pipeline, spec, make_game, "CA C10 CK")


@suited(*SMALL, "heavy-hex:torino", like_others=["heavy-hex:torino"])
def test_same_seed_same_circuit(pipeline, spec):
    (*_, first), (*_, second) = (
        lower_unproven(pipeline, random_program(16), spec, seed=3) for _ in range(2)
    )
    assert first == second


@pytest.mark.full
@suited("heavy-hex")
def test_seeded_pipelines_say_so(pipeline, spec):
    """Routing a deep circuit on eight qubits depends on the seed, where there is one."""
    program = QuantumCircuit(8, 8)
    program.compose(random_circuit(8, 10, max_operands=2, seed=2), inplace=True)
    program.measure(range(8), range(8))
    first, *others = [lower(pipeline, program, spec, seed=seed)[0] for seed in range(4)]
    assert pipeline.seeded == any(native != first for native in others)


@suited("all")
@pytest.mark.parametrize(
    "swaps",
    [[(0, 1)], [(0, 2), (1, 3)], [(0, 1), (1, 2)], [(2, 1), (1, 0)], [(0, 1), (1, 2), (2, 3)]],
    ids=["pair", "two pairs", "three in a ring", "back in a ring", "four in a ring"],
)
def test_qubits_that_change_places_vanish_into_the_layout(pipeline, spec, swaps):
    """A permutation costs no gate: the final layout says where the qubits are."""
    program = QuantumCircuit(4, 4)
    program.ry(0.4, range(4))
    program.cx(0, 1)
    program.cx(2, 3)
    for pair in swaps:
        program.swap(*pair)
    for qubit in range(4):
        program.rx(0.3 * qubit, qubit)
    program.measure(range(4), range(4))
    _, figure = lower(pipeline, program, spec)
    assert figure.two_qubit_gates == 2


@suited("star")
def test_circuits_with_no_two_qubit_gate(pipeline, spec):
    program = QuantumCircuit(3, 3)
    program.x(0)
    program.ry(0.3, 2)
    program.measure(range(3), range(3))
    native, figure = lower(pipeline, program, spec)
    assert figure.two_qubit_gates == 0
    assert outcome_distribution(native, program_state(native)).keys() == {0b001, 0b101}


@suited("heavy-hex")
def test_idle_qubits_and_global_phases_do_no_harm(pipeline, spec):
    program = QuantumCircuit(5, 2, global_phase=1.0)
    program.append(StatePreparation([0.6, 0, 0, 0.8j]), [1, 4])
    program.measure([4, 1], [0, 1])
    lower(pipeline, program, spec)


@suited("star")
def test_input_is_left_alone(pipeline, spec):
    program = random_program(12)
    before = program.copy()
    lower_unproven(pipeline, program, spec)
    assert program == before


@pytest.mark.parametrize("pipeline", pipelines.values(), ids=lambda pipeline: pipeline.name)
def test_an_unknown_method_is_refused(pipeline):
    with pytest.raises(UnknownNameError, match="unknown synthesis method 'literally'"):
        pipeline.lower(QuantumCircuit(2), Setting(target_from_spec("all:2"), "literally"))
