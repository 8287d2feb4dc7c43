"""What was made of the same circuit, or of the same matrices, before in this process.

The attempts of a portfolio begin alike: other seeds and other routers are given what the same
passes made of the same program. A pass that sweeps until nothing changes meets most of what it
looks at again.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from hashlib import blake2b
from itertools import chain
from typing import Concatenate, ParamSpec, TypeVar

import numpy as np
from qiskit import QuantumCircuit

from compiler.formats.circuit_files import qpy_bytes

P = ParamSpec("P")
R = TypeVar("R")
Rewriting = Callable[Concatenate[QuantumCircuit, P], QuantumCircuit]

KEPT = 8
"""Circuits that are remembered of each rewriting."""

KEPT_RESULTS = 4096
"""Results that are remembered of each function of matrices."""


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


def exactly_remembered(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that works but once on matrices, as long as these are the same to the bit.

    Args:
        function: takes arrays, sequences of arrays, and what its `repr` tells all of; nobody
            changes what it returns.
    """
    found: OrderedDict[bytes, R] = OrderedDict()

    @wraps(function)
    def again(*args: P.args, **kwargs: P.kwargs) -> R:
        key = _exact_key([*args, *chain.from_iterable(kwargs.items())])
        if key in found:
            with suppress(KeyError):
                return found[key]
        made = function(*args, **kwargs)
        found[key] = made
        while len(found) > KEPT_RESULTS:
            with suppress(KeyError):
                found.popitem(last=False)
        return made

    return again


def _exact_key(values: Iterable[object]) -> bytes:
    """Return what tells values from others; arrays that lie otherwise in memory are others."""
    digest = blake2b(digest_size=16)
    for value in values:
        if isinstance(value, np.ndarray):
            digest.update(repr((value.shape, value.strides, value.dtype.str)).encode())
            digest.update(value.tobytes())
        elif isinstance(value, Sequence) and len(value) and isinstance(value[0], np.ndarray):
            digest.update(_exact_key(value))
        else:
            digest.update(repr(value).encode())
        digest.update(b";")
    return digest.digest()
