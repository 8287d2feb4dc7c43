"""Values that are made of the attributes of other objects, by their names."""

from collections.abc import Iterable
from typing import Any, TypeVar

import attrs

T = TypeVar("T", bound=attrs.AttrsInstance)


def attributes(names: Iterable[str], /, *objects: object, **values: Any) -> dict[str, Any]:
    """Return values, and for each other name the attribute of the first object that has it."""
    for name in names:
        if name not in values and (source := [of for of in objects if hasattr(of, name)]):
            values[name] = getattr(source[0], name)
    return values


def build(kind: type[T], /, *objects: object, **values: Any) -> T:
    """Return an attrs value of some values, and of the attributes of objects by their names."""
    return kind(**attributes((field.name for field in attrs.fields(kind)), *objects, **values))
