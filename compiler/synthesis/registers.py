"""Registers of an operator: which operands make one, and which of their values are legal."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeVar

from attrs import field, frozen

Q = TypeVar("Q")

BITS = {2: 1, 3: 2}
"""Qubits of a digit, by its dimension."""


@frozen
class Register:
    """Digits of one dimension, digit by digit from the lowest operand on.

    A digit of dimension 2 is a qubit. One of dimension 3 is two qubits, low bit first; of their
    four values, three stand for the digits 0, 1 and 2, and the fourth is illegal.

    Args:
        name: in pictures and messages.
        digits: their number.
        dimension: 2 or 3.
        codes: the bits that stand for each digit; by default the digit itself, so that |11⟩ is
            illegal in dimension 3.

    Raises:
        ValueError: if there is no such dimension, or the codes are none of it.
    """

    name: str
    digits: int
    dimension: int = 2
    codes: tuple[int, ...] = field()

    @codes.default
    def _digits_themselves(self) -> tuple[int, ...]:
        return tuple(range(self.dimension))

    def __attrs_post_init__(self) -> None:
        if self.dimension not in BITS or self.digits < 0:
            raise ValueError(
                f"register '{self.name}': {self.digits} digits of dimension {self.dimension}; "
                "a digit has dimension 2 or 3"
            )
        values = set(self.codes) & set(range(1 << self.bits))
        if not len(values) == len(self.codes) == self.dimension:
            raise ValueError(
                f"register '{self.name}': codes {self.codes} are not {self.dimension} different "
                f"values of {self.bits} qubits"
            )

    @property
    def bits(self) -> int:
        """Qubits of a digit."""
        return BITS[self.dimension]

    @property
    def qubits(self) -> int:
        """Qubits of the register."""
        return self.digits * self.bits

    def encode(self, digits: Sequence[int]) -> int:
        """Return the basis state in which the register holds some digits."""
        return sum(self.codes[d] << i * self.bits for i, d in enumerate(digits))

    def decode(self, basis_state: int) -> tuple[int, ...]:
        """Return the digits of a basis state; bits beyond the register are passed over.

        Raises:
            ValueError: if the state is illegal.
        """
        mask = (1 << self.bits) - 1
        values = [basis_state >> i * self.bits & mask for i in range(self.digits)]
        for value in values:
            if value not in self.codes:
                raise ValueError(f"register '{self.name}': |{value:0{self.bits}b}⟩ is no digit")
        return tuple(self.codes.index(value) for value in values)

    def legal_states(self) -> Iterator[int]:
        """Yield every legal basis state once."""
        for digits in product(range(self.dimension), repeat=self.digits):
            yield self.encode(digits)

    def label(self, basis_state: int) -> str:
        """Return a legal basis state as people write it: `name=012`, the first digit first."""
        return f"{self.name}={''.join(map(str, self.decode(basis_state)))}"


def qubits_of(registers: Sequence[Register]) -> int:
    """Return the number of qubits of registers that lie one after the other."""
    return sum(register.qubits for register in registers)


def joined(registers: Sequence[Register], states: Sequence[int]) -> int:
    """Return the basis state of registers that lie one after the other, from one of each."""
    state = 0
    for register, part in zip(reversed(registers), reversed(states), strict=True):
        state = state << register.qubits | part
    return state


def parts(registers: Sequence[Register], basis_state: int) -> list[int]:
    """Return each register's basis state; the inverse of `joined`, without further bits."""
    result = []
    for register in registers:
        result.append(basis_state & (1 << register.qubits) - 1)
        basis_state >>= register.qubits
    return result


def legal_states(registers: Sequence[Register]) -> Iterator[int]:
    """Yield every legal basis state of registers that lie one after the other."""
    for states in product(*(list(register.legal_states()) for register in registers)):
        yield joined(registers, states)


def label(registers: Sequence[Register], basis_state: int) -> str:
    """Return a legal basis state as people write it, register by register."""
    states = parts(registers, basis_state)
    return " ".join(r.label(part) for r, part in zip(registers, states, strict=True))


def split(qubits: Sequence[Q], *sizes: int) -> list[list[Q]]:
    """Cut `qubits` into consecutive registers of the given sizes.

    Raises:
        ValueError: if the sizes do not add up to the number of qubits.
    """
    if sum(sizes) != len(qubits):
        raise ValueError(f"{len(qubits)} qubits cannot be split into registers of {sizes}")
    remaining = iter(qubits)
    return [[next(remaining) for _ in range(size)] for size in sizes]


def bit_pattern(values: Sequence[bool]) -> int:
    """Return the integer whose bit i is `values[i]`."""
    return sum(value << i for i, value in enumerate(values))
