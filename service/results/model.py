"""Base class of all result models; times, amounts and frozen `attrs` values as their fields."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from functools import cache, reduce
from operator import or_
from types import GenericAlias, UnionType
from typing import Annotated, Any, ClassVar, Self, Union, get_args, get_origin, get_type_hints

import attrs
from attrs import frozen
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    PlainSerializer,
    WithJsonSchema,
    create_model,
)
from pydantic_core import core_schema

from workers.attributes import attributes
from workers.provenance import revision, versions
from workers.settings import exact_usd

RESULTS: dict[str, Any] = {}
"""Model of a command's output with `--json`, or the union of several, of imported modules."""


class DescribedModel(BaseModel):
    """Model whose fields are described by the strings below them."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Join the lines of descriptions."""
        for described in cls.model_fields.values():
            if described.description:
                described.description = " ".join(described.description.split())
        if cls.__pydantic_complete__:
            cls.model_rebuild(force=True)


class ResultModel(DescribedModel):
    """Answer of a command or an HTTP route.

    Subclasses name the `commands` that print them with `--json`, separated by commas.

    Models take no unknown fields, and no NaN or infinity, for which JSON has no numbers.

    A published field is neither removed nor given another type, unless `schema_version` grows.
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        from_attributes=True,
        allow_inf_nan=False,
        # A command builds only the validators of the models that it uses.
        defer_build=True,
        json_schema_serialization_defaults_required=True,
    )
    schema_version: ClassVar[int] = 1
    """Version of the published schema."""

    def __init_subclass__(cls, *, commands: str = "", **config: Any) -> None:
        """File the model under its commands."""
        super().__init_subclass__(**config)
        for command in filter(None, commands.split(", ")):
            RESULTS[command] = RESULTS[command] | cls if command in RESULTS else cls

    @classmethod
    def from_objects(cls, *objects: object, **fields: object) -> Self:
        """Build a result of fields, and for the others the attributes of objects.

        Args:
            objects: Where several have an attribute, that of the first.
            fields: By name; they come before attributes.
        """
        return cls.model_validate(attributes(cls.model_fields, *objects, **fields))


class MeasuredResult(ResultModel):
    """Result that depends on versions of packages and of the source.

    Args:
        versions: of Python and packages; None where a package is missing.
        revision: of the source in git; None if it is unknown.
    """

    versions: Mapping[str, str | None] = Field(default_factory=lambda: dict(versions()))
    revision: str | None = Field(default_factory=revision)


@frozen
class Table:
    """Table for people.

    Args:
        title: Heading.
        columns: Headings of the columns; empty for pairs of a name and a value.
        rows: Cells.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


Time = Annotated[
    datetime,
    PlainSerializer(datetime.isoformat, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A time with its zone, in JSON in ISO 8601."""
Usd = Annotated[Decimal, PlainSerializer(exact_usd, return_type=str, when_used="json")]
"""US dollars, in JSON an exact decimal."""


PUBLISHED: Mapping[Any, Any] = {datetime: Time, Decimal: Usd}
"""Types of fields that are written in another way than pydantic's own."""


class Value:
    """Annotation of an `attrs` class: it is kept as it is, and written with all of its fields.

    Use it as `Annotated[Frontier, Value()]`. Fields that are `attrs` values themselves, or
    sequences and mappings of them, are written the same way.

    Args:
        properties: names of properties that are written beside the fields.
    """

    def __init__(self, *properties: str) -> None:
        self._properties = properties

    def __get_pydantic_core_schema__(
        self, source: type, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Return a schema that takes instances of the class, and writes those of its model."""
        model = _model(source, self._properties)
        written = handler.generate_schema(model)
        return core_schema.json_or_python_schema(
            json_schema=written,
            python_schema=core_schema.is_instance_schema(source),
            serialization=core_schema.plain_serializer_function_ser_schema(
                model.model_validate, return_schema=written
            ),
        )


@cache
def _model(source: type, properties: tuple[str, ...] = ()) -> type[ResultModel]:
    hints = get_type_hints(source)
    fields: dict[str, Any] = {field.name: hints[field.name] for field in attrs.fields(source)}
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


def share(value: object) -> object:
    """Return a share or a fidelity with three decimals, as a text; nothing for None."""
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else value
