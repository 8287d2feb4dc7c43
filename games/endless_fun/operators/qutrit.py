"""Cards on one qutrit: on any state of it, and on a known level."""

from collections.abc import Iterator, Mapping, Sequence
from math import atan, pi, sqrt

import numpy as np
from qiskit import QuantumCircuit, transpile
from qiskit.synthesis import OneQubitEulerDecomposer

from compiler.circuits.matrices import Matrix
from compiler.circuits.tolerances import NUMERICAL_ZERO, ROUNDING
from compiler.synthesis.method import (
    CountedMethod,
    Example,
    Operator,
    SynthesisMethod,
    example,
    operator,
    synthesis_method,
)
from compiler.synthesis.registers import Register, joined, parts
from games.endless_fun.operators.cards import LOCAL, product
from games.endless_fun.operators.codes import SAME, Code, code_on, line, moved, words
from games.endless_fun.operators.free_level import completed, drawn
from games.endless_fun.rules.gates import Gate

COLOUR = "#CC79A7"
QUBITS = 2
CARDS = LOCAL[3]


def places(*cards: Gate) -> tuple[int, ...]:
    """Return cards as operators take them: their places in `CARDS`."""
    return tuple(CARDS.index(card) for card in cards)


def _relabelled(card: Gate, *levels: int) -> Example:
    return example(f"{card}, relabelled", SAME, moved(SAME, levels), *places(card))


@operator("qutrit_cards")
class QutritCards(Operator):
    """|v⟩ → U|v⟩, where U is the product of cards, in their order.

    Two qubits hold the levels by one code before and by another one after. Cost: 0 if the cards
    only move levels and the codes say so, else 2 at most.

    Args:
        before: the code of the input.
        after: code of the output.
        cards: places in `CARDS`.
    """

    examples = (
        *(_relabelled(card, 1, 2, 0) for card in (Gate.X1, Gate.Y1)),
        *(_relabelled(card, 2, 0, 1) for card in (Gate.X2, Gate.Y2)),
        *(example(f"{card}, qutrit", SAME, SAME, *places(card)) for card in CARDS),
        example("H1 Z2 H3, qutrit", SAME, SAME, *places(Gate.H1, Gate.Z2, Gate.H3)),
    )
    colour = COLOUR

    def __init__(self, before: Code, after: Code, *cards: int) -> None:
        self.after, self.matrix = after, product([CARDS[card] for card in cards], 3)
        self.registers = (Register("qutrit", 1, 3, words(before)),)
        super().__init__(QUBITS, [before, after, *cards])

    def amplitudes(self, basis_state: int) -> Mapping[int, complex]:
        """Return the column of the level of two qubits."""
        (level,) = self.registers[0].decode(basis_state)
        return _column(self.matrix[:, level], self.after)


@operator("qutrit_start")
class QutritStart(Operator):
    """|00⟩ → U|v⟩, where U is the product of cards. Cost: 1 at most.

    Args:
        after: the code of the output.
        level: v.
        cards: places in `CARDS`.
    """

    examples = (
        *(
            example(f"{card} on |0⟩", SAME, 0, *places(card))
            for card in (Gate.X1, Gate.H1, Gate.H3)
        ),
        example("H3 Z1 H1 on |2⟩", SAME, 2, *places(Gate.H3, Gate.Z1, Gate.H1)),
    )
    colour = COLOUR

    def __init__(self, after: Code, level: int, *cards: int) -> None:
        self.after, self.column = after, product([CARDS[card] for card in cards], 3)[:, level]
        super().__init__(QUBITS, [after, level, *cards])

    def legal_inputs(self) -> Iterator[int]:
        """Yield |00⟩."""
        yield 0

    def amplitudes(self, basis_state: int) -> Mapping[int, complex]:
        """Return the one output."""
        return _column(self.column, self.after)


def _column(column: Matrix, after: Code) -> Mapping[int, complex]:
    return {
        word: complex(amplitude)
        for word, amplitude in zip(words(after), column, strict=True)
        if abs(amplitude) > ROUNDING
    }


@operator("qutrit_cnot")
class QutritCnot(Operator):
    """|a, b⟩ → |a, a + b mod 3⟩. Cost: 8.

    The control keeps its code, and the target has `target_after` afterwards: the same if the
    control's code is the level itself.

    Args:
        control: the code of a.
        target: code of b.
    """

    examples = (
        example("CNOT mod 3", SAME, SAME),
        example("CNOT mod 3, other words", code_on(2, 1), code_on(1, 2)),
    )
    colour = "#0072B2"

    def __init__(self, control: Code, target: Code) -> None:
        self.registers = _registers(control, target)
        self.outputs = _registers(control, target_after(control, target))
        super().__init__(4, [control, target])

    def amplitudes(self, basis_state: int) -> Mapping[int, complex]:
        """Return the one output of a legal input."""
        (control,), (target,) = (
            register.decode(part)
            for register, part in zip(
                self.registers, parts(self.registers, basis_state), strict=True
            )
        )
        after = (control, (control + target) % 3)
        states = [register.encode([v]) for register, v in zip(self.outputs, after, strict=True)]
        return {joined(self.outputs, states): 1}


