"""Pipelines, and the portfolio of attempts."""

from functools import cache

import pytest
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit.library import StatePreparation
from qiskit.circuit.random import random_circuit

from compiler.compilation.options import Options
from compiler.compilation.selection import attempts
from compiler.errors import InputError, LoweringError
from compiler.lowering import Setting, pipelines
from compiler.lowering.figures import Figures, figures
from compiler.lowering.pipeline import LARGE, SEEDS, Attempt, best
from compiler.measurement import final_measurements, measure_at
from compiler.targets import sized_spec, target_from_spec
from compiler.verification.equivalence import verdict_by_rotations
from compiler.verification.program import (
    outcome_distribution,
    program_state,
    require_native,
    verify_lowered,
)

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
    """Return the pipelines that suit a target; a device takes a while to read.

    `in-place` is only used where it is named: qubits keep their places there.
    """
    target = target_from_spec(sized_spec(spec, 6))
    return [
        pipeline
        for name, pipeline in pipelines.items()
        if pipeline.suits(target) and name != "in-place"
    ]


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


@suited(*SPECS, like_others={*SPECS} - {"all", "star", "resonator"})
@pytest.mark.parametrize("seed", [12, pytest.param(13, marks=pytest.mark.full)])
def test_random_circuits(pipeline, spec, seed):
    lower(pipeline, random_program(seed), spec)


@suited("all")
@pytest.mark.parametrize(
    "swaps", [[(0, 2), (1, 3)], [(0, 1), (1, 2), (2, 3)]], ids=["two pairs", "four in a ring"]
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


@suited("heavy-hex:torino")
def test_idle_qubits_and_global_phases_do_no_harm(pipeline, spec):
    program = QuantumCircuit(5, 2, global_phase=1.0)
    program.append(StatePreparation([0.6, 0, 0, 0.8j]), [1, 4])
    program.measure([4, 1], [0, 1])
    lower(pipeline, program, spec)


def test_in_place_every_qubit_stays_where_it_is():
    circuit = QuantumCircuit(4)
    circuit.h(3)
    circuit.cz(0, 3)
    circuit.barrier()
    circuit.cz(0, 3)
    target = target_from_spec("star:6:cz")
    lowered = pipelines["in-place"].lower(circuit, Setting(target))
    assert lowered.initial_layout == lowered.final_layout == (0, 1, 2, 3)
    require_native(lowered.circuit, target)
    assert [
        [lowered.circuit.find_bit(qubit).index for qubit in item.qubits]
        for item in lowered.circuit.data
        if item.name == "cz"
    ] == [[0, 3]] * 2
    circuit.cz(1, 2)
    with pytest.raises(LoweringError, match=r"\[1, 2\] are not coupled"):
        pipelines["in-place"].lower(circuit, Setting(target))


ALL_TO_ALL = target_from_spec("all:2")


def test_gates_that_commute_are_merged_as_they_are():
    """Level 3 of Qiskit writes Toffoli gates anew first, which leaves 42."""
    circuit = QuantumCircuit(9)
    ladder = [(0, 1, 5), (2, 5, 6), (3, 6, 7), (4, 7, 8)]
    for controls_and_target in (*ladder, *reversed(ladder[:-1])):
        circuit.ccx(*controls_and_target)
    setting = Setting(target_from_spec("all:9"), any_input=True)
    merged = pipelines["merge"].lower(circuit, setting)
    assert merged.circuit.num_nonlocal_gates() == 33
    assert verdict_by_rotations(circuit, merged).verified == "exact"


def tried(options, gates, target=ALL_TO_ALL):
    return attempts(QuantumCircuit(2), options, gates, target)


def test_fast_leaves_huge_circuits_to_qiskit():
    star = target_from_spec("star:5")
    names = [each.pipeline for each in tried(Options("fast", seed=7), LARGE + 1, star)]
    assert names == ["qiskit", "copies-qiskit"]


def test_swaps_inside_merged_gates_become_a_permutation():
    circuit = QuantumCircuit(4)
    for pair in ([0, 1], [1, 2], [2, 3], [3, 0]):
        circuit.cx(pair, pair[::-1])
        circuit.ry(1, pair)
    lowered = pipelines["merge"].lower(circuit, Setting(target_from_spec("all:4"), any_input=True))
    assert lowered.circuit.num_nonlocal_gates() == 4
    assert verdict_by_rotations(circuit, lowered).verified == "exact"


@pytest.mark.parametrize("method", ["best", "literal"])
def test_every_pipeline_is_tried_with_consecutive_seeds(method):
    synthesis = "cheapest" if method == "best" else "literal"
    expected = {
        Attempt(synthesis, name, 7 + offset)
        for name, pipeline in pipelines.items()
        if pipeline.suits(ALL_TO_ALL) and not pipeline.objective
        for offset in range(SEEDS if pipeline.seeded else 1)
    }
    tries = tried(Options(method, seed=7), 100)
    assert set(tries) == expected
    assert len(tries) == len(expected)
    assert tries == tried(Options(method, seed=7), 100)


def test_named_pipelines_are_tried_whatever_the_size():
    one = Options("literal", seed=3, pipelines=("tket-qiskit",))
    assert tried(evolve(one, seeds=1), LARGE + 1) == [Attempt("literal", "tket-qiskit", 3)]
    once = tried(evolve(one, method="fast"), 10)
    assert {(a.pipeline, a.seed) for a in once} == {("tket-qiskit", 3)}
    both = tried(evolve(one, pipelines=("qiskit", "window-qiskit")), 10)
    assert [a.pipeline for a in both] == ["qiskit"] * SEEDS + ["window-qiskit"] * SEEDS


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "literly"}, "unknown method 'literly'; did you mean 'literal'"),
        ({"pipelines": ("qiski",)}, "unknown pipeline 'qiski'; did you mean 'qiskit'"),
        ({"pipelines": "hub"}, "pipelines: 'hub' is of type str; give a list"),
        ({"without": ("hub",)}, "no pass 'hub' can be left out"),
        ({"objective": None}, "objective: None is of type NoneType; give a string"),
        ({"seed": -4}, "seed: -4 is out of range"),
        ({"seeds": 0}, "seeds: 0 is out of range; give 1 to 1000"),
        ({"budget": "a"}, "budget: 'a' is of type str; give a whole number"),
        ({"any_input": "yes"}, "any_input: 'yes' is of type str; give True or False or None"),
        ({"reuse_qubits": 1}, "reuse_qubits: 1 is of type int; give True or False"),
    ],
)
def test_invalid_options_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        Options(**options)


