"""Cards on one qutrit: on any state of it, and on a known level."""

from collections.abc import Iterator, Mapping

from compiler.circuits.matrices import Matrix
from compiler.synthesis.operator import Example, Operator, example, operator
from compiler.synthesis.registers import Register
from games.endless_fun.operators.cards import LOCAL, product
from games.endless_fun.operators.codes import SAME, Code, moved, words
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
        after: of the output.
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
        """Return the column of the level that two qubits stand for."""
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
        if abs(amplitude) > 1e-12
    }
