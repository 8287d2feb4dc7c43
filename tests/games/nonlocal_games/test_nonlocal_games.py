"""Nonlocal games: values, certificates, programs and files."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from sympy import cos, pi

from compiler.errors import GameTooLargeError, InputError
from compiler.verification.program import program_state, verify_program
from games.encoding import encoded, encodings_of
from games.game import named_game
from games.nonlocal_games import rules
from games.nonlocal_games.named import vectors_of_g14
from games.nonlocal_games.rules import Rules
from games.sources import Source, read_game

EXAMPLE = Path("examples/chsh.toml").read_text()

VALUES = {
    "chsh": (cos(pi / 8) ** 2, Fraction(3, 4), 1),
    "ghz:3": (1, Fraction(3, 4), 1),
    "ghz:4": (1, Fraction(3, 4), 1),
    "ghz:5": (1, Fraction(5, 8), 1),
    "magic-square": (1, Fraction(8, 9), 1),
    "odd-cycle:3": (cos(pi / 12) ** 2, Fraction(5, 6), 1),
    "odd-cycle:5": (cos(pi / 20) ** 2, Fraction(9, 10), 1),
    "odd-cycle:9": (cos(pi / 36) ** 2, Fraction(17, 18), 1),
    "colouring:c5": ((1 + 2 * cos(pi / 10) ** 2) / 3, Fraction(13, 15), 1),
}
"""Quantum and classical value, and no-signalling bound."""


def best_classical(game_rules):
    """Return the classical value: every player but the last tries all answers, which answers best.

    Independent of the integer program.
    """
    *others, last = zip(game_rules.questions, game_rules.answers, strict=True)
    best = Fraction(0)
    for fixed in product(*(product(range(a), repeat=q) for q, a in others)):
        gains = np.zeros((last[0], last[1]), dtype=object)
        for question, p in game_rules.distribution.items():
            given = tuple(of[q] for of, q in zip(fixed, question, strict=False))
            for answer in range(last[1]):
                gains[question[-1], answer] += p * ((*given, answer) in game_rules.wins[question])
        best = max(best, sum(gains.max(axis=1)))
    return best


@pytest.mark.parametrize("spec", VALUES)
def test_values_are_those_of_the_literature(spec):
    game = named_game(spec)
    quantum, classical, no_signalling = VALUES[spec]
    assert abs(game.quantum_value - float(quantum)) < 1e-12
    assert game.classical_value == classical
    certificate = game.rules.classical
    assert certificate.reached == certificate.proven == classical
    assert game.rules.win_rate(certificate.answers) == classical
    assert abs(game.rules.no_signalling - no_signalling) < 1e-9


@pytest.mark.parametrize(
    "spec",
    [*VALUES, "ghz:6", "odd-cycle:7", "colouring:c3", "colouring:c7",
     *(pytest.param(f"ghz:{n}", marks=pytest.mark.full) for n in (7, 8))],
)  # fmt: skip
def test_classical_values_are_those_of_all_strategies(spec):
    game = named_game(spec)
    assert best_classical(game.rules) == game.classical_value


def test_g14_is_won_by_quantum_players_alone():
    game = named_game("colouring")
    vectors = np.array(vectors_of_g14())
    assert len(game.rules.distribution) == 88
    assert [len(vectors), int(np.sum(vectors @ vectors.T == 0)) // 2] == [14, 37]
    assert abs(game.quantum_value - 1) < 1e-12
    assert game.classical_value == Fraction(86, 88)


@pytest.mark.parametrize(
    ("spec", "encoding", "qubits"),
    [
        ("chsh", "drawn", 4),
        ("chsh:1,1", "question", 2),
        ("ghz:4", "drawn", 8),
        ("magic-square", "drawn", 8),
        ("magic-square:2,2", "question", 4),
        ("odd-cycle:3", "drawn", 6),
        ("colouring:c3:0,2", "question", 2),
        ("colouring:g14:3,13", "question", 4),
    ],
)
def test_programs_follow_their_rules(spec, encoding, qubits):
    game = named_game(spec)
    assert encodings_of(game) == (encoding,)
    program = encoded(game)
    assert program.circuit.num_qubits == qubits
    verify_program(program, program_state(program.circuit))
    (win,) = game.observables
    assert abs(sum(p * win.value(o) for o, p in game.exact_distribution().items()) - win.exact) < (
        1e-12
    )
    assert win.bound == (float(game.classical_value) if encoding == "drawn" else None)


def read(text):
    return read_game(Source("own.toml", text.encode()))


def test_a_file_has_the_values_of_the_named_game():
    game, named = read(EXAMPLE), named_game("chsh")
    assert abs(game.quantum_value - named.quantum_value) < 1e-12
    assert game.classical_value == Fraction(3, 4)
    assert game.shares == {(x, y): 1 for x in (0, 1) for y in (0, 1)}
    circuits = EXAMPLE.replace(
        'observables = [[["Z"], ["X"]], [["Z + X"], ["Z - X"]]]',
        "circuits = [[{}, {}], [{}, {}]]".format(
            *(f"'''OPENQASM 3.0; include \"stdgates.inc\"; qubit q; {gate}'''"
              for gate in ("id q;", "h q;", "ry(-pi/4) q;", "ry(pi/4) q;"))
        ),
    )  # fmt: skip
    assert abs(read(circuits).quantum_value - named.quantum_value) < 1e-12
    fixed = read("question = [1, 1]\n" + EXAMPLE)
    assert fixed.question == (1, 1)
    assert read('game = "nonlocal"\nrules = "ghz:3"').classical_value == Fraction(3, 4)


def test_one_question_and_one_answer_are_a_game():
    head = EXAMPLE[: EXAMPLE.index("[[rounds]]")].replace("answers = [2, 2]", "answers = [1, 2]")
    game = read(
        head.replace('[[["Z"], ["X"]], [["Z + X"], ["Z - X"]]]', '[[[]], [["Z"]]]')
        + "[[rounds]]\nquestion = [0, 0]\nwins = [[0, 1]]"
    )
    assert abs(game.quantum_value - 1 / 2) < 1e-12
    assert game.classical_value == 1
    program = encoded(game)
    verify_program(program, program_state(program.circuit))


def test_no_answer_wins_a_game_without_winning_answers():
    lost = Rules((1, 1), (2, 2), {(0, 0): Fraction(1)}, {(0, 0): frozenset()})
    assert str(lost.no_signalling) == "0.0"
    assert lost.classical.proven == 0


def test_a_bound_is_refused_if_the_time_does_not_suffice(monkeypatch):
    monkeypatch.setattr(rules, "MAX_SECONDS", 0.0)
    with pytest.raises(GameTooLargeError):
        _ = named_game("colouring:c7").rules.no_signalling


def test_questions_are_asked_in_proportion_to_their_probability():
    text = EXAMPLE.replace('"1/4"', '"1/2"', 1)
    for share in ('"1/4"', '"1/8"', '"1/8"'):
        text = text.replace('probability = "1/4"', f"probability =  {share}", 1)
    assert list(read(text).shares.values()) == [4, 2, 1, 1]


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('"1/4"', '"1/3"', "rounds"),
        *(('"1/4"', wrong, "rounds 1: probability") for wrong in
          ('"often"', "inf", "nan", '"-1/4"', "0", "true", '"1e999999999"', '"1/0"')),
        ('"1/4"', '"1/999983"', "denominator"),
        ("probability", "chance", "chance"),
        ("answers = [2, 2]", "answers = [2]", "answers"),
        ("answers = [2, 2]", "answers = [3, 2]", "qubits"),
        ("qubits = [1, 1]", "qubits = [1, 2]", "state"),
        ("qubits = [1, 1]", "qubits = [9, 9]", "qubits"),
        *(('"Z + X"', wrong, "observables") for wrong in
          ('"Z + Y + "', '"Z X"', '"1.5/2 Z"', f'"{"9" * 400} Z"')),
        ('"Z + X"', '"I"', "observables"),
        ('"Z + X"', '"I + X"', "observables"),
        ('[["Z"], ["X"]], ', "", "observables"),
        ("[0, 1], [1, 0]", "[0, 2]", "rounds 4"),
        ("question = [0, 1]", "question = [0, 0]", "rounds 2"),
        ("cx q[0], q[1];", "measure q[0];", "state"),
        ("cx q[0], q[1];", "reset q[0];", "state"),
        ("cx q[0], q[1];", "swop q[0];", "state"),
        ("qubits =", "players =", "players"),
        ("answers =", "question = [0, 0]\npath = [0]\nwidth = 3\ndistance = 0\nanswers =",
         "distance"),
        ("answers =", "question = [0, 0]\npath = [0, 0]\nwidth = 3\ndistance = 1\nanswers =",
         "path"),
        ("answers =", "path = [0, 1]\nwidth = 3\ndistance = 1\nanswers =", "path"),
        ("answers =", "width = 3\nanswers =", "path"),
        ("answers =", 'rules = "chsh"\nanswers =', "answers"),
    ],
)  # fmt: skip
def test_wrong_files_are_refused_with_one_line(old, new, where):
    assert old in EXAMPLE
    with pytest.raises(InputError) as refused:
        read(EXAMPLE.replace(old, new, 1))
    assert "\n" not in str(refused.value)
    assert where in str(refused.value)


@pytest.mark.parametrize(
    "spec",
    ["chsh:0,2", "chsh:x", "ghz:2", "ghz:9", "ghz:3:1,0,0", "odd-cycle:4", "colouring:k5",
     "colouring:c4", "magic-square:3,0", "odd-cycle:1,2"],
)  # fmt: skip
def test_wrong_specs_are_refused(spec):
    with pytest.raises(InputError):
        named_game(spec)


def test_too_many_questions_are_not_drawn():
    with pytest.raises(InputError, match="colouring:g14"):
        encoded(named_game("colouring"))
