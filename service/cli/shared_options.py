"""Options that several commands take, written once."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import TypeVar

R = TypeVar("R")


def shared_options(
    name: str, declared: Callable[..., object]
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Return a decorator that gives a command options in the place of one of its parameters.

    Args:
        name: of the parameter.
        declared: its parameters are the options; what it returns is the parameter's value.
    """
    shared = signature(declared).parameters

    def decorate(command: Callable[..., R]) -> Callable[..., R]:
        own = signature(command)
        parameters = [
            parameter
            for its_name, its_own in own.parameters.items()
            for parameter in (shared.values() if its_name == name else (its_own,))
        ]

        @wraps(command)
        def called(**given: object) -> R:
            asked = {option: given.pop(option) for option in shared}
            return command(**{name: declared(**asked)}, **given)

        called.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        return called

    return decorate
