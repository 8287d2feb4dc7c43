"""Which attempts are made, and which of their results wins."""

from collections import Counter

import pytest
from attrs import evolve

from compiler.errors import UnknownNameError
from compiler.lowering import pipelines
from compiler.lowering.figures import Figures
from compiler.lowering.pipeline import LARGE, MEDIUM
from compiler.lowering.portfolio import (
    OBJECTIVES,
    SEEDS,
    Attempt,
    attempts,
    best,
)
from compiler.targets import target_from_spec

ALL_TO_ALL = target_from_spec("all:2")


@pytest.mark.parametrize(
    ("target", "router"),
    [
        ("all:2", "qiskit"),
        ("star:5", "hub"),
        ("heavy-hex:20", "sweep"),
        ("resonator:5", "resonator"),
    ],
)
def test_fast_is_the_cheapest_synthesis_once_with_windows_before_routing_and_once_without(
    target, router
):
    def tried(gates, *, any_input=False):
        found = attempts(
            "fast", 7, gates=gates, target=target_from_spec(target), any_input=any_input
        )
        assert {(attempt.synthesis, attempt.seed) for attempt in found} == {("cheapest", 7)}
        return [attempt.pipeline for attempt in found]

    shared = ["shared-resonator"] if router == "resonator" else []
    assert tried(MEDIUM) == [f"window-{router}", router, *shared]
    assert tried(MEDIUM + 1) == [f"window-{router}"]
    assert tried(MEDIUM, any_input=True) == [router]


def test_fast_leaves_huge_circuits_to_qiskit():
    star = target_from_spec("star:5")
    assert attempts("fast", 7, gates=LARGE + 1, target=star) == [Attempt("cheapest", "qiskit", 7)]


@pytest.mark.parametrize("method", ["best", "literal"])
def test_every_pipeline_is_tried_with_consecutive_seeds(method):
    synthesis = "cheapest" if method == "best" else "literal"
    expected = {
        Attempt(synthesis, name, 7 + offset)
        for name, pipeline in pipelines.items()
        if pipeline.suits(ALL_TO_ALL) and not pipeline.objective
        for offset in range(SEEDS if pipeline.seeded else 1)
    }
    tried = attempts(method, 7, gates=100, target=ALL_TO_ALL)
    assert set(tried) == expected
    assert len(tried) == len(expected)
    assert tried == attempts(method, 7, gates=100, target=ALL_TO_ALL)


def test_what_takes_long_gets_half_as_many_seeds():
    found = attempts("best", 0, gates=100, target=target_from_spec("heavy-hex:20"), seeds=5)
    seeds = Counter(attempt.pipeline for attempt in found)
    assert {seeds[name] for name in seeds if pipelines[name].late} == {3}
    assert seeds["sweep"] == 5


@pytest.mark.parametrize(
    ("target", "gates", "left"),
    [
        ("heavy-hex:20", MEDIUM, {"tket-qiskit", "tket-mirror"}),
        ("heavy-hex:20", MEDIUM + 1, set()),
        ("all:5", MEDIUM + 1, {"tket-qiskit"}),
    ],
)
def test_on_any_input_tket_is_tried_where_it_may_help(target, gates, left):
    found = attempts("best", 0, gates=gates, target=target_from_spec(target), any_input=True)
    assert {one.pipeline for one in found if one.pipeline.startswith("tket")} == left


def test_large_circuits_are_tried_with_qiskit_alone():
    assert attempts("literal", 3, gates=LARGE, target=ALL_TO_ALL) == attempts(
        "literal", 3, gates=1, target=ALL_TO_ALL
    )
    assert attempts("literal", 3, gates=LARGE + 1, target=ALL_TO_ALL) == [
        Attempt("literal", "qiskit", 3)
    ]


def test_named_pipelines_are_tried_whatever_the_size():
    names = ["tket-qiskit"]
    found = attempts("literal", 3, gates=LARGE + 1, target=ALL_TO_ALL, names=names, seeds=1)
    assert found == [Attempt("literal", "tket-qiskit", 3)]
    once = attempts("fast", 3, gates=10, target=ALL_TO_ALL, names=["tket-qiskit"])
    assert {(a.pipeline, a.seed) for a in once} == {("tket-qiskit", 3)}
    tried = attempts("literal", 3, gates=10, target=ALL_TO_ALL, names=["qiskit", "window-qiskit"])
    assert [a.pipeline for a in tried] == ["qiskit"] * SEEDS + ["window-qiskit"] * SEEDS


def test_unknown_names_are_refused():
    with pytest.raises(UnknownNameError, match="unknown method 'literly'; did you mean 'literal'"):
        attempts("literly", 0, gates=10, target=ALL_TO_ALL)
    with pytest.raises(UnknownNameError, match="unknown pipeline 'qiski'; did you mean 'qiskit'"):
        attempts("literal", 0, gates=10, target=ALL_TO_ALL, names=["qiski"])


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


def test_all_objectives_are_tested():
    assert set(OBJECTIVES) == {
        "two_qubit_gates", "two_qubit_depth", "expected_fidelity", "t_count"
    }  # fmt: skip


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
