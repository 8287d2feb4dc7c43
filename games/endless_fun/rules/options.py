"""What players agree on before a match."""

from typing import Literal

from attrs import frozen

from games.options import RuleOptions


@frozen
class Options(RuleOptions):
    """The version that is played.

    Args:
        dimension: levels of a qudit; the rookie version has two, whatever stands here.
        rookie: whether every round starts from 0…0, and cards go beneath one's own qubit only.
        pauli: whether Y of 2D is Pauli's matrix, |1⟩ → −i|0⟩; the paper prints |1⟩ → i|0⟩.

    Raises:
        GameError: if an option has no such value.
    """

    dimension: Literal["3", "2"] = "3"
    rookie: Literal["no", "yes"] = "no"
    pauli: Literal["no", "yes"] = "no"

    @property
    def levels(self) -> int:
        """Levels of a qudit."""
        return 2 if self.is_rookie else int(self.dimension)

    @property
    def is_rookie(self) -> bool:
        """Whether it is the rookie version."""
        return self.rookie == "yes"

    @property
    def is_pauli(self) -> bool:
        """Whether Y of 2D is Pauli's matrix."""
        return self.pauli == "yes"
