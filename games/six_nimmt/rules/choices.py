"""What a player chooses in a turn: a card and an operation."""

import re
from enum import StrEnum
from typing import NamedTuple

from compiler.errors import GameError
from games.six_nimmt.rules.cards import CARDS


class Operation(StrEnum):
    """What a card does to qubits, by the name that people write."""

    NONE = ""
    H = "H"
    Z = "Z"
    CNOT = "CNOT"
    HSWAP = "hSwap"

    @property
    def takes_two_rows(self) -> bool:
        """Whether it acts on another row's qubit, too, and so costs an mqop."""
        return self in (Operation.CNOT, Operation.HSWAP)


CARD = re.compile("[1-9][0-9]{0,2}")
_BY_NAME = {operation.value.lower(): operation for operation in Operation}


class Choice(NamedTuple):
    """A card of one's hand, and what it does.

    Args:
        card: its number.
        operation: on the qubit of the row where it comes to lie.
    """

    card: int
    operation: Operation = Operation.NONE

    def __str__(self) -> str:
        return f"{self.card} {self.operation}".rstrip()

    @classmethod
    def parse(cls, text: object) -> "Choice":
        """Read a choice such as `53`, `53 H` or `53 hSwap`, in upper or lower case.

        Raises:
            GameError: if it is none.
        """
        number, _, operation = str(text).strip().partition(" ")
        if not CARD.fullmatch(number) or int(number) > CARDS:
            raise GameError(f"{text!r}: write a card from 1 to {CARDS} and, if you like, "
                            "H, Z, CNOT or hSwap, such as '53 H'")  # fmt: skip
        if operation.strip().lower() not in _BY_NAME:
            raise GameError(f"{text!r}: '{operation.strip()}' is no operation; write H, Z, CNOT, "
                            "hSwap or nothing")  # fmt: skip
        return cls(int(number), _BY_NAME[operation.strip().lower()])