def figure(gates=10, two=5, depth=4, fidelity=None, t_count=None):
    return Figures(
        qubits=3,
        two_qubit_gates=two,
        two_qubit_depth=depth,
        depth=20,
        gates=gates,
        duration_ns=None,
        expected_fidelity=fidelity,
        t_count=t_count,
    )


CANDIDATES = [
    ("few gates", figure(two=4, depth=4, fidelity=0.5)),
    ("shallow", figure(two=5, depth=2, fidelity=0.6)),
    ("faithful", figure(two=6, depth=3, fidelity=0.9)),
    ("few T gates", figure(two=7, depth=5, fidelity=0.4, t_count=1)),
]


@pytest.mark.parametrize(
    ("objective", "winner"),
    [
        ("two_qubit_gates", "few gates"),
        ("two_qubit_depth", "shallow"),
        ("expected_fidelity", "faithful"),
        ("t_count", "few T gates"),
    ],
)
def test_objectives(objective, winner):
    assert best(CANDIDATES, objective) == winner
    assert best(reversed(CANDIDATES), objective) == winner


def test_ties_go_to_fewer_two_qubit_gates_then_depth_then_fewer_gates_then_the_first():
    deeper = evolve(figure(gates=7, two=5, depth=2), depth=21)
    tied = [
        ("deeper", deeper),
        ("a", figure(gates=9, two=6, depth=2)),
        ("b", figure(gates=9, two=5, depth=2)),
        ("c", figure(gates=8, two=5, depth=2)),
        ("d", figure(gates=8, two=5, depth=2)),
    ]
    assert best(tied, "two_qubit_depth") == "c"
    assert best(reversed(tied), "two_qubit_depth") == "d"
    assert best(tied, "expected_fidelity") == "c"
