"""Amplitude amplification: preparations, signs, iterates, counts and drawn outcomes."""

from fractions import Fraction
from functools import cache
from math import asin, pi, sqrt
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator, Statevector

from compiler.amplification.counting import counting_distribution, counting_program
from compiler.amplification.drawn import drawn, is_number
from compiler.amplification.event import Event, amplified_probability
from compiler.amplification.iterate import Amplification, amplified
from compiler.amplification.sign import Sign, append_sign, cheapest_sign
from compiler.compilation import Options, compile
from compiler.dynamic.deferred import deferred
from compiler.errors import InputError, UnknownNameError
from compiler.judge import DistributionJudge, Kind, Observable
from compiler.program import Program
from compiler.verification.program import measured_distribution, program_state, verify_program
from compiler.verification.simulation.exact import exact_state
from games import encoded, named_game
from games.sources import Source, read_program

WIN = Fraction(5, 12)
TOY = 5 / 12


@pytest.mark.parametrize("bits", [1, 4])
def test_toy_is_counted_as_theory_says(bits: int) -> None:
    """Every probability, against eigenvalues of a 2 × 2 rotation."""
    program = counting_program(toy(), bits)
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


@pytest.mark.parametrize("bits", [0, 9])
def test_bits_are_bounded(bits: int) -> None:
    """Each takes twice the iterates."""
    with pytest.raises(InputError, match=f"{bits} bits cannot be counted with"):
        counting_program(toy(), bits)


def numbered(qubits: int, value) -> Program:
    """Return uniform bits whose value is a number."""
    circuit = QuantumCircuit(qubits, qubits, name="uniform")
    circuit.h(range(qubits))
    circuit.measure(range(qubits), range(qubits))

    class Judge(DistributionJudge):
        @property
        def observables(self):
            return (Observable("value", Kind.NUMBER, value),)

    share = Fraction(1, 1 << qubits)
    return Program(circuit, Judge("uniform", qubits, dict.fromkeys(range(1 << qubits), share)))


@pytest.mark.parametrize("bits", [1, 4])
def test_each_bit_is_drawn_by_its_weight(bits):
    made = drawn(numbered(bits, lambda outcome: outcome), "value")
    circuit = made.program.circuit.remove_final_measurements(inplace=False)
    found = Statevector(circuit).probabilities(range(bits, 2 * bits))
    wanted = np.zeros(1 << bits)
    for place in range(bits):
        wanted[1 << place] = 2**place / (2**bits - 1)
    assert np.allclose(found, wanted)
    mean = (2**bits - 1) / 2
    assert made.scale.value(Event(made.program, "value").probability) == pytest.approx(mean)
    assert made.variance == pytest.approx((4**bits - 1) / 12)


def test_fractions_and_numbers_below_zero():
    """-3/2, -3/4, 3/4 and 3, all as likely: from -3/2 in steps of 3/4, and 0, 1, 3, 6 of them."""
    values = [Fraction(-3, 2), Fraction(-3, 4), Fraction(3, 4), Fraction(3)]
    made = drawn(numbered(2, values.__getitem__), "value")
    assert (made.scale.least, made.scale.step, made.scale.bits) == (values[0], Fraction(3, 4), 3)
    probability = Event(made.program, "value").probability
    assert probability == pytest.approx((0 + 1 + 3 + 6) / 4 / 7)
    assert made.scale.value(probability) == pytest.approx(float(sum(values)) / 4)
    found = amplified(Event(made.program, "value"))
    _verify(found.program(1))


def _verify(program):
    """Outcome by outcome, the drawn bit included."""
    verify_program(program, program_state(program.circuit), deferred(program.circuit))


@pytest.mark.parametrize(
    ("encoding", "name", "exact"), [("lean", "points", 14), ("lists-value", "value", -25 / 12)]
)
def test_toy(encoding, name, exact):
    program = encoded(named_game("skat-4"), encoding)
    made = drawn(program, name)
    _verify(made.program)
    assert made.scale.value(Event(made.program, name).probability) == pytest.approx(exact)


