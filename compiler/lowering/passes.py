"""Lowering passes: small steps that say what they establish and what they keep."""

from collections.abc import Callable
from enum import StrEnum

from attrs import field, frozen
from qiskit.transpiler import Target

from compiler.lowering.draft import Draft, Setting


class Property(StrEnum):
    """What holds of a draft.

    - `layout`: its qubits are the target's physical qubits.
    - `routing`: two-qubit gates, of whatever kind, act on coupled pairs only.
    - `native`: all gates are the target's.
    """

    LAYOUT = "layout"
    ROUTING = "routing"
    NATIVE = "native"


NOTHING: frozenset[Property] = frozenset()
ALL = frozenset(Property)


def anywhere(target: Target) -> bool:
    """Tell that a pass suits every target."""
    return True


@frozen
class Pass:
    """One step of a pipeline.

    A pass that establishes nothing is an optimisation: it never adds two-qubit gates, may be
    left out, and returns the very draft it was given if there is nothing to gain.

    Args:
        name: what records and options call it.
        run: does it.
        establishes: what holds afterwards, whatever held before.
        preserves: what still holds afterwards if it held before.
        from_zero: whether it may use that all qubits start in |0⟩, so that its result holds
            from there only.
        suits: tells whether it is of use on a target.
    """

    name: str
    run: Callable[[Draft, Setting], Draft]
    establishes: frozenset[Property] = NOTHING
    preserves: frozenset[Property] = NOTHING
    from_zero: bool = False
    suits: Callable[[Target], bool] = field(default=anywhere)

    @property
    def optional(self) -> bool:
        """Whether it may be left out."""
        return not self.establishes
