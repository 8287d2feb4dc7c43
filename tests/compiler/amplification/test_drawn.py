"""Expected values as probabilities: of the toy and of games by hand, and their iterates."""

from fractions import Fraction

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from compiler.amplification.drawn import drawn, is_number
from compiler.amplification.event import Event
from compiler.amplification.iterate import amplified
from compiler.dynamic.deferred import deferred
from compiler.errors import InputError, UnknownNameError
from compiler.judge import DistributionJudge, Kind, Observable
from compiler.program import Program
from compiler.verification.program import program_state, verify_program
from games import encoded, named_game


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


@pytest.mark.parametrize("bits", [1, 2, 3, 4, 5])
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
