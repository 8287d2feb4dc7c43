"""`--encoding best` on the command line: what wins is what runs, and is judged by its own rules."""

import pytest

from tests.contested import Chain, Lone, Wide, pair_in

FAST = ("--method", "fast", "--budget", "5", "--processes", "1")
BEST = ("--encoding", "best", *FAST)
LEFT_OUT = {
    "chain": (2, "behind lone after a quick attempt"),
    "lone": (0, ""),
    "wide": (
        None,
        "pair needs 30 qubits, target 'star:9' has 9; try 'star:30' or another encoding; "
        "with its qubits re-used (--reuse-qubits) it needs 2",
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def pair():
    """A game whose default has two two-qubit gates, and which can do without."""
    with pair_in(chain=Chain, lone=Lone, wide=Wide):
        yield


def tried(answer):
    return {one["name"]: (one["two_qubit_gates"], one["left_out"]) for one in answer["encodings"]}


def test_compile_finds_fewer_gates_than_the_default(answer_of, stichwerk):
    default = answer_of("compile", "pair", "--target", "star:9", *FAST)
    assert (default["encoding"], default["two_qubit_gates"], tried(default)) == ("chain", 2, {})
    named = answer_of("compile", "pair", "--target", "star:9", "--encoding", "default", *FAST)
    assert (named["encoding"], named["gates"]) == ("chain", default["gates"])
    best = answer_of("compile", "pair", "--target", "star:9", *BEST)
    assert (best["encoding"], best["two_qubit_gates"], tried(best)) == ("lone", 0, LEFT_OUT)
    shown = stichwerk("compile", "pair", "--target", "star:9", *BEST)
    assert shown.code == 0
    assert "Encodings" in shown.out
    assert "behind lone after a quick attempt" in shown.out
    assert "try 'star:30' or another encoding" in shown.out
    assert "Encodings" not in stichwerk("compile", "pair", *FAST).out
