"""Attempts that cannot be expected to help are not made, and proofs that decide nothing."""

from collections import Counter

import pytest
from attrs import evolve

from compiler.compilation import Candidate, Listener, Options, compile, portfolio
from compiler.compilation.plan import Plan
from compiler.lowering.figures import Figures
from compiler.lowering.portfolio import FAR_ON_ANY_INPUT, Attempt
from compiler.program import Program
from compiler.public_circuits import circuit_from_spec
from compiler.verification.program import Verdict

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
    options = Options(seeds=3, any_input=any_input, pipelines=pipelines, **options)
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
    assert [*heard.left.values()] == ["nothing is left to gain"] * 7


def test_where_no_gate_is_left_nothing_else_is_tried_or_refined():
    made, heard = compiled(("qiskit", "mirror"), any_input=False)
    assert made.figures.two_qubit_gates == 0
    assert tried(made) == {"qiskit"}
    assert {*heard.left.values()} == {"nothing is left to gain"}
    assert heard.refined_places == []


def test_mirror_follows_tkets_peephole_where_that_simplifies_most():
    names = ("qiskit", "tket-qiskit", "mirror", "tket-mirror")
    made, heard = compiled(names, budget=10)
    assert tried(made) == {"qiskit", "tket-qiskit", "mirror"}
    assert "its first pass simplifies no further" in heard.left.values()
    random = Program.of_circuit(circuit_from_spec("random-clifford-t:7", 0))
    made, _ = compiled(names, program=random, budget=10)
    assert "tket-mirror" in tried(made)
    alone, _ = compiled(("tket-mirror",), budget=10)
    assert tried(alone) == {"tket-mirror"}


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
