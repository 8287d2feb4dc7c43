"""Circuits with too many paths of measured bits: some are drawn, and wrong ones are found."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from qiskit import QuantumCircuit

from backends import CircuitJob, backend_from_spec
from compiler.circuits.gate_order import SmallestFirst
from compiler.compilation import Options, compile
from compiler.dynamic.pieces import final_part
from compiler.errors import VerificationError
from compiler.program import Program
from compiler.verification import paths, sampled_paths
from compiler.verification.program import require_lowered
from compiler.verification.sampled_paths import has_too_many_paths, sampled_verdict
from compiler.verification.simulation import path_runs
from compiler.verification.simulation.path_runs import (
    drawn_paths,
    estimated_paths,
    followed_paths,
    sampled_outcomes,
)
from tests.compiler.dynamic.circuits import random_dynamic
from tests.compiler.verification.test_paths import FLAWS, LAYOUT, device, native, program
from tests.independent import distribution, world_of

MANY = 20
FEWER = 8
"""Tosses whose paths are too many where `HOPELESS` is lowered."""


def proven(circuit):
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
    found = proven(native(flaw))
    assert found.verified == "sampled"
    assert found.detail == (
        "200 paths of measured bits drawn, 3 different ones, with 100 % of all probability; on "
        "each the state is equal up to a phase (seed 3)"
    )


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_wrong_circuit_is_refused_on_a_path_that_was_drawn(flaw):
    with pytest.raises(VerificationError):
        proven(native(flaw))


@pytest.mark.parametrize("seed", range(12))
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


@pytest.mark.parametrize("seed", range(6))
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


@pytest.mark.parametrize("any_input", [False, True])
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


def test_few_paths_stay_exact(monkeypatch):
    made = compile(Program.of_circuit(program()), "all", Options(method="fast"))
    assert made.verified == "exact"
    monkeypatch.setattr(paths, "MOST_PATHS", 2)
    made = compile(Program.of_circuit(program()), "all", Options(method="fast"))
    assert made.verified == "sampled"


@pytest.mark.parametrize(("most", "probes"), [(1 << 60, path_runs.PROBES), (1, 1)])
def test_probes_share_their_steps_and_are_few_where_each_takes_long(monkeypatch, most, probes):
    taken_apart, started = [], []
    steps, of = path_runs.path_steps, path_runs._Run.of
    monkeypatch.setattr(path_runs, "MOST_PROBED", most)
    monkeypatch.setattr(path_runs, "path_steps", lambda one: taken_apart.append(one) or steps(one))
    monkeypatch.setattr(path_runs._Run, "of", lambda *of_run: started.append(0) or of(*of_run))
    rest, _ = final_part(many_paths())
    assert estimated_paths(rest) == 2**MANY
    assert (len(taken_apart), len(started)) == (1, probes)


def test_gates_queue_on_their_own_qubits_only():
    """A circuit of many resets has as many qubits, of which a segment touches few."""
    played: list[int] = []
    ordering = SmallestFirst([(7, 300)], played.append, lambda _: False)
    assert sorted(ordering.waiting) == ordering.touched == [7, 300]
    assert ordering.run() == played == [0]


def test_bodies_follow_what_comes_before_and_precede_what_comes_after():
    """Two bodies, one within the other, and steps after each; every path is followed."""
    circuit = QuantumCircuit(1, 4)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.measure(0, 1)
        with circuit.if_test((circuit.clbits[1], 1)):
            circuit.x(0)
            circuit.measure(0, 2)
        circuit.x(0)
        circuit.measure(0, 3)
    circuit.reset(0)
    ends = {end.memory: end.probability for end in drawn_paths(circuit, 100, 0)}
    assert ends == pytest.approx({(True, True, False, True): 0.5, (True, False, False, True): 0.5})
