"""The best encoding: all are tried, the objective decides, and who is left out says why."""

from types import SimpleNamespace

import pytest

from compiler.compilation import Listener, Options
from compiler.errors import DuplicateNameError, LoweringError, VerificationError
from compiler.lowering.figures import Figures
from games import compile_best, encoding
from games.contest import Tried
from tests.contested import Broken, Chain, Flat, Lone, Long, Wide, Wrong, pair_in

FAST = Options("fast")


def test_an_encoding_that_is_added_and_wins_is_chosen():
    with pair_in(chain=Chain) as pair:
        alone = compile_best(pair, "star", FAST)
    with pair_in(chain=Chain, lone=Lone) as pair:
        found = compile_best(pair, "star", FAST)
    assert alone.encodings == [Tried("chain", 2, "")]
    assert (alone.compiled.target, alone.compiled.program.encoding) == ("star:3", "chain")
    assert found.encodings == [
        Tried("chain", 2, "behind lone after a quick attempt"),
        Tried("lone", 0, ""),
    ]
    # The smallest star that there is.
    assert (found.compiled.target, found.compiled.program.encoding) == ("star:2", "lone")
    assert (found.compiled.figures.two_qubit_gates, found.compiled.verified) == (0, "exact")


@pytest.mark.parametrize(
    ("objective", "winner"), [("two_qubit_gates", "chain"), ("two_qubit_depth", "flat")]
)
def test_the_objective_decides(objective, winner):
    with pair_in(chain=Chain, flat=Flat) as pair:
        found = compile_best(pair, "all", Options("fast", objective=objective))
    assert found.compiled.program.encoding == winner
    assert found.encodings == [
        Tried(name, gates, "" if name == winner else f"behind {winner}")
        for name, gates in (("chain", 2), ("flat", 3))
    ]


def test_who_does_not_fit_or_fails_or_is_hopeless_is_left_out_by_name():
    kinds = {"chain": Chain, "broken": Broken, "lone": Lone, "long": Long, "wide": Wide}
    with pair_in(**kinds) as pair:
        found = compile_best(pair, "all:20", FAST)
    assert {one.name: (one.two_qubit_gates, one.left_out) for one in found.encodings} == {
        "chain": (2, "behind lone after a quick attempt"),
        "broken": (None, "no such register: 'coins'"),
        "lone": (0, ""),
        "long": (None, "more than 5 times the size of lone before lowering"),
        "wide": (None, "pair needs 30 qubits, target 'all:20' has 20; try 'all:30' or another "
                       "encoding; with its qubits re-used (--reuse-qubits) it needs 2"),
    }  # fmt: skip


def test_one_that_is_proven_wrong_gives_way_to_the_next():
    with pair_in(chain=Chain, wrong=Wrong) as pair:
        found = compile_best(pair, "all", FAST)
    assert found.compiled.program.encoding == "chain"
    assert found.encodings == [
        Tried("chain", 2, ""),
        Tried("wrong", None, "outcome 0b0 has probability 1, not 1/2"),
    ]


@pytest.mark.parametrize(
    ("kinds", "error"),
    [
        ({"wrong": Wrong}, VerificationError),
        ({"wrong": Wrong, "broken": Broken}, VerificationError),
        ({"broken": Broken}, LoweringError),
    ],
)
def test_nobody_succeeds(kinds, error):
    with pair_in(**kinds) as pair, pytest.raises(error):
        compile_best(pair, "all", FAST)


def made(plan, verified, gates):
    return SimpleNamespace(program=plan.program, verified=verified, figures=figures(gates))


def figures(gates):
    return Figures(4, gates, gates, gates, gates, None, None)


def test_a_better_proof_counts_more_than_fewer_gates():
    """As it does among candidates of one encoding."""
    results = {"chain": ("unverified", 2), "flat": ("sampled", 3)}

    def run(plan):
        return made(plan, *results[plan.program.encoding])

    with pair_in(chain=Chain, flat=Flat) as pair:
        best = compile_best(pair, "all", FAST, run=run)
    assert best.compiled.program.encoding == "flat"
    assert best.encodings == [
        Tried("chain", 2, "behind flat, which is proven sampled, and this one unverified"),
        Tried("flat", 3, ""),
    ]


def test_the_second_is_not_begun_when_it_is_late():
    class Late(Listener):
        def late(self):
            return True

    with pair_in(chain=Chain, flat=Flat) as pair:
        best = compile_best(pair, "all", FAST, Late(), run=lambda plan: made(plan, "exact", 2))
    assert best.compiled.program.encoding == "chain"
    assert best.encodings[1] == Tried("flat", None, "not begun: the time limit had passed")


@pytest.mark.parametrize("word", ["default", "best", "none"])
def test_reserved_words_are_no_names_of_encodings(word):
    with pytest.raises(DuplicateNameError, match=f"^encoding '{word}' has a reserved word"):
        encoding(word)(Lone)
