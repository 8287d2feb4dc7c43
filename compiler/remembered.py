"""What was made of the same circuit before, in this process.

The attempts of a portfolio begin alike: other seeds and other routers are given what the same
passes made of the same program.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from hashlib import blake2b
from typing import Concatenate, ParamSpec

from qiskit import QuantumCircuit

from compiler.formats.circuit_files import qpy_bytes

P = ParamSpec("P")
Rewriting = Callable[Concatenate[QuantumCircuit, P], QuantumCircuit]

KEPT = 8
"""Circuits that are remembered of each rewriting."""


def remembered(rewriting: Rewriting[P]) -> Rewriting[P]:
    """Return a rewriting that works but once on a circuit.

    Args:
        rewriting: takes a circuit, and what is left by position; it returns the circuit itself if
            there is nothing to gain.
    """
    found: OrderedDict[Hashable, QuantumCircuit | None] = OrderedDict()

    @wraps(rewriting)
    def again(circuit: QuantumCircuit, /, *args: P.args, **kwargs: P.kwargs) -> QuantumCircuit:
        nameless = circuit.copy(name="circuit")
        key = (blake2b(qpy_bytes(nameless)).digest(), args, tuple(kwargs.items()))
        if key not in found:
            made = rewriting(circuit, *args, **kwargs)
            found[key] = None if made is circuit else made
            while len(found) > KEPT:
                found.popitem(last=False)
        made_before = found[key]
        return circuit if made_before is None else made_before

    return again
