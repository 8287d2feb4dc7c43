"""Win rates of all questions of a game: sources, placed players, intervals and excess."""

from fractions import Fraction
from itertools import pairwise
from math import comb, exp, log
from pathlib import Path

import numpy as np
import pytest
import rustworkx as rx
from scipy.stats import norm

from compiler.compilation import Options, compile
from compiler.errors import InputError
from compiler.judge import excess_words
from compiler.scores.intervals import excess_sigmas, proportion_interval
from compiler.scores.scoring import score
from compiler.targets import target_from_spec
from games.nonlocal_games.questions import question_sources, win_rate_of
from games.sources import Source, read_game, read_program

EXAMPLE = Path("examples/chsh.toml")


def binomial_tail(wins, shots, p):
    """Return the exact p-value of independent shots."""
    return float(
        sum(
            Fraction(comb(shots, k)) * Fraction(p) ** k * (1 - Fraction(p)) ** (shots - k)
            for k in range(wins, shots + 1)
        )
    )


@pytest.mark.parametrize(
    ("wins", "shots", "bound"), [(90, 100, 0.75), (176, 200, 0.8), (40, 40, 0.9)]
)
def test_the_excess_is_a_valid_p_value(wins, shots, bound):
    p = norm.sf(excess_sigmas(wins / shots, shots, bound))
    assert binomial_tail(wins, shots, bound) <= p
    rate = wins / shots
    entropy = rate * log(rate / bound)
    if rate < 1:
        entropy += (1 - rate) * log((1 - rate) / (1 - bound))
    assert np.isclose(p, exp(-shots * entropy))


@pytest.mark.parametrize(("sigmas", "p"), [(0.0, "1"), (2.0, "0.02"), (54.7, "2e-308")])
def test_the_p_value_of_a_verdict_is_an_upper_bound(sigmas, p):
    assert f"p ≤ {p})" in excess_words(0.75, sigmas)


def test_each_question_is_a_source_of_the_same_game():
    sources = question_sources(Source("chsh"))
    assert [source.name for source in sources] == ["chsh:0,0", "chsh:0,1", "chsh:1,0", "chsh:1,1"]
    assert len(question_sources(Source("colouring"))) == 88
    assert len(question_sources(Source("ghz:3:1,1,0"))) == 1
    own = question_sources(Source("chsh.toml", EXAMPLE.read_bytes()))
    assert [read_game(source).question for source in own] == [(0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.parametrize(("spec", "players"), [("chsh", 2), ("ghz:3", 3)])
def test_players_are_as_far_apart_as_asked(spec, players):
    target = target_from_spec("heavy-hex:boston")
    steps = rx.distance_matrix(target.build_coupling_map().graph.to_undirected())
    for source in question_sources(Source(spec), "heavy-hex:boston", 3):
        program = read_program(source)
        measured = [
            program.circuit.find_bit(item.qubits[0]).index
            for item in program.circuit.data
            if item.operation.name == "measure"
        ]
        assert len(measured) == players
        assert all(steps[a, b] == 3 for a, b in pairwise(measured))
        assert steps[measured[0], measured[-1]] == 3 * (players - 1)


def test_a_placed_program_is_compiled_where_it_is_and_proven():
    (source,) = question_sources(Source("chsh:1,1"), "square:9", 4)
    compiled = compile(read_program(source), "square:9", Options().in_place)
    assert compiled.chosen.verdict.verified == "exact"
    assert compiled.figures.two_qubit_gates == 7


@pytest.mark.parametrize(
    ("name", "target", "distance"),
    [("skat-4", "", 0), ("circuit.qasm", "", 0), ("magic-square", "square:9", 2),
     ("chsh", "all:5", 2), ("chsh", "square:9", 9)],
)  # fmt: skip
def test_what_has_no_questions_or_no_path_is_refused(name, target, distance):
    with pytest.raises(InputError) as refused:
        question_sources(Source(name), target, distance)
    assert "\n" not in str(refused.value)


def test_runs_of_all_questions_have_one_win_rate():
    games = [read_game(source) for source in question_sources(Source("chsh"))]
    measured = [(0.9, 100), (0.8, 100), (0.85, 100), (0.85, 100)]
    won = win_rate_of(games, measured, [0.9, 0.8, 0.9, 0.9])
    assert (won.game, won.wins, won.shots, won.bound) == ("CHSH", 340, 400, 0.75)
    assert (won.low, won.high) == proportion_interval(340, 400)
    assert won.sigmas == excess_sigmas(0.85, 400, 0.75)
    assert won.beats
    assert np.isclose(won.mitigated, 0.875)
    twice = [(0.9, 50), (0.5, 50), *measured[1:]]
    assert np.isclose(win_rate_of([games[0], *games], twice, [1, 1, 0, 0, 0]).mitigated, 0.25)
    assert win_rate_of(games[:3], measured[:3], [None] * 3) is None
    other = EXAMPLE.read_text().replace("[0, 0], [1, 1]", "[0, 0]")
    own, theirs = (
        [read_game(each) for each in question_sources(Source("chsh.toml", text.encode()))]
        for text in (EXAMPLE.read_text(), other)
    )
    assert win_rate_of(own, measured, [None] * 4)
    assert win_rate_of([*own[:2], *theirs[2:]], measured, [None] * 4) is None
    assert win_rate_of(games, [(0.9, 200), *measured[1:]], [None] * 4) is None
    assert win_rate_of([read_game(Source("chsh"))], [(0.9, 100)], [None]) is None
    assert win_rate_of([], [], []) is None


def test_drawn_questions_are_scored_against_the_bound_and_never_selected():
    program = read_program(Source("chsh"))
    exact = program.judge.exact_distribution()
    counts = {outcome: round(4000 * p) for outcome, p in exact.items()}
    raw, selected = score(program, counts)
    win = raw.observables["win"]
    assert selected is None
    assert win.bound == 0.75
    assert win.sigmas > 10
    computed, _ = score(program, counts, counted=False)
    assert computed.observables["win"].sigmas is None
    one, _ = score(read_program(Source("chsh:0,0")), {0: 50, 1: 50})
    assert one.observables["win"].bound is one.observables["win"].sigmas is None
