"""Expected values by amplitude estimation: a number as an event of which only a share is seen.

A number n with bits b is 2^b-weighted events. A further register draws one of the bits, bit b with
probability 2^b/(2^t − 1); that the drawn bit is 1 is an event with probability E[n]/(2^t − 1),
exactly and not only for small angles.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import acos, gcd, lcm, sqrt

from attrs import evolve, frozen
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from compiler.amplification.event import judge_of, observable_of
from compiler.errors import InputError
from compiler.judge import Judge, Kind, Number, Observable, from_part
from compiler.program import Program

PICK = "pick"
"""The register that draws a bit: one qubit each, of which one is 1."""

MAX_BITS = 12
"""Bits of the number that is drawn from."""


@frozen
class Scale:
    """A number of measured bits: value = least + step · n.

    Args:
        least: the least value that is possible.
        step: of which all differences are multiples.
        bits: t, of n.
    """

    least: Fraction
    step: Fraction
    bits: int

    @property
    def width(self) -> Fraction:
        """Growth of the value when the probability goes from 0 to 1."""
        return self.step * ((1 << self.bits) - 1)

    def value(self, probability: float) -> float:
        """Return the expected value that belongs to the event's probability."""
        return float(self.least) + float(self.width) * probability

    def bit(self, value: Number, place: int) -> int:
        """Return a bit of n."""
        return int((Fraction(value) - self.least) / self.step) >> place & 1


@frozen(eq=False)
class DrawnJudge(Judge):
    """Judges a program beside which a bit of an observable is drawn.

    An outcome is that of the program times t, plus the place of the bit.

    Args:
        program: as it was.
        observable: the number.
        scale: of it.
    """

    program: Program
    observable: Observable
    scale: Scale

    name = from_part("judge.name")
    axes = from_part("judge.axes")

    @property
    def judge(self) -> Judge:
        """Judge of the program."""
        return judge_of(self.program)

    @property
    def observables(self) -> tuple[Observable, ...]:
        """The event that the drawn bit is 1, under the number's name."""
        bits = self.scale.bits

        def drawn(outcome: int) -> int:
            return self.scale.bit(self.observable.value(outcome // bits), outcome % bits)

        return (Observable(self.observable.name, Kind.EVENT, drawn),)

    def outcome(self, measured: int) -> int | None:
        """Return the outcome of measured bits; see `Judge`."""
        own = self.program.circuit.num_clbits
        drawn, outcome = measured >> own, self.program.outcome(measured & (1 << own) - 1)
        if outcome is None or drawn.bit_count() != 1:
            return None
        return outcome * self.scale.bits + drawn.bit_length() - 1

    def exact_distribution(self) -> Mapping[int, Number]:
        """Return the program's, each outcome with every bit by its weight."""
        bits = self.scale.bits
        return {
            outcome * bits + place: p * Fraction(1 << place, (1 << bits) - 1)
            for outcome, p in self.judge.exact_distribution().items()
            for place in range(bits)
        }

    def describe(self, outcome: int) -> str:
        """Return the program's label, and which bit was drawn."""
        place = outcome % self.scale.bits
        return f"{self.judge.describe(outcome // self.scale.bits)}, bit {place}"

    @property
    def branches(self) -> int:
        """Those of the program for each bit."""
        return self.judge.branches * self.scale.bits


@frozen(eq=False)
class Drawn:
    """A program beside which a bit of a number is drawn.

    Args:
        program: with an event of the number's name.
        scale: by which its probability is the number's expected value.
        variance: of the number, by which it takes so many runs to sample it.
    """

    program: Program
    scale: Scale
    variance: float


def is_number(program: Program, name: str) -> bool:
    """Return whether an observable of a program is a number, and no event."""
    observables = () if program.judge is None else program.judge.observables
    return any(
        observable.name == name and observable.kind is Kind.NUMBER for observable in observables
    )


def drawn(program: Program, name: str) -> Drawn:
    """Return a program by which the expected value of a number is estimated as a probability.

    Args:
        program: with a judge.
        name: of the observable, whose values on legal outcomes are fractions.

    Raises:
        InputError: if the number is the same for all outcomes, or has too many bits.
        UnknownNameError: if there is no such observable.
        GameTooLargeError: if the outcomes are too many to be enumerated.
    """
    observable = observable_of(program, name)
    exact = [
        (float(p), Fraction(observable.value(outcome)))
        for outcome, p in judge_of(program).exact_distribution().items()
    ]
    values = {value for _, value in exact}
    least = min(values)
    if len(values) == 1:
        raise InputError(f"{program.name}: '{name}' is {least} in any case; nothing to estimate")
    over = lcm(*(value.denominator for value in values))
    step = Fraction(gcd(*(int((value - least) * over) for value in values)), over)
    bits = int((max(values) - least) / step).bit_length()
    if bits > MAX_BITS:
        raise InputError(
            f"{program.name}: '{name}' takes {bits} bits from {float(least):g} in steps of "
            f"{float(step):g}; at most {MAX_BITS} can be drawn from"
        )
    scale = Scale(least, step, bits)
    pick, picked = QuantumRegister(bits, PICK), ClassicalRegister(bits, PICK)
    circuit = QuantumCircuit(
        *program.circuit.qregs, pick, *program.circuit.cregs, picked, name=program.circuit.name
    )
    circuit.compose(_weighted_one_hot(bits), pick, inplace=True)
    circuit.compose(
        program.circuit,
        circuit.qubits[: program.circuit.num_qubits],
        circuit.clbits[: program.circuit.num_clbits],
        inplace=True,
    )
    circuit.measure(pick, picked)
    judge = DrawnJudge(program, evolve(observable, exact=None), scale)
    mean = sum(p * float(value) for p, value in exact)
    variance = sum(p * (float(value) - mean) ** 2 for p, value in exact)
    return Drawn(Program(circuit, judge, program.encoding), scale, variance)


def _weighted_one_hot(bits: int) -> QuantumCircuit:
    """Return Σ √(2^b/(2^t − 1)) |2^b⟩ from |0…0⟩: two gates for each bit but one."""
    circuit = QuantumCircuit(bits)
    circuit.x(bits - 1)
    for place in reversed(range(1, bits)):
        # Of all that has come so far, 2^place of 2^(place + 1) − 1 stays.
        stays = sqrt((1 << place) / ((1 << place + 1) - 1))
        circuit.ry(-acos(stays), place - 1)
        circuit.cz(place, place - 1)
        circuit.ry(acos(stays), place - 1)
        circuit.cx(place - 1, place)
    return circuit
