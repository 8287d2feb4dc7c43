"""Pipelines that are far behind after their first seed get no other one."""

from collections import Counter

from compiler.compilation import Options, compile
from compiler.compilation.portfolio import Listener
from compiler.lowering.portfolio import FAR_ON_ANY_INPUT
from compiler.program import Program
from compiler.public_circuits import circuit_from_spec

QFT = Program.of_circuit(circuit_from_spec("qft:8", 0))


class Heard(Listener):
    """Keeps what it hears."""

    def __init__(self):
        self.lowered_places, self.left = [], []

    def lowered(self, place, native):
        self.lowered_places.append(place)

    def left_out(self, places):
        self.left += places


def compiled(**options):
    heard = Heard()
    options = Options(seeds=3, any_input=True, pipelines=("qiskit", "sweep"), **options)
    return compile(QFT, "heavy-hex:16", options, listener=heard), heard


def test_no_other_seed_of_a_pipeline_that_is_far_behind():
    made, heard = compiled()
    gates = {}
    for one in made.candidates:
        gates.setdefault(one.attempt.pipeline, []).append(one.native.figures.two_qubit_gates)
    assert gates["qiskit"][0] > FAR_ON_ANY_INPUT * gates["sweep"][0]
    assert {name: len(found) for name, found in gates.items()} == {"qiskit": 1, "sweep": 3}
    assert len(heard.left) == 2
    assert len(heard.lowered_places) == 4
    assert not {*heard.left} & {*heard.lowered_places}
    assert made.figures.two_qubit_gates == min(gates["sweep"])
    assert made.verified == "exact"


def test_for_another_objective_every_seed_is_tried():
    made, heard = compiled(objective="two_qubit_depth")
    tried = Counter(one.attempt.pipeline for one in made.candidates)
    assert tried == {"qiskit": 3, "sweep": 3}
    assert heard.left == []
