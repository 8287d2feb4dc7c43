"""Functions that Numba compiles, with machine code on disk that is never older than its sources.

Numba keeps the machine code of a function together with that of everything it calls, and takes
it for current as long as the file of the function itself stays the same. After an upgrade, a
function whose own file has not changed would run the code of old callees. So the files of all
compiled functions that a module imports, and the constants it imports, are part of the check.
"""

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import config, njit
from numba.core.caching import InTreeCacheLocator, UserProvidedCacheLocator, UserWideCacheLocator
from numba.core.dispatcher import Dispatcher
from numba.core.types import unliteral

F = TypeVar("F", bound=Callable[..., Any])

_CONFIG: Any = config

LOCATORS = ("UserProvided", "InTree", "UserWide")
"""Classes below that look for a folder for the machine code, in the order of preference."""


def cached_njit(**options: Any) -> Callable[[F], F]:
    """Return a decorator that compiles a function, and keeps the machine code on disk.

    Args:
        options: of `numba.njit`.
    """

    def compiled(function: F) -> F:
        before = _CONFIG.CACHE_LOCATOR_CLASSES
        _CONFIG.CACHE_LOCATOR_CLASSES = ",".join(f"{__name__}.{name}" for name in LOCATORS)
        try:
            result: Any = njit(cache=True, **options)(function)
        finally:
            _CONFIG.CACHE_LOCATOR_CLASSES = before
        # Numba would compile a function once more for each combination of constants it gets.
        template = result.get_call_template
        result.get_call_template = lambda args, kws: template(
            tuple(map(unliteral, args)), dict(zip(kws, map(unliteral, kws.values()), strict=True))
        )
        return cast(F, result)

    return compiled


def njit_view(function: F) -> F:
    """Compile a function that works on the arrays it is given, and allocates none.

    Elsewhere Numba counts the references to every array of a tuple that a function looks into,
    each by an atomic instruction, which took searches more time than all else. Without its
    runtime it counts none, and refuses to compile allocations, here and in functions called here.
    The function must not return an array to one that counts: that would free it once too often.
    Other threads may run meanwhile.
    """
    return cached_njit(nogil=True, _nrt=False)(function)


class _ImportedSources:
    """Adds the sources that a function's module imports to the stamp of its machine code."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)  # type: ignore[call-arg]
        self._module: Mapping[str, Any] = py_func.__globals__

    def get_source_stamp(self) -> str:
        return sources_digest(self._module)


class UserProvided(_ImportedSources, UserProvidedCacheLocator):
    """In the folder `NUMBA_CACHE_DIR`."""


class InTree(_ImportedSources, InTreeCacheLocator):
    """Beside the source."""


class UserWide(_ImportedSources, UserWideCacheLocator):
    """In the user's cache folder."""


def sources_digest(module: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a module's file, its imported constants and compiled functions.

    Args:
        module: its global variables, after its imports.
    """
    digest = hashlib.sha256(_file_digest(module["__file__"]))
    for name, value in sorted(module.items()):
        if isinstance(value, Dispatcher):
            other = value.py_func.__globals__
            if other["__file__"] != module["__file__"]:
                digest.update(f"{name}={sources_digest(other)}".encode())
        elif isinstance(value, int | float | complex | str | tuple) and name.isupper():
            digest.update(f"{name}={value!r}".encode())
    return digest.hexdigest()


@cache
def _file_digest(path: str) -> bytes:
    return hashlib.sha256(Path(path).read_bytes()).digest()
