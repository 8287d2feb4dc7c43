"""Values of circuits' parameters: read, checked, and put into circuits."""

import json
from collections.abc import Iterable, Iterator, Sequence
from sys import float_info
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit.exceptions import CircuitError

from compiler.errors import InputError, meant

Values = tuple[tuple[str, float], ...]
"""Numbers by parameters' names, in the order of the names."""

BINDINGS = 2
"""Random values at which circuits are compared; one would do but for rounding."""

MAX_BINDINGS = 1_000
MAX_SHOWN = 5
"""Parameters that a message names."""
MAX_LETTERS = 40
"""Characters of a value in a message."""
EXAMPLE = "write a number, such as theta=0.3"


def unbound(circuit: QuantumCircuit) -> str:
    """Return the names of a circuit's parameters for a message; empty if it has none."""
    names = [parameter.name for parameter in circuit.parameters]
    more = f" and {len(names) - MAX_SHOWN} more" if len(names) > MAX_SHOWN else ""
    return ", ".join(names[:MAX_SHOWN]) + more


def bound(circuit: QuantumCircuit, values: Values, *, strict: bool = True) -> QuantumCircuit:
    """Return a circuit with numbers in the place of some of its parameters.

    Args:
        circuit: with parameters.
        values: of some of them.
        strict: whether the circuit must have all of these parameters.

    Raises:
        InputError: if it lacks one of the parameters, or an angle is no finite number then.
    """
    parameters = {parameter.name: parameter for parameter in circuit.parameters}
    if not strict:
        values = tuple(pair for pair in values if pair[0] in parameters)
    for name, _ in values:
        if name not in parameters:
            hint = meant(name, parameters) if parameters else "the circuit has none"
            raise InputError(f"{circuit.name}: unknown parameter: '{name}'; {hint}")
    try:
        result = circuit.assign_parameters({parameters[name]: value for name, value in values})
    except (CircuitError, TypeError, ValueError, ZeroDivisionError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{circuit.name}: the values give no angle: {reason}") from error
    return result


def random_values(circuit: QuantumCircuit, seed: int) -> Values:
    """Return a number from -π to π for each parameter of a circuit."""
    numbers = np.random.default_rng(seed).uniform(-np.pi, np.pi, len(circuit.parameters))
    names = (parameter.name for parameter in circuit.parameters)
    return tuple(zip(names, numbers.tolist(), strict=True))


def bound_at_random(*circuits: QuantumCircuit) -> Iterator[tuple[QuantumCircuit, ...]]:
    """Yield circuits at `BINDINGS` random values of the first one's parameters; once without any.

    How far two circuits differ is an analytic function of their angles: 0 for all values, or on a
    set of measure 0 only. Random values miss that set with probability 1.
    """
    for seed in range(BINDINGS if circuits[0].parameters else 1):
        values = random_values(circuits[0], seed)
        yield tuple(bound(circuit, values, strict=False) for circuit in circuits)


def values_from_text(assignments: Iterable[str]) -> Values:
    """Return the values of assignments such as `theta=0.3`.

    Raises:
        InputError: if one is no assignment of a finite number, or a name is there twice.
    """
    pairs = []
    for text in assignments:
        name, equals, number = (part.strip() for part in text.partition("="))
        if not (name and equals):
            raise InputError(f"no value of a parameter: '{text}'; {EXAMPLE}")
        try:
            pairs.append((name, float(number)))
        except ValueError:
            raise InputError(
                f"parameter '{name}' has no finite number: '{number}'; {EXAMPLE}"
            ) from None
    return _checked(pairs)


def values_from_json(text: str, name: str) -> list[Values]:
    """Return the values of a JSON object, or of each object of a list.

    A list of numbers stands for the elements of a vector: `theta[0]`, `theta[1]` and so on.

    Args:
        text: the JSON.
        name: of the file, for messages.

    Raises:
        InputError: if it is something else, or a value is no finite number.
    """
    try:
        document = json.loads(text, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: no JSON: {error}; write an object, or a list of them") from error
    sets = document if type(document) is list else [document]
    if not 1 <= len(sets) <= MAX_BINDINGS or not all(isinstance(each, _Pairs) for each in sets):
        raise InputError(
            f"{name}: give one JSON object of numbers, or a list of 1 to {MAX_BINDINGS}"
        )
    try:
        return [_checked(_expanded(pairs)) for pairs in sets]
    except InputError as error:
        raise InputError(f"{name}: {error}") from error


def merged(sets: Sequence[Values], common: Values) -> list[Values]:
    """Return sets of values, each with the common ones; these alone if there are no sets.

    Raises:
        InputError: if a name is in both.
    """
    return [_checked([*values, *common]) for values in sets or ([()] if common else [])]


class _Pairs(list[tuple[str, Any]]):
    """A JSON object, and the names that occur twice in it."""


def _expanded(pairs: _Pairs) -> Iterable[tuple[str, Any]]:
    for name, value in pairs:
        if type(value) is list:
            yield from ((f"{name}[{place}]", each) for place, each in enumerate(value))
        else:
            yield name, value


def _checked(pairs: Iterable[tuple[str, Any]]) -> Values:
    values: dict[str, float] = {}
    for name, value in pairs:
        if name in values:
            raise InputError(f"parameter given twice: '{name}'; give it once")
        # Compared, since `isfinite` fails for integers that no float holds.
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not abs(value) <= float_info.max:
            shown = str(value)[:MAX_LETTERS]
            raise InputError(f"parameter '{name}' has no finite number: '{shown}'; {EXAMPLE}")
        values[name] = float(value)
    return tuple(sorted(values.items()))
