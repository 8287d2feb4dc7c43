"""Frozen `attrs` values as fields of result models, without a second class for each."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from functools import cache, reduce
from operator import or_
from types import GenericAlias, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import attrs
from pydantic import GetCoreSchemaHandler, create_model
from pydantic_core import core_schema

from service.results.model import ResultModel, Time, Usd

PUBLISHED: Mapping[Any, Any] = {datetime: Time, Decimal: Usd}
"""Types of fields that are written in another way than pydantic's own."""


class Value:
    """Annotation of an `attrs` class: it is kept as it is, and written with all of its fields.

    Use it as `Annotated[Frontier, Value()]`. Fields that are `attrs` values themselves, or
    sequences and mappings of them, are written the same way.

    Args:
        properties: names of properties that are written beside the fields.
        without: names of fields that are left out.
    """

    def __init__(self, *properties: str, without: tuple[str, ...] = ()) -> None:
        self._properties, self._without = properties, without

    def __get_pydantic_core_schema__(
        self, source: type, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Return a schema that takes instances of the class, and writes those of its model."""
        model = _model(source, self._properties, self._without)
        written = handler.generate_schema(model)
        return core_schema.json_or_python_schema(
            json_schema=written,
            python_schema=core_schema.is_instance_schema(source),
            serialization=core_schema.plain_serializer_function_ser_schema(
                model.model_validate, return_schema=written
            ),
        )


@cache
def _model(
    source: type, properties: tuple[str, ...] = (), without: tuple[str, ...] = ()
) -> type[ResultModel]:
    hints = get_type_hints(source)
    fields: dict[str, Any] = {
        field.name: hints[field.name] for field in attrs.fields(source) if field.name not in without
    }
    for name in properties:
        fields[name] = get_type_hints(getattr(source, name).fget)["return"]
    definitions: dict[str, Any] = {name: (_written(hint), ...) for name, hint in fields.items()}
    return create_model(source.__name__, __base__=ResultModel, **definitions)


def _written(hint: Any) -> Any:
    """Return a type in which models stand for `attrs` classes."""
    if isinstance(hint, type) and not isinstance(hint, GenericAlias):
        if attrs.has(hint):
            return _model(hint)
        return str if issubclass(hint, StrEnum) else PUBLISHED.get(hint, hint)
    origin, arguments = get_origin(hint), tuple(map(_written, get_args(hint)))
    if origin is None or not arguments:
        return hint
    return reduce(or_, arguments) if origin in (Union, UnionType) else origin[arguments]
