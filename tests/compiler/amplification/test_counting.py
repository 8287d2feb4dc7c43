"""Quantum counting against the theory's distribution, and the paper's formula for it."""

from functools import cache
from math import asin, pi, sqrt

import numpy as np
import pytest
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
from compiler.errors import InputError
from games import encoded, named_game

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
