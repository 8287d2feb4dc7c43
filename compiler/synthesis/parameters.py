"""Parameters of operators: any real numbers, the same ones before and after a file."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from qiskit.circuit import ParameterExpression

from compiler.errors import InputError

Number = int | float | Fraction


def number(param: Any) -> Number:
    """Return a gate's parameter as a number; whole ones are integers.

    QPY turns every number into a float, so that 2 and 2.0 have to be the same parameter. It
    turns a fraction into the float next to it; only in memory fractions stay fractions.

    Raises:
        InputError: if a parameter is still free, or no real number.
    """
    if isinstance(param, ParameterExpression):
        if param.parameters:
            free = ", ".join(sorted(p.name for p in param.parameters))
            raise InputError(f"the parameter {free} is free: assign a number to it")
        param = param.numeric()
    if isinstance(param, int | Fraction):
        return int(param) if param.denominator == 1 else Fraction(param)
    try:
        value = float(param)
    except (TypeError, ValueError) as error:
        raise InputError(f"the parameter {param} is no real number") from error
    return int(value) if value.is_integer() else value


def numbers(params: Sequence[Any]) -> tuple[Number, ...]:
    """Return a gate's parameters as numbers.

    Raises:
        InputError: as `number` does.
    """
    return tuple(number(param) for param in params)


def is_free(param: Any) -> bool:
    """Return whether a parameter has no value yet."""
    return isinstance(param, ParameterExpression) and bool(param.parameters)
