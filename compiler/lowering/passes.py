"""Lowering passes: small steps that declare the properties they establish and preserve."""

from collections.abc import Callable, Collection, Iterable
from enum import StrEnum

from attrs import field, frozen
from qiskit.transpiler import Target

from compiler.lowering.draft import Draft, Setting
from compiler.targets import is_coupled


class Property(StrEnum):
    """Properties of a draft.

    - `gates`: operators are replaced by their synthesis.
    - `layout`: its qubits are the target's physical qubits.
    - `routing`: two-qubit gates, of any kind, act on coupled pairs only.
    - `native`: all gates are the target's.
    """

    GATES = "gates"
    LAYOUT = "layout"
    ROUTING = "routing"
    NATIVE = "native"


NOTHING: frozenset[Property] = frozenset()
ALL = frozenset(Property)
Run = Callable[[Draft, Setting], Draft]


def _frozen(properties: Iterable[Property]) -> frozenset[Property]:
    return frozenset(properties)


def anywhere(target: Target) -> bool:
    """Return True: the pass suits every target."""
    return True


def uncoupled(target: Target) -> bool:
    """Return whether any two qubits of a target are coupled."""
    return not is_coupled(target)


@frozen
class Pass:
    """One step of a pipeline.

    A pass that establishes nothing is an optimisation: it never adds two-qubit gates, may be
    left out, and returns the very draft it was given if there is nothing to gain.

    Args:
        name: in records and options.
        run: the step.
        establishes: properties of its result in any case.
        preserves: properties of its result if its argument has them.
        from_zero: whether it may use that all qubits start in |0⟩, so that its result holds
            from there only.
        takes_start: whether it lays circuits out as `Setting.start` says. Only such passes lower
            circuits after a measurement.
        suits: returns whether it is of use on a target.
        needs_fractional: whether it is of use on targets with fractional gates only.
        takes_parameters: whether it takes circuits with unbound parameters; others are left out
            there.
        rebuilds: whether it builds circuits anew from Pauli rotations.
    """

    name: str
    run: Run
    establishes: frozenset[Property] = field(default=NOTHING, converter=_frozen)
    preserves: frozenset[Property] = field(default=NOTHING, converter=_frozen)
    from_zero: bool = False
    takes_start: bool = False
    suits: Callable[[Target], bool] = anywhere
    needs_fractional: bool = False
    takes_parameters: bool = False
    rebuilds: bool = False

    @property
    def optional(self) -> bool:
        """Return whether it may be left out."""
        return not self.establishes

    def suits_setting(self, setting: Setting) -> bool:
        """Return whether it is of use on a setting's target and for its input."""
        if self.needs_fractional and setting.fractional is None:
            return False
        return self.suits(setting.target) and not (setting.any_input and self.from_zero)

    def holds_after(self, before: Collection[Property]) -> frozenset[Property]:
        """Return the properties of a draft after the pass, given those before."""
        return self.establishes | (self.preserves & frozenset(before))
