"""Sources of games: files, facts, and keys that are unknown."""

from fractions import Fraction
from hashlib import sha256
from math import comb

import pytest
from qiskit.circuit.random import random_circuit

from compiler.errors import CircuitFileError, GameError, InputError, UnknownNameError
from compiler.expectation import expectation_of
from compiler.formats.circuit_files import qpy_bytes
from compiler.formats.openqasm.writing import qasm3_text
from games import encodings_of, named_game
from games.series import series
from games.sources import Source, read_program
from games.toml import game_from_toml

TOML = b"""game = "skat"
players = 3
hand = 1
deck = ["CA", "C10", "CK"]
"""

THREE_BITS = b'OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; creg c[3]; h q; measure q -> c;'
EVEN = expectation_of({"00": 1, "11": 1}, "even").as_bytes()


@pytest.mark.parametrize("word", ["default", "best", "none"])
@pytest.mark.parametrize("suffix", ["qasm", "qpy"])
def test_a_circuit_file_has_no_game(suffix, word):
    circuit = random_circuit(2, 2, measure=True, seed=1)
    content = qpy_bytes(circuit) if suffix == "qpy" else qasm3_text(circuit).encode()
    found = read_program(Source(f"mine.{suffix}", content), word)
    assert found.judge is None
    assert found.encoding == "none"
    assert found.name == f"mine.{suffix}"
    assert found.circuit.num_qubits == 2


@pytest.mark.parametrize(
    ("spec", "chosen", "others"),
    [
        ("skat-4", "paper", {"lists", "lists-win", "lean"}),
        ("skat-9", "lists", {"lists-win"}),
        ("skat-9:paper", "paper", {"lists", "lists-win"}),
        ("skat-32", "lists", {"lists-win"}),
        ("skat-32:paper:known", "lists", {"lists-win"}),
    ],
)
def test_the_default_is_the_papers_own_for_small_games_and_else_lists(spec, chosen, others):
    found = read_program(Source(spec), "default")
    assert found.encoding == encodings_of(found.judge.game)[0] == chosen
    assert others <= set(encodings_of(found.judge.game))
    assert found.judge.name == spec


CLASSES = b"""game = "skat"
rules = "skat"
trump = "S"
players = 3
hand = 2
deck = ["CJ", "S7", "SA", "HA", "C10", "DQ"]
class_counts = { 0 = { T = 1 }, 1 = { H = 1 } }
"""


@pytest.mark.parametrize(
    ("source", "encoding", "error", "message"),
    [
        (Source("skat-32"), "lean", InputError, "encoding 'lean' does not support skat-32; avai"),
        (Source("g.toml", CLASSES), "default", InputError, "g.toml: no encoding supports"),
        (Source("g.qasm", b"x"), "paper", InputError, "g.qasm: a circuit has no encoding"),
        (Source("skat4"), "default", UnknownNameError, "unknown game 'skat4'; did you mean"),
        (Source("skat-4"), "papr", UnknownNameError, "unknown encoding 'papr'"),
        (Source("skat-4"), "best", InputError, "encoding 'best' stands for all of skat-4"),
        (Source("g.toml", b"players = 2"), "default", GameError, "g.toml: 'game' is missing"),
        (Source("g.toml", b"\xff"), "default", InputError, "g.toml, line 1: not a UTF-8 text"),
        (Source("g.qasm", b"\xff"), "default", CircuitFileError, "g.qasm, line 1: not a UTF-8"),
        (Source("g.qpy", b"x"), "default", CircuitFileError, "g.qpy: cannot be read as QPY"),
        (Source("skat-4", b"", EVEN), "default", InputError, "skat-4: a game knows its own"),
        (Source("g.qasm", THREE_BITS, EVEN), "default", InputError, "g.qasm: outcomes of 2"),
    ],
)
def test_mistakes_are_named(source, encoding, error, message):
    with pytest.raises(error) as caught:
        read_program(source, encoding)
    assert str(caught.value).startswith(message)
    assert isinstance(caught.value, InputError)


def test_digests_tell_names_and_contents_apart():
    sources = [Source("a"), Source("b"), Source("a", b"b"), Source("ab"), Source("a", b"\0b"),
               Source("a", b"b", b"c"), Source("a", b"b", b"d"), Source("a", b"", b"c"),
               Source("a", b"b\0expected\0" + b"c")]  # fmt: skip
    digests = {source.digest for source in sources}
    assert len(digests) == len(sources)
    assert Source("a", b"b").digest == sha256(b"a\0b").hexdigest()


def test_a_circuit_is_judged_by_what_is_expected_of_it():
    judge = read_program(Source("mine.qasm", THREE_BITS.replace(b"3", b"2"), EVEN)).judge
    assert judge.exact_distribution() == {0b00: 0.5, 0b11: 0.5}
    assert [judge.outcome(bits) for bits in range(4)] == [0, 1, 2, 3]
    assert judge.describe(0b01) == "01"
    assert read_program(Source("mine.qasm", THREE_BITS)).judge is None


def test_facts_of_large_games_are_missing():
    facts = named_game("skat-32:known").facts()
    assert (facts["deals"], facts["observables"], facts["paths"]) == (42678636, None, None)


def test_card_games_count_their_deals_and_plays():
    toy = named_game("skat-4")
    facts = toy.facts()
    # Every deal, two free plays of one of two cards, and then what is left.
    assert (facts["deals"], facts["paths"]) == (comb(4, 2), comb(4, 2) * 2 * 2)
    assert Fraction(facts["paths_won"], facts["paths"]) == toy.average("win") == Fraction(5, 12)
    assert facts["observables"]["win"] == "5/12"
    wins = [toy.is_win(outcome) for outcome in toy.exact_distribution()]
    assert facts["favourable_outcomes"] == sum(wins)
    assert toy.outcome_bits == 4
    assert named_game("skat-9").outcome_bits == 2 * 9


def test_series_come_in_their_order_and_have_the_size_they_say():
    assert list(series) == [
        "deal D(n, n/2)", "hand play, n/2 in hand", "hand play, n/3 in hand",
        "game, 2 players, paper rules", "game, 3 players, skat rules",
        "Endless Fun, 3D, three rows, relabelled", "Endless Fun, 3D, three rows, cards",
    ]  # fmt: skip
    for grown in series.values():
        assert grown.axis in ("cards", "qudits")
        assert list(grown.sizes) == sorted(set(grown.sizes))
        for size in grown.sizes:
            if grown.encoding:
                game = grown.grown(size)
                assert game.axes[grown.axis] == size
                assert grown.encoding in encodings_of(game)
    deal = series["deal D(n, n/2)"]
    assert (deal.encoding, deal.literal) == ("", None)
    assert [deal.grown(size).num_qubits >= size for size in deal.sizes] == [True] * 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game = 'poker'", "g.toml, line 1: game = 'poker': unknown kind of game 'poker'; known: "),
        ("game = 'skta'", "g.toml, line 1: game = 'skta': unknown kind of game 'skta'"),
        ("game = ", "g.toml, line 1: not a TOML document: Invalid value"),
        ("game = 'skat'\ngame = 'skat'", "g.toml, line 2: not a TOML document"),
    ],
)
def test_documents_that_describe_no_game(text, message):
    with pytest.raises(GameError) as error:
        game_from_toml(text, "g.toml")
    assert str(error.value).startswith(message)
