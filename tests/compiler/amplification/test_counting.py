"""Quantum counting against the theory's distribution, and the paper's formula for it."""

from fractions import Fraction
from functools import cache
from math import asin, pi, sin, sqrt

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from compiler.amplification.counting import (
    counted,
    counting_distribution,
    counting_program,
    estimate_of,
)
from compiler.amplification.event import Event
from compiler.amplification.iterate import Amplification, amplified
from compiler.compilation import Options, compile
from compiler.compilation.proof import prove_program
from compiler.errors import InputError
from compiler.judge import Judge, Kind, Observable
from compiler.measurement import final_measurements
from compiler.program import Program
from compiler.verification.simulation.exact import exact_state
from games import encoded, named_game
from games.toml import game_from_toml

TOY = 5 / 12


@cache
def iterate() -> Amplification:
    """Return the toy's."""
    return amplified(Event(encoded(named_game("skat-4"), "lean"), "win"))


def test_compiled_counting_is_proven() -> None:
    """By its exact distribution, as any program is."""
    assert (
        compile(counting_program(iterate(), 1), "all", Options("fast", budget=5)).verified
        == "exact"
    )


@pytest.mark.parametrize("bits", [1, 3, 5])
def test_toy_is_counted_as_theory_says(bits: int) -> None:
    """Every probability, against eigenvalues of a 2 × 2 rotation."""
    program = counting_program(iterate(), bits)
    circuit = program.circuit.remove_final_measurements(inplace=False).decompose(reps=8)
    qubits = circuit.num_qubits
    found = Statevector(circuit).probabilities(range(qubits - bits, qubits))
    turn = 2 * asin(sqrt(TOY))
    size = 1 << bits
    kernel = np.exp(-2j * pi * np.outer(range(size), range(size)) / size) / size
    wanted = sum(
        np.abs(kernel @ np.exp(1j * sign * turn * np.arange(size))) ** 2 / 2 for sign in (1, -1)
    )
    assert found == pytest.approx(wanted, abs=1e-9)
    assert list(counting_distribution(TOY, bits).values()) == pytest.approx(wanted, abs=1e-12)


def test_exact_phases_are_peaks() -> None:
    """A probability of 1/2 is a quarter turn: half of m = 2^t/4, half of m = 3·2^t/4."""
    found = counting_distribution(0.5, 4)
    assert found[4] == pytest.approx(0.5)
    assert found[12] == pytest.approx(0.5)
    assert estimate_of(4, 4) == pytest.approx(0.5)
    assert counting_distribution(0, 3)[0] == pytest.approx(1)
    assert counting_distribution(1, 3)[4] == pytest.approx(1)


def test_likeliest_probability_of_many_counts() -> None:
    """From the exact distribution itself the probability comes back."""
    counts = {m: round(100_000 * p) for m, p in counting_distribution(TOY, 4).items()}
    value, low, high = counted(counts, 4, 0.95)
    assert value == pytest.approx(TOY, abs=1e-3)
    assert low < TOY < high


@pytest.mark.parametrize("bits", [0, 9])
def test_bits_are_bounded(bits: int) -> None:
    """Each takes twice the iterates."""
    with pytest.raises(InputError, match=f"{bits} bits cannot be counted with"):
        counting_program(iterate(), bits)


class Uniform(Judge):
    """Eight equally likely outcomes, three of which count."""

    name = "uniform"
    observables = (Observable("low", Kind.EVENT, lambda outcome: int(outcome < 3)),)

    def outcome(self, measured: int) -> int:
        """Return the outcome."""
        return measured

    def exact_distribution(self) -> dict[int, Fraction]:
        """Return 1/8 each."""
        return dict.fromkeys(range(8), Fraction(1, 8))

    def describe(self, outcome: int) -> str:
        """Return its number."""
        return str(outcome)


def test_number_of_outcomes_follows_from_the_phase_where_all_are_alike() -> None:
    """The paper's N = N_tot sin²(φ/2), with φ = 2θ the phase of the iterate: 3 of 8."""
    circuit = QuantumCircuit(3, 3, name="uniform")
    circuit.h(range(3))
    circuit.measure(range(3), range(3))
    event = Event(Program(circuit, Uniform(), "plain"), "low")
    uniform = amplified(event)
    assert 8 * sin(_phase(uniform.program(0).circuit, event) / 2) ** 2 == pytest.approx(3)
    bits = 5
    found = counting_program(uniform, bits)
    assert prove_program(found) == "exact"
    likeliest = max(counting_distribution(3 / 8, bits).items(), key=lambda item: item[1])[0]
    assert round(8 * estimate_of(likeliest, bits)) == 3


SUITS = """
game = "skat"
rules = "skat"
players = 2
hand = 2
deck = ["CA", "H10", "CK", "HQ"]
trump = "S"
threshold = 15
"""
"""Whoever must follow suit has one way to play, and others have two."""


def test_number_of_paths_does_not_follow_where_they_are_weighted() -> None:
    """16 paths, 12 of them won, P(win) = 2/3: the formula gives 32/3, which counts nothing."""
    game = game_from_toml(SUITS, "suits.toml")
    event = Event(encoded(game, "lists"), "win")
    paths = game.paths()
    assert (paths.total, paths.won, event.probability) == (16, 12, pytest.approx(2 / 3))
    share = sin(_phase(event.program.circuit, event) / 2) ** 2
    assert paths.total * share == pytest.approx(32 / 3)


def test_toy_has_outcomes_of_different_weight_and_paths_of_one() -> None:
    """3 of its 8 outcomes are won, 10 of its 24 paths: the formula gives 10/3, and the right 10."""
    event = iterate().event
    outcomes = event.judge.exact_distribution()
    won = sum(bool(event.observable.value(outcome)) for outcome in outcomes)
    assert (len(outcomes), won) == (8, 3)
    share = sin(_phase(iterate().program(0).circuit, event) / 2) ** 2
    assert len(outcomes) * share == pytest.approx(10 / 3)
    branches = iterate().preparation.decided
    assert (len(branches), sum(branches.values())) == (24, 10)
    assert len(branches) * share == pytest.approx(10)


def _phase(circuit: QuantumCircuit, event: Event) -> float:
    """Return the angle by which two reflections turn the plane of a program's state."""
    gates, measured = final_measurements(circuit)
    found = exact_state(gates)
    bits = found.bits[:, list(measured.values())]
    words = [
        sum(1 << clbit for clbit, bit in zip(measured, row, strict=True) if bit) for row in bits
    ]
    happens = np.array([bool(event.happens(word)) for word in words])
    state = found.amplitudes
    turned = np.where(happens, -state, state)
    turned = 2 * state * np.vdot(state, turned) - turned
    return float(np.arccos(np.vdot(state, turned).real))