def test_what_cannot_be_drawn():
    constant = numbered(2, lambda _: 5)
    with pytest.raises(InputError, match="'value' is 5 in any case"):
        drawn(constant, "value")
    with pytest.raises(InputError, match="takes 13 bits from 0 in steps of 1; at most 12"):
        drawn(numbered(2, lambda outcome: (0, 1, 2, 4097)[outcome]), "value")
    with pytest.raises(UnknownNameError, match="no observable 'luck'; known: value"):
        drawn(constant, "luck")
    with pytest.raises(InputError, match="the meaning of its bits is unknown"):
        drawn(Program.of_circuit(constant.circuit), "value")
    toy = encoded(named_game("skat-4"))
    assert [is_number(toy, name) for name in ("win", "points", "luck")] == [False, True, False]


EXAMPLE = Path(__file__).parents[2] / "examples/six-nimmt.toml"


@cache
def toy() -> Amplification:
    """Return the toy, amplified."""
    return amplified(Event(encoded(named_game("skat-4"), "lean"), "win"))


def _probability(found: Amplification, iterates: int) -> float:
    """Return how probable the event is by an exact state."""
    source = deferred(found.program(iterates).circuit)
    measured = measured_distribution(source, exact_state(source.circuit))
    assert all(found.event.happens(bits) is not None for bits in measured)
    return sum(p for bits, p in measured.items() if found.event.happens(bits))


def test_toy_up_to_eight_iterates() -> None:
    """P(win) is sin²((2j + 1)θ), as a polynomial in 5/12: Chebyshev's of the odd degrees."""
    cosine = 1 - 2 * WIN
    chebyshev = [Fraction(1), cosine]
    while len(chebyshev) < 18:
        chebyshev.append(2 * cosine * chebyshev[-1] - chebyshev[-2])
    for iterates in range(9):
        wanted = float((1 - chebyshev[2 * iterates + 1]) / 2)
        assert _probability(toy(), iterates) == pytest.approx(wanted, abs=1e-9)
        assert amplified_probability(float(WIN), iterates) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.full
def test_iterate_takes_at_most_two_point_six_programs() -> None:
    """Two-qubit gates that the first iterate adds, proven, against those of the toy alone."""
    without, with_one = (compile(toy().program(n), "all", Options("fast")) for n in (0, 1))
    assert with_one.verified == "exact"
    own = without.figures.two_qubit_gates
    assert 0 < with_one.figures.two_qubit_gates - own <= 2.6 * own


@pytest.mark.parametrize(
    ("spec", "encoding", "event"),
    [
        ("five-in-a-row:appendix-b", "points", "black_at_e4"),
        ("weiqi:fig10", "stones", "black_at_c3"),
        ("endless-fun:three", "relabelled", "qudit_1_highest"),
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


QUBITS = 5

functions = st.dictionaries(
    st.integers(0, (1 << QUBITS) - 1), st.integers(0, 1), min_size=1, max_size=1 << QUBITS
)


def _diagonal(sign: Sign, clean: int, control: int | None = None) -> np.ndarray:
    """Return the matrix's diagonal on states in which the clean qubits are 0."""
    qubits = QUBITS + clean + (control is not None)
    circuit = QuantumCircuit(qubits)
    append_sign(circuit, evolve(sign, clean=tuple(range(qubits - clean, qubits))), control)
    matrix = Operator(circuit).data[:, : 1 << qubits - clean]
    kept = np.zeros_like(matrix)
    np.fill_diagonal(kept, np.diag(matrix))
    assert np.allclose(matrix, kept)
    return np.diag(matrix)


@given(functions)
def test_sign_is_right_on_states_that_occur(states: dict[int, int]) -> None:
    """Up to its constant, with enough clean qubits, with one, and with none."""
    sign = cheapest_sign(states, QUBITS)
    wanted = np.array([(-1) ** (value ^ sign.constant) for value in states.values()])
    for clean in (0, 1, 2):
        assert np.allclose(_diagonal(sign, clean)[list(states)], wanted)


@given(functions)
def test_controlled_sign_has_its_constant(states: dict[int, int]) -> None:
    """Where the control is 0 nothing happens, where it is 1 the whole sign."""
    diagonal = _diagonal(cheapest_sign(states, QUBITS), 0, control=QUBITS)
    assert np.allclose(diagonal[: 1 << QUBITS], 1)
    wanted = np.array([(-1) ** value for value in states.values()])
    assert np.allclose(diagonal[1 << QUBITS :][list(states)], wanted)
