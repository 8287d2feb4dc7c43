"""What a pipeline is: a named way from a logical circuit to a native one."""

from collections.abc import Callable
from typing import TypeVar

from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from compiler.registry import Registry


@frozen(eq=False)
class Lowered:
    """A native circuit without measurements.

    Args:
        circuit: native gates; qubit q is the target's physical qubit q.
        final_layout: for each logical qubit, the physical qubit that holds it at the end.
    """

    circuit: QuantumCircuit
    final_layout: tuple[int, ...]


Lower = Callable[[QuantumCircuit, Target, str, int], Lowered]
"""Takes a circuit without measurements, a target, a synthesis method and a seed."""


@frozen
class Pipeline:
    """A way to lower circuits.

    Args:
        name: what records and tables call it.
        lower: does it.
        seeded: whether different seeds give different results.
    """

    name: str
    lower: Lower
    seeded: bool


pipelines: Registry[Pipeline] = Registry("pipeline")

L = TypeVar("L", bound=Lower)


def pipeline(name: str, *, seeded: bool) -> Callable[[L], L]:
    """Return a decorator that files a lowering function as a pipeline.

    Every pipeline starts from |0…0⟩, ends on native gates and edges, and reports its final
    layout; verification holds it to that.
    """
    file = pipelines.register(name)

    def decorate(lower: L) -> L:
        file(Pipeline(name, lower, seeded))
        return lower

    return decorate
