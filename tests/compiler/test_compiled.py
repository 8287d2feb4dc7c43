"""Compilations, and attempts that are left out."""

import runpy
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit.library import PauliEvolutionGate
from qiskit.quantum_info import Pauli

from compiler.compilation import Candidate, Listener, Options, compile, portfolio
from compiler.compilation.attempts import FAR_ON_ANY_INPUT
from compiler.compilation.plan import Plan
from compiler.compiled import _file_digest
from compiler.lowering.figures import Figures
from compiler.lowering.pipeline import Attempt
from compiler.program import Program
from compiler.public_circuits import circuit_from_spec
from compiler.verification.program import Verdict

CALLEE = """
from compiler.compiled import njit_view

STEP = 0

@njit_view
def changed(x: int) -> int:
    return {result}
"""
CALLER = """
from callee import STEP, changed
from compiler.compiled import cached_njit

@cached_njit()
def caller(x: int) -> int:
    return changed(x) + STEP * changed(1)

result, hits = caller(20), sum(caller.stats.cache_hits.values())
"""


def run(folder: Path) -> tuple[int, int]:
    """Return the caller's result, and how often its machine code was on disk.

    As in a new process: nothing of an earlier call is kept in memory.
    """
    _file_digest.cache_clear()
    names = runpy.run_path(str(folder / "caller.py"))
    del sys.modules["callee"]
    assert len(names["changed"].signatures) <= 1, "constants need no machine code of their own"
    return names["result"], names["hits"]


def test_machine_code_follows_what_it_calls(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "caller.py").write_text(CALLER)
    (tmp_path / "callee.py").write_text(CALLEE.format(result="x + 1"))
    assert run(tmp_path) == (21, 0)
    assert run(tmp_path) == (21, 1)
    (tmp_path / "callee.py").write_text(CALLEE.format(result="2 * x"))
    assert run(tmp_path) == (40, 0)


QFT = Program.of_circuit(circuit_from_spec("qft:8", 0))


class Heard(Listener):
    """Keeps what it hears."""

    def __init__(self):
        self.lowered_places, self.refined_places, self.left = [], [], {}

    def lowered(self, place, native):
        self.lowered_places.append(place)

    def refined(self, place, before, native):
        self.refined_places.append(place)

    def left_out(self, places, reason):
        self.left |= dict.fromkeys(places, reason)


def compiled(pipelines=("qiskit", "sweep"), *, any_input=True, program=QFT, **options):
    heard = Heard()
    options = {"method": "best", "seeds": 3, "any_input": any_input} | options
    options = Options(pipelines=pipelines, **options)
    return compile(program, "heavy-hex:16", options, heard), heard


def test_no_other_seed_of_a_pipeline_that_is_far_behind():
    made, heard = compiled()
    gates = {}
    for one in made.candidates:
        gates.setdefault(one.attempt.pipeline, []).append(one.figures.two_qubit_gates)
    assert gates["qiskit"][0] > FAR_ON_ANY_INPUT * gates["sweep"][0]
    assert {name: len(found) for name, found in gates.items()} == {"qiskit": 1, "sweep": 3}
    assert [*heard.left.values()] == ["far behind"] * 2
    assert len(heard.lowered_places) == 4
    assert not {*heard.left} & {*heard.lowered_places}
    assert made.figures.two_qubit_gates == min(gates["sweep"])
    assert made.verified == "exact"


def test_for_another_objective_every_seed_is_tried():
    made, heard = compiled(objective="two_qubit_depth")
    tried = Counter(one.attempt.pipeline for one in made.candidates)
    assert tried == {"qiskit": 3, "sweep": 3}
    assert heard.left == {}


def tried(made):
    return {one.attempt.pipeline for one in made.candidates}


def test_where_routing_adds_no_gate_nothing_else_is_tried():
    ghz = Program.of_circuit(circuit_from_spec("ghz:5", 0))
    made, heard = compiled(("qiskit", "sweep", "mirror"), program=ghz)
    assert made.figures.two_qubit_gates == 4
    assert tried(made) == {"qiskit"}
    assert [*heard.left.values()] == ["nothing is left to gain"] * 8


def test_seeds_go_on_where_routing_adds_gates_to_what_is_built_anew():
    """The circuit as it is takes more gates before routing than the new one does after it."""
    rng = np.random.default_rng(0)
    circuit = QuantumCircuit(6)
    for paulis in rng.choice([*"IXYZ"], (24, 6)):
        circuit.append(PauliEvolutionGate(Pauli("".join(paulis)), 0.3), range(6))
    program = Program.of_circuit(circuit)
    made, heard = compiled(("qiskit", "rotations-sweep"), program=program)
    assert "nothing is left to gain" not in heard.left.values()
    seeds = Counter(one.attempt.pipeline for one in made.candidates)
    assert seeds["rotations-sweep"] == 3
    assert made.chosen.attempt.pipeline == "rotations-sweep"


def test_a_circuit_whose_rotations_take_no_fewer_gates_is_not_routed_from_them():
    ghz = Program.of_circuit(circuit_from_spec("ghz:5", 0))
    made, heard = compiled((), program=ghz, method="fast")
    assert tried(made) == {"sweep", "qiskit"}
    assert "pass 'pauli-rotations' changes nothing" in heard.left.values()
    named, _ = compiled(("rotations-sweep",), program=ghz)
    assert tried(named) == {"rotations-sweep"}


def test_where_no_gate_is_left_nothing_else_is_tried_or_refined():
    made, heard = compiled(("qiskit", "mirror"), any_input=False)
    assert made.figures.two_qubit_gates == 0
    assert tried(made) == {"qiskit"}
    assert {*heard.left.values()} == {"nothing is left to gain"}
    assert heard.refined_places == []


def figures(gates):
    return Figures(5, gates, gates, gates, gates, None, None)


@pytest.mark.parametrize(
    ("verdicts", "asked"),
    [
        (["exact", "exact", "exact"], [1]),
        (["exact", "refuted", "exact"], [1, 2]),
        (["exact", "refuted", "unverified"], [1, 2, 0]),
        (["unverified", "unverified", "unverified", "exact", "unverified"], [1, 2, 0, 3]),
        (["exact", "sampled", "unverified"], [1, 2, 0]),
    ],
)
def test_no_proof_is_asked_after_one_that_is_exact(monkeypatch, verdicts, asked):
    def prove(plan, clock, candidate):
        proven.append(candidate.attempt.seed)
        return evolve(candidate, verdict=Verdict(verdicts[candidate.attempt.seed], ""))

    proven = []
    monkeypatch.setattr(portfolio, "prove", prove)
    lowered = [
        Candidate(Attempt("cheapest", "qiskit", place), figures=figures(gates))
        for place, gates in enumerate((9, 3, 5, 12, 15)[: len(verdicts)])
    ]
    candidates = portfolio.prove_all(Plan(QFT, "all", Options()), lowered, Listener())
    assert proven == asked
    assert {place: one.verdict.verified for place, one in enumerate(candidates) if one.verdict} == {
        place: verdicts[place] for place in asked
    }
