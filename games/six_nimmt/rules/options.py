"""What the paper leaves open, or says twice: one option each."""

from typing import Literal

from attrs import frozen

from games.options import RuleOptions


@frozen
class Options(RuleOptions):
    """The rules where the paper is silent or wrong; the defaults are what we think it means.

    Args:
        two_qubit_operations: whether CNOT and hSwap `act` on the qubits, or, as line 41 of the
            pseudo-code read literally has it, stay `idle`.
        payer: who loses points when 0 is measured: the `taker` of the row, or the `owners` of
            its cards; cards that nobody has played are the taker's.
        low_card_mqop: whether the mqop of a card below all rows is `lost` or comes `back`.
        without_mqops: whether CNOT and hSwap are `refused` to whoever has no mqop left, or
            the number of mqops may become `negative`.
        fillers: whether CNOT and hSwap fill rows up with cards worth nothing. Without them only
            a target row that is replaced gets one, because a row is never empty.
        measured_qubit: whether it `stays` in the state to which it has collapsed, or is `reset`
            to |0⟩.

    Raises:
        GameError: if an option has no such value.
    """

    two_qubit_operations: Literal["act", "idle"] = "act"
    payer: Literal["taker", "owners"] = "taker"
    low_card_mqop: Literal["lost", "back"] = "lost"
    without_mqops: Literal["refused", "negative"] = "refused"
    fillers: Literal["yes", "no"] = "yes"
    measured_qubit: Literal["stays", "reset"] = "stays"
