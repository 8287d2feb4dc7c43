"""Machines that could run a computation: physical qubits against hours."""

from collections.abc import Iterable, Sequence

from attrs import frozen


@frozen
class Machine:
    """One way to run a computation.

    Args:
        physical_qubits: all of them, factories included.
        hours: of the computation.
        code_distance: of the logical qubits.
        factories: of magic states, side by side.
    """

    physical_qubits: int
    hours: float
    code_distance: int
    factories: int


@frozen
class Frontier:
    """The ways to run a computation of which none is better in both qubits and hours.

    Args:
        machines: the fastest first.
        infeasible: why there is none; empty if there is one.
    """

    machines: Sequence[Machine]
    infeasible: str = ""

    @classmethod
    def of(cls, machines: Iterable[Machine]) -> "Frontier":
        """Return the frontier of some machines, at least one."""
        best: list[Machine] = []
        for one in sorted(machines, key=lambda m: (m.hours, m.physical_qubits)):
            if not best or one.physical_qubits < best[-1].physical_qubits:
                best.append(one)
        return cls(tuple(best))
