"""Checks of arguments against their annotations, for functions and classes that users call."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial, wraps
from inspect import signature
from numbers import Integral, Real
from reprlib import Repr
from types import UnionType
from typing import Annotated, Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from compiler.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")

WORDS = {
    "int": "a whole number", "float": "a number", "str": "a string", "bool": "True or False",
    "NoneType": "None", "tuple": "a list", "Sequence": "a list", "Mapping": "a dict",
    "Program": "a result of stichwerk.program(...)", "Target": "a result of stichwerk.target(...)",
    "Compiled": "a result of stichwerk.compile(...)", "Options": "stichwerk.Options(...)",
}  # fmt: skip
"""Types as messages name them; others have their own names."""

NUMBERS = {int: Integral, float: Real}
"""Types of numbers, with those of NumPy and fractions. A bool is no number."""

SHOWN = Repr()
SHOWN.maxstring = SHOWN.maxother = 60


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function with a check of its arguments; see `check_arguments`."""
    parameters = signature(function)

    @wraps(function)
    def checking(*args: P.args, **kwargs: P.kwargs) -> R:
        check_arguments(function, parameters.bind(*args, **kwargs).arguments)
        return function(*args, **kwargs)

    return checking


def check_arguments(of: Callable[..., object], arguments: Mapping[str, object]) -> None:
    """Refuse arguments whose types, or those of their items, are not as annotated.

    `Annotated[int, range(1, 9)]` also limits a number.

    Raises:
        InputError: With the name, the value and the allowed types or numbers.
    """
    for name, value in arguments.items():
        _check(name, value, _hints(of)[name])


_hints = cache(partial(get_type_hints, include_extras=True))


def _check(name: str, value: Any, hint: Any) -> None:
    hint, *limits = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    choice = next((choice for choice in choices if _is_a(value, get_origin(choice) or choice)), 0)
    if not choice:
        allowed = " or ".join(WORDS.get(each.__name__, each.__name__) for each in choices)
        kind = type(value).__name__
        raise InputError(f"{name}: {SHOWN.repr(value)} is of type {kind}; give {allowed}")
    for numbers in limits:
        if int(value) not in numbers:
            raise InputError(f"{name}: {value} is out of range; give {numbers[0]} to {numbers[-1]}")
    items, hints = get_origin(choice), get_args(choice)
    if items is Mapping:
        for key, item in value.items():
            _check(f"key in {name}", key, hints[0])
            _check(f"{name}[{key!r}]", item, hints[1])
    elif items in (tuple, Sequence):
        for place, item in enumerate(value):
            _check(f"{name}[{place}]", item, hints[0])


def _is_a(value: object, kind: type) -> bool:
    if isinstance(value, bool) or (isinstance(value, str) and kind is Sequence):
        return isinstance(value, kind) and kind in (bool, str)
    return isinstance(value, NUMBERS.get(kind, kind))
