"""Amplified programs against theory, and against reflections as matrices."""

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from compiler.amplification.event import Event, amplified_probability
from compiler.amplification.iterate import Amplification, amplified
from compiler.compilation import Options, compile
from compiler.dynamic.deferred import deferred
from compiler.errors import InputError, UnknownNameError
from compiler.program import Program
from compiler.verification.program import measured_distribution
from compiler.verification.simulation.exact import exact_state
from games import encoded, named_game
from games.sources import Source, read_program

TOY = Fraction(5, 12)
EXAMPLE = Path(__file__).parents[3] / "examples/six-nimmt.toml"


@cache
def toy(encoding: str = "lean") -> Amplification:
    """Return the toy, amplified."""
    return amplified(Event(encoded(named_game("skat-4"), encoding), "win"))


def _probability(found: Amplification, iterates: int) -> float:
    """Return how probable the event is by an exact state."""
    source = deferred(found.program(iterates).circuit)
    measured = measured_distribution(source, exact_state(source.circuit))
    assert all(found.event.happens(bits) is not None for bits in measured)
    return sum(p for bits, p in measured.items() if found.event.happens(bits))


def test_toy_up_to_eight_iterates() -> None:
    """P(win) is sin²((2j + 1)θ), as a polynomial in 5/12: Chebyshev's of the odd degrees."""
    cosine = 1 - 2 * TOY
    chebyshev = [Fraction(1), cosine]
    while len(chebyshev) < 18:
        chebyshev.append(2 * cosine * chebyshev[-1] - chebyshev[-2])
    for iterates in range(9):
        wanted = float((1 - chebyshev[2 * iterates + 1]) / 2)
        assert _probability(toy(), iterates) == pytest.approx(wanted, abs=1e-9)
        assert amplified_probability(float(TOY), iterates) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(
    ("target", "own", "budget"),
    [
        ("all", 14, 100),
        ("star", 14, 5),
        pytest.param("heavy-hex:torino", 18, 100, marks=pytest.mark.full),
    ],
)
def test_iterate_takes_at_most_two_point_six_programs(target: str, own: int, budget: int) -> None:
    """Two-qubit gates that the first iterate adds, proven, against those of the toy alone."""
    options = Options("fast", budget=budget)
    without, with_one = (compile(toy().program(n), target, options) for n in (0, 1))
    assert with_one.verified == "exact"
    assert without.figures.two_qubit_gates == own
    added = with_one.figures.two_qubit_gates - without.figures.two_qubit_gates
    assert 0 < added <= 2.6 * own
    if target == "all":
        assert added == 22


@pytest.mark.full
@pytest.mark.parametrize("first", ["HQ", "H7"])
def test_iterate_of_the_showcase(first: str) -> None:
    """Proven, with fewer than 2.6 times the showcase's own gates; after HQ no win is left."""
    source = encoded(named_game(f"skat-9:{first}"), "lists")
    found = amplified(Event(source, "win"))
    own = compile(source, "all", Options("fast"))
    with_one = compile(found.program(1), "all", Options("fast"))
    assert with_one.verified == "exact"
    added = with_one.figures.two_qubit_gates - own.figures.two_qubit_gates
    assert 0 < added <= 2.6 * own.figures.two_qubit_gates
    wanted = amplified_probability({"HQ": 0.75, "H7": 0.625}[first], 1)
    assert _probability(found, 1) == pytest.approx(wanted, abs=1e-9)


def test_repeated_part_ends_where_the_game_is_decided() -> None:
    """Of the toy only the deal's five gates are undone; taking tricks comes once, at the end."""
    found = toy()
    assert found.preparation.gates.num_nonlocal_gates() == 5
    assert [item.operation.name for item in found.preparation.rest.data].count("rank_trick") == 2
    assert found.two_qubit_gates == 28


@pytest.mark.parametrize(
    ("spec", "encoding", "event"),
    [
        ("five-in-a-row:appendix-b", "points", "black_at_e4"),
        ("weiqi:fig10", "stones", "black_at_c3"),
        ("endless-fun:three", "relabelled", "qudit_1_highest"),
        ("skat-4", "paper", "win"),
    ],
)
def test_every_family(spec: str, encoding: str, event: str) -> None:
    """Boards, qutrits and the papers' own encoding."""
    found = amplified(Event(encoded(named_game(spec), encoding), event))
    exact = found.event.probability
    assert 0 < exact < 1
    for iterates in (1, 2):
        wanted = amplified_probability(exact, iterates)
        assert _probability(found, iterates) == pytest.approx(wanted, abs=1e-9)


def test_measurements_on_the_way_are_deferred() -> None:
    """A round of 6 Nimmt! measures rows as they are replaced; its winner is amplified too."""
    program = read_program(Source("six-nimmt.toml", EXAMPLE.read_bytes()))
    found = amplified(Event(program, "player_2_wins"))
    assert found.event.probability == pytest.approx(0.65625)
    assert _probability(found, 1) == pytest.approx(amplified_probability(0.65625, 1), abs=1e-9)


def test_what_is_no_event() -> None:
    """Numbers, unknown names and circuits are refused, and it is said what there is."""
    program = encoded(named_game("skat-4"))
    with pytest.raises(InputError, match=r"'points' is a number.*events: win"):
        Event(program, "points")
    with pytest.raises(UnknownNameError, match="no observable 'luck'; known: win"):
        Event(program, "luck")
    with pytest.raises(InputError, match="the meaning of its bits is unknown"):
        Event(Program.of_circuit(program.circuit), "win")


def test_circuits_are_bounded() -> None:
    """The number that would do is said."""
    with pytest.raises(InputError, match=r"4000 iterates of 28 two-qubit gates.* 3571 at most"):
        toy().program(4000)