def target_after(control: Code, target: Code) -> Code:
    """Return the target's code after words were added.

    Codes are straight lines. The words of the control are added if both rise alike, else taken
    away: then the sum of the levels is as much off as both codes are.
    """
    (slope, at), (rising, start) = line(control), line(target)
    return code_on(rising, start + at if slope == rising else start - at)


def _registers(control: Code, target: Code) -> tuple[Register, Register]:
    return (
        Register("control", 1, 3, words(control)),
        Register("target", 1, 3, words(target)),
    )


TURN = pi / 12
MAGIC = atan(sqrt(2)) / TURN
"""The angle between a cube's edge and its diagonal, in twelfths of π."""

PAIRS = ((3, 2), (2, 1), (1, 0), (3, 1), (2, 1), (1, 0), (3, 1), (3, 2))
"""The CZ gates: qubits 0 and 1 are the control's, 2 and 3 the target's."""

Angles = tuple[float, float, float]

TURNS: Sequence[dict[int, Angles]] = (
    {1: (6, 6, 6), 2: (6, -3, -6), 3: (6, 9, -6)},
    {2: (12 - MAGIC, 6, 12)},
    {1: (8, 0, 0)},
    {0: (12, 12, 12), 1: (8, 0, 0), 2: (12, 10, 12), 3: (12 - MAGIC, 0, 0)},
    {},
    {1: (4, 12, 12)},
    {0: (12, 0, 12), 1: (4, 6, 0), 2: (12 - MAGIC, -3, 12), 3: (12, 8, 12)},
    {1: (6, 6, 12), 3: (12 - MAGIC, -3, 0)},
    {2: (6, 6, 12), 3: (6, 6, 12)},
)
"""Before, between and after the CZ gates: θ, φ and λ of U by qubit, in twelfths of π.

A numerical search over places of CZ gates and angles found the circuit, with these angles.
Illegal words have no prescribed image.
"""


@synthesis_method("qutrit_cnot.eight")
class Eight(CountedMethod):
    """Eight CZ gates that add words mod 3, for any code of the levels.

    If the codes of control and target run in opposite directions, the words must be subtracted.
    The circuit then exchanges the control's qubits, and so words 1 and 2.
    """

    def build(self, control: Code, target: Code) -> QuantumCircuit:
        """Return the circuit on the control's qubits, then the target's."""
        qubits = (0, 1, 2, 3) if line(control)[0] == line(target)[0] else (1, 0, 2, 3)
        circuit = QuantumCircuit(4)
        for place, turns in enumerate(TURNS):
            for qubit, angles in turns.items():
                circuit.u(*(TURN * angle for angle in angles), qubits[qubit])
            if place < len(PAIRS):
                circuit.cz(*(qubits[qubit] for qubit in PAIRS[place]))
        return circuit


@synthesis_method("qutrit_cards.literal")
class LiteralCards(CountedMethod):
    """The product of the cards as a matrix on two qubits, synthesised by Qiskit."""

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on two qubits."""
        return _synthesised(QutritCards(*params))


@synthesis_method("qutrit_cnot.literal")
class LiteralCnot(CountedMethod):
    """The matrix of CNOT on four qubits, synthesised by Qiskit."""

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the control's qubits, then the target's."""
        return _synthesised(QutritCnot(*params))


def _synthesised(operator: Operator) -> QuantumCircuit:
    matrix = np.eye(1 << operator.num_qubits, dtype=np.complex128)
    for basis_state in operator.legal_inputs():
        matrix[:, basis_state] = 0
        for state, amplitude in operator.amplitudes(basis_state).items():
            matrix[state, basis_state] = amplitude
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.unitary(matrix, range(operator.num_qubits))
    return transpile(circuit, basis_gates=["cx", "u"], optimization_level=0)


@synthesis_method("qutrit_cards.completed")
class Completed(SynthesisMethod):
    """The completion of the product on the illegal word that takes the fewest CX."""

    def two_qubit_gates(self, *params: int) -> int:
        """Return the CX of the completion: two at most; a swap only renames qubits."""
        return completed(_on_words(*params)).cx_gates

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on two qubits."""
        return drawn(completed(_on_words(*params)))


@synthesis_method("qutrit_start.schmidt")
class Schmidt(CountedMethod):
    """The Schmidt form of the state of two qubits: one CX, none if it is a product."""

    def build(self, after: Code, level: int, *cards: int) -> QuantumCircuit:
        """Return the circuit on two qubits in |00⟩."""
        state = np.zeros(4, np.complex128)
        state[list(words(after))] = _product(cards)[:, level]
        # Row: the high bit.
        high, (large, small), low = np.linalg.svd(state.reshape(2, 2))
        circuit = QuantumCircuit(2)
        if small > NUMERICAL_ZERO:
            circuit.ry(2 * np.arctan2(small, large), 0)
            circuit.cx(0, 1)
        rotations = OneQubitEulerDecomposer("U")
        for qubit, rotation in enumerate((low.T, high)):
            circuit.compose(rotations(rotation), [qubit], inplace=True)
        return circuit


def _on_words(before: Code, after: Code, *cards: int) -> Matrix:
    wanted = np.zeros((3, 3), np.complex128)
    wanted[np.ix_(words(after), words(before))] = _product(cards)
    return wanted


def _product(cards: Sequence[int]) -> Matrix:
    return product([LOCAL[3][card] for card in cards], 3)
