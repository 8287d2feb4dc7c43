"""Caches of rewritten circuits, of functions of matrices, and of states, bounded by bytes.

The attempts of a portfolio begin alike: other seeds and other routers start from results of the
same passes on the same program. A pass that sweeps until nothing changes meets most of its
blocks again.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from hashlib import blake2b
from itertools import chain
from sys import getsizeof
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from attrs import fields, has
from qiskit import QuantumCircuit

from compiler.formats.circuit_files import qpy_bytes

P = ParamSpec("P")
R = TypeVar("R")
Rewriting = Callable[Concatenate[QuantumCircuit, P], QuantumCircuit]

MAX_BYTES = 256_000_000
"""Size of a cache; the least recently used results are dropped beyond it."""

GATE_BYTES, ENTRY_BYTES = 1_000, 500
"""Estimated sizes of a gate of a circuit, and of an entry without its key and result."""


class Cache:
    """Results of functions, shared by threads.

    Args:
        max_bytes: that all results may take together.
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes, self._bytes = max_bytes, 0
        self._results: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, compute: Callable[[], R]) -> R:
        """Return the result of a key; two threads may compute the same one at a time."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key][0]
        result = compute()
        size = ENTRY_BYTES + _size(result) + _size(key)
        with self._lock:
            if key not in self._results:
                self._results[key] = result, size
                self._bytes += size
            while self._bytes > self._max_bytes:
                _, (_, dropped) = self._results.popitem(last=False)
                self._bytes -= dropped
        return result


_CURRENT: ContextVar[Cache] = ContextVar("cache", default=Cache())  # noqa: B039 - shared by threads


@contextmanager
def own_cache() -> Iterator[None]:
    """Cache results until the context ends only, as in a process of another program."""
    token = _CURRENT.set(Cache())
    try:
        yield
    finally:
        _CURRENT.reset(token)


def cached_result(key: Hashable, compute: Callable[[], R]) -> R:
    """Return the cached result of a key, which no caller changes."""
    return _CURRENT.get().get(key, compute)


def cached(function: Callable[P, R]) -> Callable[P, R]:
    """Cache a function of hashable arguments."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        key = (function, args, tuple(kwargs.items()))
        return cached_result(key, lambda: function(*args, **kwargs))

    return call


def cached_rewriting(rewriting: Rewriting[P]) -> Rewriting[P]:
    """Cache a rewriting by the gates of its circuit; other arguments are hashable.

    Args:
        rewriting: returns the circuit itself if there is nothing to gain.
    """

    @wraps(rewriting)
    def call(circuit: QuantumCircuit, /, *args: P.args, **kwargs: P.kwargs) -> QuantumCircuit:
        def compute() -> QuantumCircuit | None:
            result = rewriting(circuit, *args, **kwargs)
            return None if result is circuit else result

        digest = blake2b(qpy_bytes(circuit.copy(name="circuit"))).digest()
        key = (rewriting, digest, args, tuple(kwargs.items()))
        result = cached_result(key, compute)
        return circuit if result is None else result

    return call


def cached_by_arrays(function: Callable[P, R]) -> Callable[P, R]:
    """Cache a function of matrices that are the same to the bit.

    Args:
        function: takes arrays, sequences of arrays, and values whose `repr` tells all of them;
            no caller changes its results.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        key = function, _digest([*args, *chain.from_iterable(kwargs.items())])
        return cached_result(key, lambda: function(*args, **kwargs))

    return call


def _digest(values: Iterable[object]) -> bytes:
    """Return a digest of values; arrays with another layout in memory have another one."""
    digest = blake2b(digest_size=16)
    for value in values:
        if isinstance(value, np.ndarray):
            digest.update(repr((value.shape, value.strides, value.dtype.str)).encode())
            digest.update(value.tobytes())
        elif isinstance(value, Sequence) and len(value) and isinstance(value[0], np.ndarray):
            digest.update(_digest(value))
        else:
            digest.update(repr(value).encode())
        digest.update(b";")
    return digest.digest()


def _size(value: Any) -> int:
    """Return the estimated bytes of a value with all that it holds."""
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if isinstance(value, QuantumCircuit):
        return GATE_BYTES * len(value.data)
    if isinstance(value, Mapping):
        return sum(_size(key) + _size(item) for key, item in value.items())
    if isinstance(value, tuple | list):
        return sum(map(_size, value))
    if has(type(value)):
        return sum(_size(getattr(value, field.name)) for field in fields(type(value)))
    return getsizeof(value)
